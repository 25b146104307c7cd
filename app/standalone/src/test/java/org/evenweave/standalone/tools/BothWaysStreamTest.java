package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BothWaysStreamTest {
  @Test
  void writesEveryPairAndThenTheWayBack() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(3, BothWaysStreamTest::pair, out);
    assertEquals(
        List.of("01", "10", "02", "20", "12", "21").stream()
            .map(ends -> pair(ends.charAt(0) - '0', ends.charAt(1) - '0').get(0))
            .collect(Collectors.joining(",", "{\"pairs\":[", "]}")),
        out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void holdsNoMoreThanAFewPairsBack() throws IOException {
    AtomicInteger computed = new AtomicInteger();
    int[] whenFirstWritten = {0};
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int value) {
            write(new byte[1], 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int count) {
            whenFirstWritten[0] = whenFirstWritten[0] == 0 ? computed.get() : whenFirstWritten[0];
          }
        };
    write(
        100,
        (one, other) -> {
          computed.incrementAndGet();
          return pair(one, other);
        },
        out);
    assertEquals(100 * 99 / 2, computed.get());
    assertTrue(whenFirstWritten[0] < 1000, whenFirstWritten[0] + " held back");
  }

  @Test
  void endsWithWhatGoesWrongWithAPair() {
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                write(
                    3,
                    (one, other) -> {
                      throw new IllegalStateException("no such thing");
                    },
                    new ByteArrayOutputStream()));
    assertEquals(IllegalStateException.class, e.getCause().getClass());
  }

  private static void write(int switches, BothWaysStream.BothWays pairs, OutputStream out)
      throws IOException {
    int[] all = IntStream.range(0, switches).toArray();
    Json.write(
        JsonNodeFactory.instance.objectNode().putPOJO("pairs", new BothWaysStream(all, pairs)),
        out);
  }

  private static List<String> pair(int from, int to) {
    return List.of(
        "{\"from\":" + from + ",\"to\":" + to + "}", "{\"from\":" + to + ",\"to\":" + from + "}");
  }
}
