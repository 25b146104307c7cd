package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/**
 * Answers JSON lines with JSON lines, one for one and in order. A line that is wrong is answered by
 * {@code {"error":"...","line":n}}, n from 1 over all input, and the next one is read.
 */
final class AnswerStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputSchema schema;
  private final UnaryOperator<JsonNode> tool;
  private final OutputStream out;
  private long line;
  private boolean failed;

  /**
   * @param schema what a line must be
   * @param tool gives the answer to such a line; what it throws to refuse it is an {@link
   *     IllegalArgumentException} or {@link BadInputException}
   */
  AnswerStream(InputSchema schema, UnaryOperator<JsonNode> tool, OutputStream out) {
    this.schema = schema;
    this.tool = tool;
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
  }

  /** Answers all lines of one input. */
  void answerAll(InputStream in) throws IOException {
    LineReader lines = new LineReader(in, out);
    while (lines.next()) {
      line++;
      out.write(answer(lines));
      out.write('\n');
    }
    out.flush();
  }

  /** Whether some line was answered by an error. */
  boolean failed() {
    return failed;
  }

  private byte[] answer(LineReader lines) {
    try {
      if (lines.tooLong()) {
        throw new BadInputException("longer than " + LineReader.MAX_LINE_BYTES + " bytes");
      }
      JsonNode input = Json.parse(lines.buffer(), lines.offset(), lines.length());
      schema.check(input);
      return Json.write(tool.apply(input));
    } catch (BadInputException | IllegalArgumentException e) {
      return error(e.getMessage());
    } catch (OutOfMemoryError e) {
      // What the line took is free again here.
      return error(
          "the answer does not fit into Java's heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MB; make the line smaller, or the heap larger: JAVA_TOOL_OPTIONS=-Xmx8g");
    } catch (RuntimeException e) {
      // A fault of the tool, not of the line; the lines after it have a right to their answers.
      return error("internal error: " + e);
    }
  }

  private byte[] error(String message) {
    failed = true;
    return Json.write(
        JsonNodeFactory.instance.objectNode().put("error", message).put("line", line));
  }
}
