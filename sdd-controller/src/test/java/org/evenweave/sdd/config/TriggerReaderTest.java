package org.evenweave.sdd.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggerReaderTest {
  private static final String NEVER_TO_B = "'when': 'TRUE', 'until': 'Q[to:b].bytes > 1'";
  private static final long CRC_OF_T = 2238339752L;

  private static SddConfig config(String scheduler, String triggers) throws SddConfigException {
    String json =
        "{'hosts': ['a', 'b'], 'scheduler': '"
            + scheduler
            + "', 'sharing': {'classes': [{'name': 'all'},"
            + "{'name': 'web', 'in': 'all', 'flows': [{}]}]}, 'triggers': "
            + triggers
            + "}";
    return SddConfigReader.read(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Path.of("/"));
  }

  @Test
  void whoIsNotNamedWatchesButNotItsOwnQueue() throws Exception {
    SddConfig config =
        config(
            "solstice",
            "[{'name': 't', 'queue': 'packet', 'when': 'TRUE'},"
                + "{'name': 'u', 'queue': 'to:b', 'when': 'Q[class:web].bytes > bytes',"
                + "'actions': [{'action': 'close', 'queue': 'class:all'}]}]");
    List<Trigger> triggers = config.triggers().triggers();
    assertEquals(List.of("a", "b"), triggers.get(0).hosts());
    assertEquals(List.of("a"), triggers.get(1).hosts());
    assertEquals("Q[3].bytes > bytes", triggers.get(1).when().text(name -> 3));
    assertFalse(triggers.get(1).tellsApplications());
  }

  /** As it watches no queue to itself. */
  @Test
  void whoIsNotNamedWatchesNoConditionOnAQueueToItself() throws Exception {
    for (String condition : new String[] {"'when': 'Q[to:b].bytes > 1'", NEVER_TO_B}) {
      String trigger = "[{'name': 't', 'queue': 'packet', " + condition + "}]";
      assertEquals(List.of("a"), config("solstice", trigger).triggers().triggers().get(0).hosts());
    }
  }

  @Test
  void applicationsTellTriggersApartByTheirNames() throws Exception {
    String trigger = "[{'name': 't', 'queue': 'packet', 'when': 'TRUE', 'applications': true}]";
    Trigger read = config("solstice", trigger).triggers().triggers().get(0);
    assertTrue(read.tellsApplications());
    // As zlib.crc32(b"t") has it.
    assertEquals(CRC_OF_T, read.applicationCookie());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | name: is missing",
        "{'name': 't', 'queue': 'web', 'when': 'TRUE'}"
            + " | queue: must be packet, to:HOST or class:NAME, not \"web\"",
        "{'name': 't', 'queue': 'to:c', 'when': 'TRUE'} | queue: there is no host \"c\"",
        "{'name': 't', 'queue': 'class:c', 'when': 'TRUE'}"
            + " | queue: there is no class \"c\" in sharing",
        "{'name': 't', 'queue': 'class:all', 'when': 'TRUE'}"
            + " | queue: class \"all\" has classes in it, and so no queue",
        "{'name': 't', 'queue': 'to:b', 'hosts': ['a', 'b'], 'when': 'TRUE'}"
            + " | hosts: \"b\" has no queue to itself",
        "{'name': 't', 'queue': 'packet', 'hosts': ['c'], 'when': 'TRUE'}"
            + " | hosts: there is no host \"c\"",
        "{'name': 't', 'queue': 'packet', 'hosts': ['a', 'a'], 'when': 'TRUE'}"
            + " | hosts: \"a\" occurs twice",
        "{'name': 't', 'queue': 'packet', 'when': 'bytes > '}"
            + " | when: at byte 8: a number, a variable, TRUE, FALSE or \"(\" must stand here",
        "{'name': 't', 'queue': 'packet', 'when': 'TRUE', 'until': 'Q[7].bytes > 1'}"
            + " | until: at byte 2: packet, to:HOST or class:NAME must stand here",
        "{'name': 't', 'queue': 'packet', 'when': 'Q[to:c].bytes > 1'}"
            + " | when: at byte 2: there is no host \"c\"",
        "{'name': 't', 'queue': 'packet', 'hosts': ['a', 'b'], 'when': 'Q[to:b].bytes > 1'}"
            + " | when: at byte 2: \"b\" has no queue to itself",
        "{'name': 't', 'queue': 'packet', 'hosts': ['b'], 'when': 'TRUE',"
            + " 'until': 'packets > 1 OR Q[to:b].bytes > 1'}"
            + " | until: at byte 17: \"b\" has no queue to itself",
        "{'name': 't', 'queue': 'packet', 'when': 'TRUE', 'applications': 1}"
            + " | applications: must be true or false, not 1",
        "{'name': 't', 'queue': 'packet', 'when': 'TRUE',"
            + " 'actions': [{'action': 'close', 'queue': 'packet'}]}"
            + " | actions[0].queue: packet stays open: act on a class",
        "{'name': 't', 'queue': 'packet', 'when': 'TRUE',"
            + " 'actions': [{'action': 'ceiling', 'queue': 'class:web'}]}"
            + " | actions[0].ceilingBps: is needed",
        "{'name': 't', 'queue': 'packet', 'when': 'TRUE',"
            + " 'actions': [{'action': 'open', 'queue': 'class:web', 'ceilingBps': 7}]}"
            + " | actions[0].ceilingBps: is for the action ceiling",
        "{'name': 't', 'queue': 'packet', 'when': 'TRUE',"
            + " 'actions': [{'action': 'ceiling', 'queue': 'to:b', 'ceilingBps': 7}]}"
            + " | actions[0].queue: a ceiling is for a class",
        "{'name': 't', 'queue': 'packet', 'hosts': ['b'], 'when': 'TRUE',"
            + " 'actions': [{'action': 'close', 'queue': 'to:b'}]}"
            + " | actions[0].queue: \"b\" has no queue to itself",
      })
  void whatCannotBeMeantIsRefusedWithItsPath(String trigger, String message) {
    SddConfigException e =
        assertThrows(SddConfigException.class, () -> config("solstice", "[" + trigger + "]"));
    assertEquals("triggers[0]." + message, e.getMessage());
  }

  @Test
  void aTriggerThatNoHostCanWatchIsRefused() {
    assertEquals(
        "triggers[0]: no host has all the queues that it names",
        assertThrows(
                SddConfigException.class,
                () ->
                    config(
                        "solstice",
                        "[{'name': 't', 'queue': 'to:a', 'when': 'Q[to:b].bytes > bytes'}]"))
            .getMessage());
  }

  @Test
  void namesDifferAndSchedulersThatIgnoreDemandHoldNoPair() {
    String trigger = "{'name': 't', 'queue': 'packet', 'when': 'TRUE'}";
    assertEquals(
        "triggers[1].name: \"t\" occurs twice",
        assertThrows(
                SddConfigException.class,
                () -> config("solstice", "[" + trigger + "," + trigger + "]"))
            .getMessage());
    String closing = trigger.replace("}", ", 'actions': [{'action': 'close', 'queue': 'to:b'}]}");
    assertEquals(
        "triggers[0].actions[0].queue: the scheduler assigns circuits regardless of demand",
        assertThrows(SddConfigException.class, () -> config("tdma", "[" + closing + "]"))
            .getMessage());
  }
}
