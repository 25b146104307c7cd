package org.evenweave.app.rest;

import java.util.List;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.Scrape;
import org.evenweave.metrics.Source;

/** The metrics of changes at switches that the application requested from ONOS. */
final class ChangeMetrics implements Source {
  private static final Family PENDING =
      Family.gauge(
          "evenweave_onos_changes_pending", "Batches of changes that no switch has confirmed yet");
  private static final Family DONE =
      Family.counter(
          "evenweave_onos_changes_total", "Batches of changes, by their outcome", "result");
  private static final Family UNREADABLE =
      Family.counter("evenweave_onos_read_failures_total", "Reads of switches that failed");

  private final PendingChanges changes;

  ChangeMetrics(PendingChanges changes) {
    this.changes = changes;
  }

  @Override
  public List<Family> families() {
    return List.of(PENDING, DONE, UNREADABLE);
  }

  @Override
  public void collect(Scrape scrape) {
    scrape.set(PENDING, changes.entries().size());
    scrape.set(DONE, changes.confirmations().getCount(), "confirmed");
    scrape.set(DONE, changes.refused().getCount(), "refused");
    scrape.set(DONE, changes.givenUp().getCount(), "timed-out");
    scrape.set(UNREADABLE, changes.unreadable().getCount());
  }
}
