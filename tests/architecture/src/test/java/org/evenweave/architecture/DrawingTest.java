package org.evenweave.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

@AnalyzeClasses(locations = CompiledModules.class)
class DrawingTest {
  /**
   * Of nodes, arrows and the border around the engine; other groups of lines have other classes.
   */
  private static final Pattern DRAWN =
      Pattern.compile("<g id=\"([^\"]*)\" class=\"(?:node|edge|cluster)\">");

  /** Where boxes and lines lie is Graphviz's choice, and may differ between its releases. */
  @ArchTest
  static void theDrawingShowsThePresentDependencies(JavaClasses classes) throws IOException {
    SortedSet<String> present = new TreeSet<>();
    new Drawing(CompiledModules.read(), classes)
        .arrows()
        .forEach(
            (from, targets) -> {
              present.add(from);
              targets.forEach(to -> present.add(from + " -> " + to));
            });
    SortedSet<String> drawn = new TreeSet<>();
    Matcher ids = DRAWN.matcher(Files.readString(CompiledModules.ROOT.resolve(Drawing.FILE)));
    while (ids.find()) {
      drawn.add(ids.group(1).replace("&#45;", "-").replace("&gt;", ">"));
    }
    assertEquals(
        String.join("\n", present),
        String.join("\n", drawn),
        "docs/architecture.svg is outdated; run ./evenweave draw");
  }
}
