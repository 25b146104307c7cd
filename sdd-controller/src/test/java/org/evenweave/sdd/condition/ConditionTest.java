package org.evenweave.sdd.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConditionTest {
  /** libsdd's tests read them too. */
  private static final Path VECTORS = Path.of("../host/libsdd/vectors/conditions.txt");

  /** What libsdd takes between the brackets. */
  private static String problem(String name) {
    boolean isNumber = name.matches("[0-9]{1,5}") && Integer.parseInt(name) < 65_535;
    return isNumber ? null : "a queue's number, 0 to 65534, must stand here";
  }

  private static String answer(String text) {
    try {
      Condition.parse(text, ConditionTest::problem);
      return "ok\t" + text;
    } catch (ConditionException e) {
      return e.position() + "\t" + text + "\t" + e.getMessage();
    }
  }

  @Test
  void theSameTextsAreTakenAndRefusedAsInHosts() throws Exception {
    for (String line : Files.readAllLines(VECTORS)) {
      assertEquals(line, answer(line.split("\t", -1)[1]));
    }
  }

  @Test
  void queuesAreNamedAndNumberedForAHost() throws Exception {
    Condition condition = Condition.parse("Q[ web ].bytes+bytes>Q[to:a].packets", name -> null);
    Map<String, Integer> numbers = Map.of("web", 7, "to:a", 12);
    assertEquals("Q[7].bytes+bytes>Q[12].packets", condition.text(numbers::get));
    assertEquals("Q[ web ].bytes+bytes>Q[to:a].packets", condition.text());
  }

  @Test
  void aNameThatNobodyKnowsIsWrongWhereItStands() {
    ConditionException e =
        assertThrows(
            ConditionException.class,
            () -> Condition.parse("bytes > Q[x].bytes", name -> "there is no " + name));
    assertEquals("10 there is no x", e.position() + " " + e.getMessage());
  }

  @Test
  void aConditionIsNoLongerThanTheProtocolCarries() {
    String blanks = " ".repeat(4_093);
    assertEquals("ok\tTRUE", answer("TRUE"));
    ConditionException e =
        assertThrows(ConditionException.class, () -> Condition.parse("TRUE" + blanks, n -> null));
    assertEquals("a condition has at most 4096 bytes", e.getMessage());
  }
}
