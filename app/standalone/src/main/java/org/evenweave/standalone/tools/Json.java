package org.evenweave.standalone.tools;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.evenweave.schema.ExactNumbers;

/** JSON as the tools read and write it, with {@link ExactNumbers}. */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .nodeFactory(new ExactNumbers())
          .build();

  /** Leaves the stream open. */
  private static final ObjectWriter WRITER =
      MAPPER
          .writer()
          .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

  /** Jackson's message for NaN and Infinity, about the settings that would allow them. */
  private static final Pattern NOT_A_NUMBER = Pattern.compile("Non-standard token '([-+\\w]+)'");

  /** Where the value began in Jackson's words, and advice for who writes Java. */
  private static final Pattern JACKSON_DETAILS =
      Pattern.compile(
          "(?s) \\(start marker at .*|: enable `[^`]*` to allow|,? ?\\(?from `[^`]*`\\)?"
              + "|[;:]? ?\\(?[^(;:]*Feature[. ]'?[A-Z_]+'? not enabled[^)]*\\)?");

  private Json() {}

  /**
   * Reads one value from part of an array of UTF-8 text.
   *
   * @throws BadInputException if it is not one JSON value
   */
  static JsonNode parse(byte[] text, int offset, int length) {
    JsonNode node;
    try (JsonParser parser = MAPPER.createParser(text, offset, length)) {
      node = read(parser);
    } catch (MismatchedInputException e) {
      throw new BadInputException("more than one value; write one JSON object per line");
    } catch (JsonProcessingException e) {
      throw new BadInputException("not JSON: " + withoutSource(e));
    } catch (IOException e) {
      throw new BadInputException("not JSON: " + e.getMessage());
    }
    if (node == null) {
      throw new BadInputException("empty; write one JSON object per line");
    }
    return node;
  }

  private static JsonNode read(JsonParser parser) throws IOException {
    try {
      return MAPPER.readTree(parser);
    } catch (ArithmeticException | NumberFormatException e) {
      String path = path(parser.getParsingContext());
      throw new BadInputException(
          path.isEmpty() ? "input" : path,
          "a number has more than "
              + ExactNumbers.MOST_DIGITS
              + " digits or an exponent beyond that; round it");
    }
  }

  /** Where a parser is, as in {@code links[3].b}. */
  private static String path(JsonStreamContext place) {
    if (place.inRoot()) {
      return "";
    }
    String parent = path(place.getParent());
    return place.inArray()
        ? parent + "[" + place.getCurrentIndex() + "]"
        : parent.isEmpty() ? place.getCurrentName() : parent + "." + place.getCurrentName();
  }

  /** Writes a value in UTF-8, on one line. */
  static void write(JsonNode node, OutputStream out) throws IOException {
    WRITER.writeValue(out, node);
  }

  /** Jackson's message without its own, longer way to say where, and without its settings. */
  private static String withoutSource(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    Matcher notANumber = NOT_A_NUMBER.matcher(message);
    String problem =
        notANumber.find()
            ? notANumber.group(1) + " is not a JSON number; write a decimal number"
            : JACKSON_DETAILS.matcher(message).replaceAll("");
    JsonLocation location = e.getLocation();
    return location == null ? problem : problem + " (column " + location.getColumnNr() + ")";
  }
}
