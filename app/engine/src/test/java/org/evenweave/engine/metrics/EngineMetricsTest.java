package org.evenweave.engine.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.fake.ConvergedEngine;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.MetricsPage;
import org.junit.jupiter.api.Test;

class EngineMetricsTest extends ConvergedEngine {
  private final EngineMetrics source = new EngineMetrics(engine);
  private final MetricsPage page = new MetricsPage(List.of(source));

  private String scrape() {
    return page.scrape(null).text();
  }

  /** The value of a series by its name and labels as in the text. */
  private double value(String series) {
    for (String line : scrape().split("\n", 0)) {
      if (line.startsWith(series + " ")) {
        return Double.parseDouble(line.substring(series.length() + 1));
      }
    }
    throw new AssertionError("no " + series + " in\n" + scrape());
  }

  @Test
  void theFabricsStateAndSizeAreExposed() {
    assertEquals(1, value("evenweave_fabric_state{state=\"converged\"}"));
    assertEquals(0, value("evenweave_fabric_state{state=\"degraded\"}"));
    assertEquals(6, value("evenweave_switches"));
    assertEquals(12, value("evenweave_links"));
    assertEquals(6, value("evenweave_groups"));
    assertEquals(1, value("evenweave_switch_connected{switch=\"s1-0\"}"));
    assertEquals(256, value("evenweave_switch_table_used{kind=\"entries\",switch=\"s1-0\"}"));
    assertEquals(1, value("evenweave_switch_table_used{kind=\"groups\",switch=\"s1-0\"}"));
    assertTrue(value("evenweave_switch_oversubscription_ratio{switch=\"s1-0\"}") > 1);
    assertFalse(scrape().contains("table_limit"), "no table of this fabric is limited");
  }

  @Test
  void aCutLinkIsCountedWithTheTimeUntilItWasConfirmed() {
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    assertEquals(1, value("evenweave_events_total{kind=\"link-down\"}"));
    assertEquals(1, value("evenweave_events_confirmed_total{kind=\"link-down\"}"));
    assertEquals(1, value("evenweave_event_confirmation_seconds_count{kind=\"link-down\"}"));
    assertEquals(1, value("evenweave_links_missing"));
    assertEquals(1, value("evenweave_fabric_state{state=\"degraded\"}"));
    assertTrue(value("evenweave_plans_confirmed_total") >= 1);
    assertTrue(value("evenweave_groups_changed_total") > 0);
    double sum = value("evenweave_plan_stage_seconds_sum{stage=\"rounds\"}");
    assertTrue(sum > 0 && sum <= 1, "in virtual time: " + sum);
  }

  @Test
  void aRefusalIsARetry() {
    network.refuseNext("s1-0", 1);
    network.cut(0);
    loop.runFor(5 * SECOND_NANOS);
    assertEquals(1, value("evenweave_plan_retries_total"));
    assertEquals(1, value("evenweave_events_total{kind=\"refused\"}"));
  }

  @Test
  void aSwitchThatIsGoneIsNotConnected() {
    network.disconnect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertEquals(0, value("evenweave_switch_connected{switch=\"s2-1\"}"));
    assertEquals(1, value("evenweave_switches_missing"));
  }

  @Test
  void nothingIsExposedThatIsNotListedAndNoSeriesIsPerLinkOrHost() {
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    Set<String> listed = new TreeSet<>();
    source.families().forEach(family -> listed.add(family.name()));
    Set<String> perSwitch = new TreeSet<>();
    for (Family family : source.families()) {
      if (family.labels().contains("switch")) {
        perSwitch.add(family.name());
      }
      assertFalse(family.labels().contains("link"), family.name());
      assertFalse(family.labels().contains("host"), family.name());
      assertFalse(family.labels().contains("port"), family.name());
    }
    for (String line : scrape().split("\n", 0)) {
      if (line.startsWith("# TYPE evenweave_")) {
        assertTrue(listed.contains(line.split(" ", 0)[2]), line);
      }
    }
    assertEquals(4, perSwitch.size(), "docs/reference/metrics.md counts series by these");
  }
}
