package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.schema.InputSchema;
import org.junit.jupiter.api.Test;

/** An answer on all pairs is written while it is computed. */
class PairStreamTest {
  private static final int SWITCHES = 300;
  private static final Set<Integer> ALL =
      IntStream.range(0, SWITCHES).boxed().collect(Collectors.toCollection(TreeSet::new));

  @Test
  void holdsNoMoreThanAFewDestinationsBack() throws IOException {
    int[] destinations = {0};
    int[] whenFirstWritten = {0};
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int value) {
            write(new byte[1], 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int count) {
            whenFirstWritten[0] = whenFirstWritten[0] == 0 ? destinations[0] : whenFirstWritten[0];
          }
        };
    answerWith(
        to -> {
          destinations[0]++;
          return from -> pair(from, to);
        },
        out);
    assertEquals(SWITCHES, destinations[0]);
    assertTrue(whenFirstWritten[0] < SWITCHES / 10, whenFirstWritten[0] + " held back");
  }

  @Test
  void answersByAnErrorWhatFailsEarly() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answerWith(
        to -> {
          throw new IllegalArgumentException("no such thing");
        },
        out);
    assertEquals(
        "{\"error\":\"no such thing\",\"line\":1}\n", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void endsWithAnErrorWhatFailsAfterPartOfItIsOut() {
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                answerWith(
                    to -> {
                      if (to == SWITCHES / 2) {
                        throw new IllegalStateException("halfway");
                      }
                      return from -> pair(from, to);
                    },
                    new ByteArrayOutputStream()));
    assertEquals(
        "the answer to line 1 broke off: internal error: java.lang.IllegalStateException: halfway",
        e.getMessage());
  }

  private static void answerWith(IntFunction<IntFunction<ObjectNode>> pairTo, OutputStream out)
      throws IOException {
    ObjectNode answer =
        JsonNodeFactory.instance.objectNode().putPOJO("pairs", new PairStream(ALL, pairTo));
    new ResultStream(() -> InputSchema.named("reduce"), input -> answer, PlainResult.NONE, out)
        .answerAll(
            new ByteArrayInputStream(
                Tools.bytes("{\"weights\":[1],\"maxOversubscription\":1e0}\n")));
  }

  private static ObjectNode pair(int from, int to) {
    return JsonNodeFactory.instance.objectNode().put("from", from).put("to", to);
  }
}
