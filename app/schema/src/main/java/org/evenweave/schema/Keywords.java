package org.evenweave.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * The keywords of JSON Schema 2020-12 that the published schemas use. As there, a keyword accepts
 * all values of other types than its own.
 */
final class Keywords {
  /** Makes the check of a schema's keyword. */
  interface Factory {
    Check check(JsonNode schema, SchemaCompiler.Scope scope);
  }

  /** In the order of the checks: an object's fields are named before they are looked at. */
  static final Map<String, Factory> FACTORIES = new LinkedHashMap<>();

  static {
    FACTORIES.put("$ref", (schema, scope) -> scope.referred(schema.get("$ref").textValue()));
    FACTORIES.put("type", (schema, scope) -> type(schema));
    FACTORIES.put("enum", (schema, scope) -> oneOf(schema, schema.get("enum")));
    FACTORIES.put("const", (schema, scope) -> oneOf(schema, List.of(schema.get("const"))));
    FACTORIES.put("minimum", (schema, scope) -> bound(schema, "minimum", sign -> sign < 0));
    FACTORIES.put(
        "exclusiveMinimum",
        (schema, scope) -> bound(schema, "exclusiveMinimum", sign -> sign <= 0));
    FACTORIES.put("maximum", (schema, scope) -> bound(schema, "maximum", sign -> sign > 0));
    FACTORIES.put("pattern", (schema, scope) -> pattern(schema));
    FACTORIES.put("minItems", (schema, scope) -> size(schema, "minItems", sign -> sign < 0));
    FACTORIES.put("maxItems", (schema, scope) -> size(schema, "maxItems", sign -> sign > 0));
    FACTORIES.put("additionalProperties", (schema, scope) -> closed(schema));
    FACTORIES.put("properties", Keywords::properties);
    FACTORIES.put("required", (schema, scope) -> required(texts(schema.get("required"))));
    FACTORIES.put("items", Keywords::items);
    FACTORIES.put("dependentRequired", (schema, scope) -> dependentRequired(schema));
    FACTORIES.put("dependentSchemas", Keywords::dependentSchemas);
    FACTORIES.put("if", Keywords::conditional);
    FACTORIES.put("not", Keywords::not);
  }

  private static final Pattern CLASS_OR_ESCAPED =
      Pattern.compile("\\\\.|\\[(\\\\.|[^\\]\\\\])*\\]");

  /** Longer values are not repeated in messages. */
  private static final int SHOWN_CHARACTERS = 60;

  private Keywords() {}

  private static Violation refusal(JsonNode schema, JsonNode value) {
    return Violation.here(schema.path("errorMessage").asText() + shown(value));
  }

  /** The value at the end of a message, or the number of its elements, unless it is long. */
  private static String shown(JsonNode value) {
    if (value.isObject()) {
      return "";
    }
    String text = value.size() > SHOWN_CHARACTERS ? "" + value.size() : value.toString();
    return text.length() <= SHOWN_CHARACTERS ? ", not " + text : "";
  }

  private static Check type(JsonNode schema) {
    String type = schema.get("type").textValue();
    return value -> hasType(value, type) ? null : refusal(schema, value);
  }

  private static boolean hasType(JsonNode value, String type) {
    switch (type) {
      case "object":
        return value.isObject();
      case "array":
        return value.isArray();
      case "string":
        return value.isTextual();
      case "boolean":
        return value.isBoolean();
      case "number":
        return value.isNumber();
      case "integer":
        // Readers other than ExactNumbers, such as ONOS's, make a double of 1000.0.
        return value.isIntegralNumber() || (value.isDouble() && value.doubleValue() % 1 == 0);
      default:
        throw new IllegalStateException("unknown type " + type);
    }
  }

  private static Check oneOf(JsonNode schema, Iterable<JsonNode> values) {
    Set<JsonNode> allowed = new HashSet<>();
    values.forEach(allowed::add);
    return value -> allowed.contains(value) ? null : refusal(schema, value);
  }

  /**
   * @param refused whether a number is, by the sign of its difference from the bound
   */
  private static Check bound(JsonNode schema, String keyword, IntPredicate refused) {
    BigDecimal exact = schema.get(keyword).decimalValue();
    double rounded = exact.doubleValue();
    boolean isLong = exact.compareTo(BigDecimal.valueOf(exact.longValue())) == 0;
    long whole = exact.longValue();
    return value -> {
      int sign;
      if (!value.isNumber()) {
        return null;
      } else if (isLong && value.isIntegralNumber() && value.canConvertToLong()) {
        sign = Long.compare(value.longValue(), whole);
      } else if (value.isDouble()) {
        // Which may be infinite, as no decimal is.
        sign = Double.compare(value.doubleValue(), rounded);
      } else {
        sign = value.decimalValue().compareTo(exact);
      }
      return refused.test(sign) ? refusal(schema, value) : null;
    };
  }

