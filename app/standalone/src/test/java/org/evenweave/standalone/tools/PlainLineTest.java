package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain lines get the answers, to the byte, that they would get by the schema and a tree. */
class PlainLineTest {
  @Property(tries = 3000)
  void reducesAsByTheSchema(@ForAll("reduceLines") String line) {
    assertSameAnswer("reduce", line);
  }

  @Property(tries = 500)
  void fitsAsByTheSchema(@ForAll("fitLines") String line) {
    assertSameAnswer("fit", line);
  }

  @Property(tries = 2000)
  void answersDamagedLinesAsByTheSchema(
      @ForAll("reduceLines") String line,
      @ForAll("positions") int position,
      @ForAll("characters") char character) {
    int at = position % (line.length() + 1);
    assertSameAnswer("reduce", line.substring(0, at) + character + line.substring(at));
    assertSameAnswer(
        "reduce", line.substring(0, at) + line.substring(Math.min(line.length(), at + 1)));
  }

  private static void assertSameAnswer(String tool, String line) {
    byte[] lines = Tools.bytes(line + "\n" + line + "\n");
    assertArrayEquals(
        Tools.run(tool, PlainResult.NONE, lines),
        Tools.run(tool, lines),
        () -> line + ": " + new String(Tools.run(tool, lines), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"weights\":[2,2,3,5],\"maxOversubscription\":1.15}",
        "\t{ \"maxOversubscription\" : 2 ,\"weights\": [ 999999999999999999 , 999999999999999998 ] }\r",
      })
  void takesWhatProgramsWrite(String line) throws IOException {
    assertTrue(isPlain(new PlainReduction(), line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"weights\":[2.0],\"maxOversubscription\":1.15}",
        "{\"weights\":[02],\"maxOversubscription\":1.15}",
        "{\"weights\":[1000000000000000000],\"maxOversubscription\":2}",
        "{\"weights\":[1],\"maxOversubscription\":1.}",
        "{\"weights\":[1],\"maxOversubscription\":1e1}",
        "{\"weights\":[1],\"maxOversubscription\":0.5}",
        "{\"weights\":[1],\"weights\":[1]}",
        "{\"weights\":[1],\"maxOversubscription\":2}}",
        "{\"weights\":[1],\"maxOversubscription\":2",
        "{\"weights\":[],\"maxOversubscription\":2}",
      })
  void leavesTheRestToTheSchema(String line) throws IOException {
    assertFalse(isPlain(new PlainReduction(), line));
  }

  private static boolean isPlain(PlainResult plain, String line) throws IOException {
    byte[] text = Tools.bytes(line);
    PlainLine read = new PlainLine();
    assertTrue(read.begin(text, 0, text.length));
    return plain.answer(read, new ResultBuffer(new ByteArrayOutputStream()));
  }

  @Test
  void answersByTheSchemaWhereAPlainResultFails() {
    byte[] line = Tools.bytes("{\"weights\":[2,2,3,5],\"maxOversubscription\":1.15}\n");
    PlainResult failing =
        (plain, answer) -> {
          answer.write('[');
          throw new IllegalStateException();
        };
    assertArrayEquals(Tools.run("reduce", line), Tools.run("reduce", failing, line));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50_000})
  void answersThatDoNotFitTheBufferAreWholeAllTheSame(int ports) {
    String weights = "1,2,".repeat(ports / 2) + "3";
    assertSameAnswer("reduce", "{\"weights\":[" + weights + "],\"maxOversubscription\":1.5}");
    assertEquals(
        ports / 2 * 2 + 1,
        Tools.json(Tools.answer("fit", "{\"groups\":[[" + weights + "]],\"entries\":100000}"))
            .at("/groups/0")
            .size());
  }

  @Provide
  Arbitrary<String> reduceLines() {
    Arbitrary<String> limit = Arbitraries.oneOf(limits(), numbers());
    Arbitrary<String> weights = array(numbers());
    return Combinators.combine(names(), weights, limit, spaces(), Arbitraries.of(true, false))
        .as(
            (name, values, most, space, weightsFirst) -> {
              String first = "\"" + name + "\":" + space + values;
              String second = space + "\"maxOversubscription\"" + space + ":" + most;
              return "{"
                  + (weightsFirst ? first + "," + second : second + "," + space + first)
                  + "}"
                  + space;
            });
  }

  @Provide
  Arbitrary<String> fitLines() {
    Arbitrary<String> options =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just("")),
            Tuple.of(
                1,
                Arbitraries.of(",\"sharing\":true", ",\"leaveOut\":\"auto\"", ",\"demands\":[1]")));
    Arbitrary<String> group = array(Arbitraries.integers().between(1, 50).map(String::valueOf));
    Arbitrary<String> groups =
        array(Arbitraries.frequencyOf(Tuple.of(9, group), Tuple.of(1, array(numbers()))));
    Arbitrary<String> entries =
        Arbitraries.oneOf(
            Arbitraries.integers().between(1, 200).map(String::valueOf),
            Arbitraries.of("0", "16777217", "1e2", "100.0", "-1"));
    return Combinators.combine(groups, entries, options, spaces())
        .as(
            (all, most, more, space) ->
                "{\"groups\":" + space + all + ",\"entries\":" + most + space + more + "}");
  }

  private static Arbitrary<String> array(Arbitrary<String> elements) {
    return elements.list().ofMinSize(0).ofMaxSize(6).map(all -> "[" + String.join(",", all) + "]");
  }

  private static Arbitrary<String> numbers() {
    return Arbitraries.frequencyOf(
        Tuple.of(30, Arbitraries.integers().between(1, 2000).map(String::valueOf)),
        Tuple.of(5, Arbitraries.longs().greaterOrEqual(1).map(String::valueOf)),
        Tuple.of(
            1,
            Arbitraries.of(
                "0",
                "-1",
                "01",
                "1.0",
                "1e3",
                "1.5",
                "true",
                "\"1\"",
                "null",
                "[]",
                "1e999",
                "9223372036854775807",
                "9223372036854775808",
                "999999999999999999",
                "")));
  }

  private static Arbitrary<String> limits() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1001, 3000).map(n -> "" + n / 1000.0),
        Arbitraries.of(
            "1",
            "1.0",
            "1.10",
            "1.00000000000000001",
            "1.000000000000000001",
            "0.9",
            "2e0",
            "1.",
            "1.15",
            "3",
            "12.5"));
  }

  private static Arbitrary<String> names() {
    return Arbitraries.frequencyOf(
        Tuple.of(20, Arbitraries.just("weights")),
        Tuple.of(1, Arbitraries.of("weight", "\\u0077eights", "maxOversubscription", "weights ")));
  }

  private static Arbitrary<String> spaces() {
    return Arbitraries.of("", "", "", " ", "\t", "  \r", "\u00a0");
  }

  @Provide
  Arbitrary<Integer> positions() {
    return Arbitraries.integers().between(0, 1000);
  }

  @Provide
  Arbitrary<Character> characters() {
    return Arbitraries.of(
        '{', '}', '[', ']', ',', ':', '"', '0', '1', '.', 'e', '-', '+', ' ', 'x', '\\', '\t');
  }
}
