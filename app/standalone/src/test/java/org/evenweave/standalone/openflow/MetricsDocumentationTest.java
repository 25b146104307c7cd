package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.fake.ConvergedEngine;
import org.evenweave.engine.metrics.EngineMetrics;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.Source;
import org.evenweave.sdd.metrics.SddMetrics;
import org.evenweave.standalone.log.LogMetrics;
import org.junit.jupiter.api.Test;

/** The page on metrics against what the embedded runtime can expose. */
class MetricsDocumentationTest extends ConvergedEngine {
  private static final Path PAGE = Path.of("../../docs/reference/metrics.md");

  /** Of other programs, whose tests compare them. */
  private static final String OF_OTHERS = "\\| `evenweave_(onos|edge)_.*";

  private static String row(Family family) {
    String labels =
        family.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
    return String.format(
            "| `%s` | %s | %s | %s |", family.name(), family.type().text(), labels, family.help())
        .replace("|  |", "| |");
  }

  @Test
  void everyMetricIsDocumentedAndEveryDocumentedMetricExists() throws Exception {
    List<Source> sources =
        List.of(
            new EngineMetrics(engine),
            new OpenFlowMetrics(null),
            new LogMetrics(),
            new SddMetrics(null));
    String exposed =
        sources.stream()
            .flatMap(source -> source.families().stream())
            .map(MetricsDocumentationTest::row)
            .collect(Collectors.joining("\n"));
    String documented =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `evenweave_") && !line.matches(OF_OTHERS))
            .collect(Collectors.joining("\n"));
    assertEquals(exposed, documented);
  }
}
