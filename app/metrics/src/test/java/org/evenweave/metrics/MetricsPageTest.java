package org.evenweave.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private static final Family STARTS = Family.counter("x_starts_total", "Starts", "kind");
  private static final Family FILL = Family.gauge("x_fill_ratio", "How full it is");
  private static final Timings WAITS =
      new Timings(Family.histogram("x_wait_seconds", "Waits", "stage"), 0.001, 1);

  private static final Source SOURCE =
      new Source() {
        @Override
        public List<Family> families() {
          return List.of(STARTS, FILL, WAITS.family());
        }

        @Override
        public void collect(Scrape scrape) {
          scrape.set(STARTS, 3, "cold \"one\"");
          scrape.set(FILL, 0.5);
          WAITS.collect(scrape);
        }
      };

  @Test
  void countersGaugesAndHistogramsAreInPrometheusText() {
    WAITS.observe("plan", 2_000_000);
    String text = text(null);
    assertTrue(text.contains("# TYPE x_starts_total counter\n"), text);
    assertTrue(text.contains("x_starts_total{kind=\"cold \\\"one\\\"\"} 3.0\n"), text);
    assertTrue(text.contains("x_fill_ratio 0.5\n"), text);
    assertTrue(text.contains("x_wait_seconds_bucket{stage=\"plan\",le=\"0.001\"} 0\n"), text);
    assertTrue(text.contains("x_wait_seconds_bucket{stage=\"plan\",le=\"1.0\"} 1\n"), text);
    assertTrue(text.contains("jvm_memory_used_bytes"), text);
  }

  @Test
  void openMetricsIsGivenToWhoAsksForIt() {
    String text = text("application/openmetrics-text; version=1.0.0,text/plain;q=0.5");
    assertTrue(text.endsWith("# EOF\n"), text);
    assertTrue(text.contains("# TYPE x_starts counter\n"), text);
    assertTrue(text("text/html,*/*").contains("# TYPE x_starts_total counter\n"));
  }

  private static String text(String accept) {
    return page(SOURCE).scrape(accept).text();
  }

  private static MetricsPage page(Source... sources) {
    return new MetricsPage(List.of(sources));
  }

  @Test
  void twoSourcesCannotExposeOneName() {
    assertThrows(IllegalArgumentException.class, () -> page(SOURCE, SOURCE));
  }

  @Test
  void aValueNeedsEachLabelAndACounterItsSuffix() {
    Scrape scrape = new Scrape();
    assertEquals(
        "x_starts_total has the labels [kind], not 0",
        assertThrows(IllegalArgumentException.class, () -> scrape.set(STARTS, 1)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Family.counter("x_starts", "Starts"));
  }
}
