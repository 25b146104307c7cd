package org.evenweave.standalone.log;

import java.util.List;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.Scrape;
import org.evenweave.metrics.Source;

/** The metrics of the log, which show whether it is complete. */
public final class LogMetrics implements Source {
  private static final Family WAITING =
      Family.gauge("evenweave_log_waiting_lines", "Log lines that wait to be written");
  private static final Family LOST =
      Family.counter(
          "evenweave_log_lost_lines_total",
          "Log lines that were not written: too many waited, or too many were of one kind",
          "reason");

  @Override
  public List<Family> families() {
    return List.of(WAITING, LOST);
  }

  @Override
  public void collect(Scrape scrape) {
    BoundedLog log = StandardErrorLog.queue();
    scrape.set(WAITING, log.waiting());
    scrape.set(LOST, log.dropped(), "dropped");
    scrape.set(LOST, log.suppressed(), "suppressed");
  }
}
