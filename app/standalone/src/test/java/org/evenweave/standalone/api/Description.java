package org.evenweave.standalone.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.net.http.HttpResponse;
import java.util.Map;
import org.evenweave.schema.OpenApiDocument;

/** The description of REST, for responses to be held against. */
final class Description {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  private final ObjectNode document = OpenApiDocument.read();
  private final ObjectNode closed;

  Description() {
    closed = document.get("components").deepCopy();
    close(closed);
  }

  /** Allows no field that is not described; to clients the description promises less. */
  private static void close(JsonNode node) {
    if (node.has("properties") && node.path("type").asText().equals("object")) {
      ((ObjectNode) node)
          .putIfAbsent("additionalProperties", JSON.getNodeFactory().booleanNode(false));
    }
    node.forEach(Description::close);
  }

  ObjectNode document() {
    return document;
  }

  /**
   * Fails unless the response is one of those that are described.
   *
   * @param path as in the description, such as {@code /exclusions/{element}}
   */
  void requireDescribed(String method, String path, HttpResponse<String> response)
      throws Exception {
    String what = method + " " + path + ": " + response.statusCode() + " " + response.body();
    JsonNode described =
        document.at(pointer("paths", path, method, "responses", "" + response.statusCode()));
    assertFalse(described.isMissingNode(), "not described: " + what);
    if (described.has("$ref")) {
      described = document.at(described.get("$ref").asText().substring(1));
    }
    JsonNode content = described.path("content");
    if (content.isMissingNode()) {
      assertEquals("", response.body(), what);
      return;
    }
    String type = response.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
    JsonNode schema = content.path(type).path("schema");
    assertFalse(schema.isMissingNode(), type + " is not described: " + what);
    if (type.equals("application/json")) {
      ObjectNode whole = schema.deepCopy();
      whole.set("components", closed);
      assertEquals(
          "[]", SCHEMAS.getSchema(whole).validate(JSON.readTree(response.body())).toString(), what);
    }
  }

  private static String pointer(String... names) {
    StringBuilder pointer = new StringBuilder();
    for (String name : names) {
      pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  /** The paths that can be read without naming anything, each with the query it needs. */
  Map<String, JsonNode> readable() {
    Map<String, JsonNode> paths = new java.util.TreeMap<>();
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      if (path.getValue().has("get") && path.getKey().indexOf('{') < 0) {
        paths.put(path.getKey(), path.getValue().get("get"));
      }
    }
    return paths;
  }
}
