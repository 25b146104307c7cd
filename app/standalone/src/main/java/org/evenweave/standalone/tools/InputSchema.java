package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One of the published JSON schemas of {@code docs/schema}, which are on the class path.
 *
 * <p>The errors for a value are in the schema itself: {@code errorMessage} beside the keyword that
 * failed, a convention known from other validators.
 */
final class InputSchema {
  private static final String FOLDER = "org/evenweave/standalone/tools/schema/";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<String, JsonNode> DOCUMENTS = new ConcurrentHashMap<>();

  /** Longer values are not repeated in messages. */
  private static final int SHOWN_CHARACTERS = 60;

  private static final JsonSchemaFactory FACTORY = factory();

  private final JsonSchema schema;

  private InputSchema(JsonSchema schema) {
    this.schema = schema;
  }

  /** The schema in {@code docs/schema/NAME.json}. */
  static InputSchema named(String name) {
    SchemaValidatorsConfig config =
        SchemaValidatorsConfig.builder().pathType(PathType.JSON_POINTER).failFast(true).build();
    return new InputSchema(
        FACTORY.getSchema(SchemaLocation.of("classpath:" + FOLDER + name + ".json"), config));
  }

  private static JsonSchemaFactory factory() {
    JsonMetaSchema standard = JsonMetaSchema.getV202012();
    JsonMetaSchema extended =
        JsonMetaSchema.builder(standard).keyword(new NonValidationKeyword("errorMessage")).build();
    return JsonSchemaFactory.builder()
        .defaultMetaSchemaIri(extended.getIri())
        .metaSchema(extended)
        .build();
  }

  /**
   * Checks a value.
   *
   * @throws BadInputException naming the first field that violates the schema
   */
  void check(JsonNode value) {
    Set<ValidationMessage> problems = schema.validate(value);
    if (!problems.isEmpty()) {
      throw error(problems.iterator().next());
    }
  }

  private static BadInputException error(ValidationMessage message) {
    String path = text(message.getInstanceLocation());
    JsonNode wanted = schemaOf(message.getSchemaLocation());
    switch (message.getType()) {
      case "additionalProperties":
        return new BadInputException(
            field(path, message.getProperty()),
            "unknown field; the fields here are " + fields(wanted));
      case "required":
        return new BadInputException(field(path, message.getProperty()), "is missing");
      case "dependentRequired":
        // Its property is the one that is there.
        return new BadInputException(field(path, "" + message.getArguments()[0]), "is missing");
      case "not":
        return new BadInputException(path, wanted.path("errorMessage").asText());
      default:
        return new BadInputException(
            path.isEmpty() ? "input" : path,
            wanted.path("errorMessage").asText(message.getError())
                + shown(message.getInstanceNode()));
    }
  }

  /** The schema that holds the keyword at a location. */
  private static JsonNode schemaOf(SchemaLocation location) {
    JsonNode node = document(location.getAbsoluteIri().toString());
    JsonNodePath path = location.getFragment();
    for (int i = 0; i < path.getNameCount() - 1; i++) {
      Object element = path.getElement(i);
      node =
          element instanceof Integer ? node.path((Integer) element) : node.path((String) element);
    }
    return node;
  }

  private static JsonNode document(String iri) {
    return DOCUMENTS.computeIfAbsent(
        iri,
        key -> {
          String resource = key.substring("classpath:".length());
          try (InputStream in = InputSchema.class.getClassLoader().getResourceAsStream(resource)) {
            return MAPPER.readTree(in);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static String fields(JsonNode objectSchema) {
    TreeSet<String> names = new TreeSet<>();
    objectSchema.path("properties").fieldNames().forEachRemaining(names::add);
    return String.join(", ", names);
  }

  /** A path as in {@code links[3].b}. */
  private static String text(JsonNodePath path) {
    String text = "";
    for (int i = 0; i < path.getNameCount(); i++) {
      Object element = path.getElement(i);
      text = element instanceof Integer ? text + "[" + element + "]" : field(text, "" + element);
    }
    return text;
  }

  /** The path of a field of the object at a path. */
  static String field(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String shown(JsonNode value) {
    if (value == null || value.isObject()) {
      return "";
    }
    String text = value.toString();
    return text.length() <= SHOWN_CHARACTERS ? ", not " + text : "";
  }
}
