package org.evenweave.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/**
 * The description of REST (OpenAPI 3.1) in one piece: {@code docs/api/openapi.json}, with the
 * schemas of {@code docs/schema} that it refers to among its components.
 */
public final class OpenApiDocument {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FILE = "api/openapi.json";
  private static final String FOLDER = "../schema/";
  private static final String SUFFIX = ".json";
  private static final String COMPONENTS = "#/components/schemas/";
  private static final String REF = "$ref";

  /** What the published schemas say for people who write input, and for validators alone. */
  private static final Set<String> LEFT_OUT = Set.of("errorMessage", "$schema", "examples");

  private final Deque<String> wanted = new ArrayDeque<>();
  private final Set<String> seen = new TreeSet<>();

  private OpenApiDocument() {}

  /** A new copy of the document. */
  public static ObjectNode read() {
    return new OpenApiDocument().assemble();
  }

  private ObjectNode assemble() {
    ObjectNode document = (ObjectNode) load(FILE);
    redirect(document, null);
    ObjectNode schemas = (ObjectNode) document.at("/components/schemas");
    while (!wanted.isEmpty()) {
      String name = wanted.remove();
      JsonNode schema = load(name + SUFFIX);
      redirect(schema, name);
      schemas.set(name, schema);
    }
    return document;
  }

  /**
   * Has references lead into the components.
   *
   * @param file the schema that the node is of; null for the document itself, whose references to
   *     its own parts stay
   */
  private void redirect(JsonNode node, String file) {
    if (node.isObject()) {
      ObjectNode object = (ObjectNode) node;
      if (file != null) {
        object.remove(LEFT_OUT);
      }
      JsonNode reference = object.get(REF);
      if (reference != null && reference.isTextual()) {
        object.set(REF, new TextNode(component(reference.textValue(), file)));
      }
    }
    node.forEach(child -> redirect(child, file));
  }

  private String component(String reference, String file) {
    if (file == null && reference.startsWith("#")) {
      return reference;
    }
    int hash = reference.indexOf('#');
    String target = hash < 0 ? reference : reference.substring(0, hash);
    String inside = hash < 0 ? "" : reference.substring(hash + 1);
    String name = target.isEmpty() ? file : nameOf(target);
    if (seen.add(name)) {
      wanted.add(name);
    }
    return COMPONENTS + name + inside;
  }

  private static String nameOf(String target) {
    String inFolder = target.startsWith(FOLDER) ? target.substring(FOLDER.length()) : target;
    return inFolder.substring(0, inFolder.length() - SUFFIX.length());
  }

  private static JsonNode load(String resource) {
    try (InputStream input = OpenApiDocument.class.getResourceAsStream(resource)) {
      if (input == null) {
        throw new IllegalStateException("there is no " + resource);
      }
      return JSON.readTree(input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
