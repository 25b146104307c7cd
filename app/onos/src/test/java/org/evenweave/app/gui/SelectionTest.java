package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionTest {
  private static String group(String from, String to, String secondWeight) {
    return String.format(
        Locale.ROOT,
        "{'switch':'%s','destination':'%s','ports':[{'wanted':1},{'wanted':%s}]}",
        from,
        to,
        secondWeight);
  }

  private static String shown(String selection, String... groups) {
    return Selection.parse(selection)
        .pair(TestFabric.rows("[" + String.join(",", groups) + "]"))
        .map(Selection.Pair::toString)
        .orElse("none");
  }

  @Test
  void autoIsTheFirstPairOfEdgeSwitchesWithUnequalWeights() {
    assertEquals(
        "b a",
        shown(
            "auto",
            group("a", "b", "1"),
            group("spine", "a", "2"),
            group("b", "a", "1.5"),
            group("a", "c", "7")));
  }

  @Test
  void withEqualWeightsAutoIsTheFirstPair() {
    assertEquals("a b", shown("auto", group("spine", "a", "1"), group("a", "b", "1")));
    assertEquals("none", shown("auto"));
  }

  @Test
  void theChosenPairIsShownWhateverTheGroups() {
    assertEquals("x y", shown("  x   y ", group("a", "b", "2")));
  }

  @Test
  void offShowsNothing() {
    assertTrue(Selection.parse("off").isOff());
    assertEquals("none", shown("off", group("a", "b", "2")));
    assertFalse(Selection.parse("auto").isOff());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a a", "a b c", "AUTO"})
  void whatCannotBeMeantIsRefused(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Selection.parse(text)).getMessage();
    assertTrue(message.contains("not \"" + text + "\""), message);
  }

  @Test
  void namesAreEncodedInTheQuery() {
    assertEquals("paths?limit=10000&from=a%26b&to=c", new Selection.Pair("a&b", "c").pathsQuery());
    assertEquals(
        List.of("s1-0", "of:00000000000000ff"),
        List.of(
            TestFabric.map().switchId(TestFabric.LEFT),
            TestFabric.map().switchId("of:00000000000000ff")));
  }
}
