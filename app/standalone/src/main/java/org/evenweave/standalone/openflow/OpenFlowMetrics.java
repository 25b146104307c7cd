package org.evenweave.standalone.openflow;

import java.util.List;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.Scrape;
import org.evenweave.metrics.Source;

/** The metrics of the switches' OpenFlow connections. */
final class OpenFlowMetrics implements Source {
  private static final Family SESSIONS =
      Family.gauge(
          "evenweave_openflow_sessions",
          "OpenFlow connections, by whether this controller is the switch's master",
          "master");
  private static final Family UNKNOWN =
      Family.gauge(
          "evenweave_openflow_unknown_messages",
          "Messages of unknown kinds that the connected switches have sent");

  private final Datapaths datapaths;

  OpenFlowMetrics(Datapaths datapaths) {
    this.datapaths = datapaths;
  }

  @Override
  public List<Family> families() {
    return List.of(SESSIONS, UNKNOWN);
  }

  @Override
  public void collect(Scrape scrape) {
    int masters = 0;
    int others = 0;
    long unknown = 0;
    for (SwitchConnection connection : datapaths.all()) {
      masters += connection.isMaster() ? 1 : 0;
      others += connection.isMaster() ? 0 : 1;
      unknown += connection.foreignMessages().values().stream().mapToLong(Number::longValue).sum();
    }
    scrape.set(SESSIONS, masters, "true");
    scrape.set(SESSIONS, others, "false");
    scrape.set(UNKNOWN, unknown);
  }
}
