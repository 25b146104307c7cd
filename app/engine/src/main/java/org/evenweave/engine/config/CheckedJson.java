package org.evenweave.engine.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.evenweave.schema.ExactNumbers;
import org.evenweave.schema.InputSchema;
import org.evenweave.wcmp.fabric.FabricException;

/** JSON that is read strictly, numbers exactly, and checked by its published schema. */
public final class CheckedJson {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setNodeFactory(new ExactNumbers())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private CheckedJson() {}

  /** The text is no JSON, or the value is not valid by its schema. */
  public static final class FormException extends FabricException {
    private static final long serialVersionUID = 1;

    FormException(String path, String problem) {
      super(path, problem);
    }
  }

  /**
   * Reads text.
   *
   * @param schema its name in {@code docs/schema}
   * @param what what errors call the whole text
   * @throws FormException with the path of the field that is wrong, and what would be right
   */
  public static JsonNode parse(String schema, String what, String text) {
    JsonNode value;
    try {
      value = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new FormException(what, "is not JSON: " + where(e));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new FormException(
          what,
          "has a number of more than "
              + ExactNumbers.MOST_DIGITS
              + " digits or an exponent beyond that; round it");
    }
    if (value.isMissingNode()) {
      throw new FormException(what, "is empty");
    }
    check(schema, what, value);
    return value;
  }

  /** Refuses a value that is not valid by a schema, as {@link #parse} does. */
  static void check(String schema, String what, JsonNode value) {
    InputSchema.named(schema)
        .violation(value)
        .ifPresent(
            violation -> {
              throw new FormException(violation.path(what), violation.problem());
            });
  }

  /** Jackson's message without its own, longer way to say where. */
  private static String where(JsonProcessingException e) {
    String problem = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at .*", "");
    JsonLocation location = e.getLocation();
    return location == null
        ? problem
        : problem + " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }
}