  private static Check pattern(JsonNode schema) {
    String regex = schema.get("pattern").textValue();
    if (!regex.startsWith("^") || !regex.endsWith("$")) {
      throw new IllegalStateException("a pattern must be for the whole text: " + regex);
    }
    // Whether it includes \r or U+2028 depends on whose regular expressions they are.
    if (CLASS_OR_ESCAPED.matcher(regex).replaceAll("").contains(".")) {
      throw new IllegalStateException("a dot is for other characters elsewhere: " + regex);
    }
    // In Java, $ would match before a line feed at the end, too.
    Pattern whole = Pattern.compile(regex.substring(1, regex.length() - 1));
    return value ->
        !value.isTextual() || whole.matcher(value.textValue()).matches()
            ? null
            : refusal(schema, value);
  }

  private static Check size(JsonNode schema, String keyword, IntPredicate refused) {
    int bound = schema.get(keyword).intValue();
    return value ->
        value.isArray() && refused.test(Integer.compare(value.size(), bound))
            ? refusal(schema, value)
            : null;
  }

  private static Check closed(JsonNode schema) {
    if (schema.get("additionalProperties").asBoolean(true)) {
      throw new IllegalStateException("additionalProperties may only be false");
    }
    Set<String> known = new TreeSet<>();
    schema.path("properties").fieldNames().forEachRemaining(known::add);
    String problem = "unknown field; the fields here are " + String.join(", ", known);
    return value -> {
      // An array has no field names.
      for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!known.contains(name)) {
          return Violation.here(problem).ofField(name);
        }
      }
      return null;
    };
  }

  private static Check properties(JsonNode schema, SchemaCompiler.Scope scope) {
    Map<String, Check> checks = inner(schema.get("properties"), scope);
    return value -> {
      for (Map.Entry<String, Check> property : checks.entrySet()) {
        JsonNode field = value.get(property.getKey());
        Violation violation = field == null ? null : property.getValue().violation(field);
        if (violation != null) {
          return violation.ofField(property.getKey());
        }
      }
      return null;
    };
  }

  private static Check required(List<String> names) {
    return value -> {
      for (String name : names) {
        if (value.isObject() && !value.has(name)) {
          return Violation.here("is missing").ofField(name);
        }
      }
      return null;
    };
  }

  private static Check items(JsonNode schema, SchemaCompiler.Scope scope) {
    Check item = scope.inner(schema.get("items"));
    return value -> {
      for (int i = 0; value.isArray() && i < value.size(); i++) {
        Violation violation = item.violation(value.get(i));
        if (violation != null) {
          return violation.ofElement(i);
        }
      }
      return null;
    };
  }

  private static Check dependentRequired(JsonNode schema) {
    Map<String, Check> checks = new LinkedHashMap<>();
    schema
        .get("dependentRequired")
        .fields()
        .forEachRemaining(field -> checks.put(field.getKey(), required(texts(field.getValue()))));
    return dependent(checks);
  }

  private static Check dependentSchemas(JsonNode schema, SchemaCompiler.Scope scope) {
    return dependent(inner(schema.get("dependentSchemas"), scope));
  }

  private static Check dependent(Map<String, Check> checks) {
    return value -> {
      for (Map.Entry<String, Check> entry : checks.entrySet()) {
        Violation violation = value.has(entry.getKey()) ? entry.getValue().violation(value) : null;
        if (violation != null) {
          return violation;
        }
      }
      return null;
    };
  }

  private static Check conditional(JsonNode schema, SchemaCompiler.Scope scope) {
    Check condition = scope.inner(schema.get("if"));
    Check then = schema.has("then") ? scope.inner(schema.get("then")) : value -> null;
    Check otherwise = schema.has("else") ? scope.inner(schema.get("else")) : value -> null;
    return value -> (condition.violation(value) == null ? then : otherwise).violation(value);
  }

  private static Check not(JsonNode schema, SchemaCompiler.Scope scope) {
    Check check = scope.inner(schema.get("not"));
    String message = schema.path("errorMessage").asText();
    return value -> check.violation(value) == null ? Violation.here(message) : null;
  }

  private static Map<String, Check> inner(JsonNode schemas, SchemaCompiler.Scope scope) {
    Map<String, Check> checks = new LinkedHashMap<>();
    schemas
        .fields()
        .forEachRemaining(field -> checks.put(field.getKey(), scope.inner(field.getValue())));
    return checks;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.textValue()));
    return texts;
  }
}
