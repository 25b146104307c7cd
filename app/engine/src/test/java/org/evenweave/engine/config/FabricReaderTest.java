package org.evenweave.engine.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.evenweave.wcmp.fabric.FabricException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricReaderTest {
  private static final String GOOD =
      "{\"switches\":[{\"id\":\"a\",\"dpid\":\"00000000000000a1\",\"stage\":1,\"table\":512},"
          + "{\"id\":\"b\",\"stage\":2}],"
          + "\"links\":[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":10000000000}],"
          + "\"subnets\":[{\"switch\":\"a\",\"prefix\":\"10.0.0.0/24\"}]}";

  @Test
  void readsAFabric() {
    EngineConfig config = FabricReader.parse(GOOD);
    assertEquals("2 switches, 1 links, 1 subnets", config.intended().toString());
    assertEquals(512, config.intended().tableEntries(0));
    assertEquals("a", config.switchIdOf(0xa1));
    assertEquals("of:00000000000000a2", config.switchIdOf(0xa2));
  }

  /** One fault each: what is replaced in the good text, by what, and how the error must begin. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"stage\":1 | \"stage\":\"1\" | switches[0].stage: must be a whole number",
        "\"stage\":1 | \"stage\":1.5 | switches[0].stage: must be a whole number",
        "\"stage\":1 | \"stage\":0 | switches[0].stage: must be at least 1",
        "\"stage\":1 | \"stage\":3000000000 | switches[0].stage: must be at most",
        "\"stage\":1, | `` | switches[0].stage: is missing",
        "\"stage\":1 | \"stage\":1,\"colour\":3 | switches[0].colour: unknown field",
        "\"table\":512 | \"table\":-1 | switches[0].table: must be at least 1",
        "00000000000000a1 | a1 | switches[0].dpid: must be 16 hex digits",
        "\"id\":\"b\" | \"id\":\"b\",\"dpid\":\"00000000000000a1\" | switches[1].dpid: 00000000000000a1",
        "\"id\":\"b\" | \"id\":7 | switches[1].id: must be a string",
        "\"b\":\"b/1\" | \"b\":\"c/1\" | links[0].b: no switch \"c\" in switches",
        "10000000000 | -10 | links[0].bps: must be a positive number",
        "10000000000 | -99999999999 | links[0].bps: must be positive",
        "10000000000 | 1e400 | links[0].bps: must be a whole number",
        "10000000000 | 99999999999999999999 | links[0].bps: must be at most",
        "10.0.0.0/24 | 10.0.0.1/24 | subnets[0].prefix: 10.0.0.1/24 has host bits set",
        "10.0.0.0/24 | ten | subnets[0].prefix: \"ten\" is not an IPv4 prefix",
        "\"switch\":\"a\" | \"switch\":\"z\" | subnets[0].switch: no switch \"z\"",
        "\"links\" | \"link\" | fabric.link: unknown field",
        "[{\"switch\" | [7,{\"switch\" | subnets[0]: must be an object",
        "}]} | }]}} | fabric: is not JSON",
        "\"switches\":[ | \"switches\":{ | fabric: is not JSON",
        "\"stage\":1 | \"stage\":1,\"stage\":1 | fabric: is not JSON: Duplicate field",
      })
  void namesTheFieldThatIsWrong(String good, String bad, String start) {
    assertTrue(GOOD.contains(good), good);
    String broken = GOOD.replaceFirst(Pattern.quote(good), bad == null ? "" : bad);
    String message =
        assertThrows(FabricException.class, () -> FabricReader.parse(broken)).getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Property
  void onlyTheDeclaredErrorEscapesWhateverTheText(
      @ForAll @IntRange(max = 400) int from,
      @ForAll @IntRange(max = 40) int length,
      @ForAll @StringLength(max = 20) String replacement) {
    int start = Math.min(from, GOOD.length());
    String mutated =
        GOOD.substring(0, start)
            + replacement
            + GOOD.substring(Math.min(start + length, GOOD.length()));
    try {
      assertTrue(FabricReader.parse(mutated).intended().switchCount() >= 0);
    } catch (FabricException e) {
      assertTrue(e.getMessage().startsWith(e.path()));
    }
  }
}
