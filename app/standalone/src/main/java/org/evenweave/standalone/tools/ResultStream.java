package org.evenweave.standalone.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.evenweave.schema.InputSchema;

/**
 * Answers JSON lines with JSON lines, one for one and in order. A line that is wrong is answered by
 * {@code {"error":"...","line":n}}, n from 1 over all input, and the next one is read.
 */
final class ResultStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Supplier<InputSchema> schemas;
  private final UnaryOperator<JsonNode> tool;
  private final PlainResult plain;
  private final OutputStream out;
  private final ResultBuffer answer;
  private final PlainLine plainLine = new PlainLine();
  private InputSchema schema;
  private long line;
  private boolean failed;

  /**
   * @param schemas gives what a line must be, once the first line is not plain
   * @param tool gives the answer to such a line; what it throws to refuse it is an {@link
   *     IllegalArgumentException} or {@link BadInputException}
   * @param plain the same for plain lines, where it can
   */
  ResultStream(
      Supplier<InputSchema> schemas,
      UnaryOperator<JsonNode> tool,
      PlainResult plain,
      OutputStream out) {
    this.schemas = schemas;
    this.tool = tool;
    this.plain = plain;
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    this.answer = new ResultBuffer(this.out);
  }

  /**
   * Answers all lines of one input.
   *
   * @throws IOException if it cannot be read, answers not be written, or an answer broke off
   */
  void answerAll(InputStream in) throws IOException {
    LineReader lines = new LineReader(in, out);
    while (lines.next()) {
      line++;
      if (!answerPlain(lines)) {
        answer(lines);
      }
      answer.write('\n');
      answer.complete();
    }
    out.flush();
  }

  /** Whether some line was answered by an error. */
  boolean failed() {
    return failed;
  }

  private boolean answerPlain(LineReader lines) throws IOException {
    try {
      if (!lines.tooLong()
          && plainLine.begin(lines.buffer(), lines.offset(), lines.length())
          && plain.answer(plainLine, answer)) {
        return true;
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      // Happens again by the schema, which has words for it.
    }
    if (!answer.takeBack()) {
      throw brokeOff("it was too long to begin again");
    }
    return false;
  }

  private void answer(LineReader lines) throws IOException {
    try {
      if (lines.tooLong()) {
        throw new BadInputException("longer than " + LineReader.MAX_LINE_BYTES + " bytes");
      }
      JsonNode input = Json.parse(lines.buffer(), lines.offset(), lines.length());
      schema()
          .violation(input)
          .ifPresent(
              violation -> {
                throw new BadInputException(violation.path("input"), violation.problem());
              });
      Json.write(tool.apply(input), answer);
    } catch (JsonProcessingException e) {
      // Answers that are computed while they are written fail in the writer.
      error(messageFor(e.getCause()));
    } catch (RuntimeException | OutOfMemoryError e) {
      // What the line took is free again here.
      error(messageFor(e));
    }
  }

  private InputSchema schema() {
    if (schema == null) {
      schema = schemas.get();
    }
    return schema;
  }

  private static String messageFor(Throwable e) {
    if (e instanceof BadInputException || e instanceof IllegalArgumentException) {
      return e.getMessage();
    }
    if (e instanceof OutOfMemoryError) {
      return "the answer does not fit into Java's heap of "
          + (Runtime.getRuntime().maxMemory() >> 20)
          + " MB; make the line smaller, or the heap larger: JAVA_TOOL_OPTIONS=-Xmx8g";
    }
    // A fault of the tool, not of the line; the lines after it have a right to their answers.
    return "internal error: " + e;
  }

  private void error(String message) throws IOException {
    failed = true;
    if (!answer.takeBack()) {
      throw brokeOff(message);
    }
    Json.write(
        JsonNodeFactory.instance.objectNode().put("error", message).put("line", line), answer);
  }

  private IOException brokeOff(String message) {
    return new IOException("the answer to line " + line + " broke off: " + message);
  }
}
