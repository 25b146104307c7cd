package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.metrics.MetricsResource;
import org.junit.jupiter.api.Test;

class ChangeMetricsTest {
  private static final Path PAGE = Path.of("../../docs/reference/metrics.md");

  private final ChangeMetrics source = new ChangeMetrics(new PendingChanges());

  @Test
  void theLeadersMetricsAreServedOnOnossJersey() {
    ResourceDispatcher dispatcher =
        new ResourceDispatcher(java.util.Set.of(new MetricsResource(List.of(source))));
    RestResponse response = dispatcher.handle(RestRequest.get("metrics"));
    assertEquals(200, response.status());
    assertEquals(
        "text/plain; version=0.0.4; charset=utf-8", response.headers().get("Content-Type"));
    assertTrue(
        response.text().contains("evenweave_onos_changes_total{result=\"refused\"} 0.0\n"),
        response.text());
  }

  @Test
  void eachMetricIsDocumented() throws Exception {
    List<String> documented =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `evenweave_onos_"))
            .map(line -> line.split("`", 0)[1])
            .collect(Collectors.toList());
    assertEquals(
        source.families().stream().map(family -> family.name()).collect(Collectors.toList()),
        documented);
  }
}
