package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JdkObsolete") // OSGi hands over a Dictionary
class PairShownTest {
  private final PairShown shown = new PairShown();

  private void set(String pair) {
    shown.read(new Hashtable<>(Map.of("pair", pair)));
  }

  private String pair() {
    return shown.selection().pair(List.of()).map(Selection.Pair::toString).orElse("none");
  }

  @Test
  void aPairThatCannotBeMeantLeavesTheOneBefore() {
    set("s1-0 s1-2");
    set("s1-0");
    assertEquals("s1-0 s1-2", pair());
    shown.read(new Hashtable<>());
    assertEquals("s1-0 s1-2", pair());
    set("off");
    assertTrue(shown.selection().isOff());
  }

  /** ONOS reads names, types and defaults from a file of its own. */
  @Test
  void theDefinitionForOnosIsTheComponents() throws IOException {
    try (InputStream file = PairShown.class.getResourceAsStream("PairShown.cfgdef")) {
      List<String> lines =
          new String(file.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .collect(Collectors.toList());
      assertEquals(1, lines.size());
      String[] fields = lines.get(0).split("\\|", -1);
      assertEquals(List.of("pair", "STRING", "auto"), List.of(fields[0], fields[1], fields[2]));
    }
  }
}
