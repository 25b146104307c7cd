package org.evenweave.standalone.openflow;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sizes of a switch's tables before their content is read for the first time. A switch
 * need not say it. Used on the channel's event loop.
 */
final class LimitRequests {
  private static final Logger LOG = LoggerFactory.getLogger(LimitRequests.class);
  private static final OFFactory OF = OpenFlow13.FACTORY;

  /** Of the requests in progress. */
  private final Set<Long> xids = new HashSet<>();

  /**
   * @param freeXids numbers that no other request has
   */
  void send(LongSupplier freeXids, Consumer<OFMessage> channel) {
    long ofGroups = freeXids.getAsLong();
    long ofRules = freeXids.getAsLong();
    xids.add(ofGroups);
    xids.add(ofRules);
    channel.accept(OF.buildGroupFeaturesStatsRequest().setXid(ofGroups).build());
    channel.accept(OF.buildTableFeaturesStatsRequest().setXid(ofRules).build());
  }

  /** Whether a report answers one of them. */
  boolean areAnsweredBy(ReportedLimits report) {
    return report.hasMore() ? xids.contains(report.xid()) : xids.remove(report.xid());
  }

  /** Whether an error is the answer to one of them. */
  boolean tolerateError(String switchName, SwitchError error) {
    boolean isOfOne = xids.remove(error.xid());
    if (isOfOne) {
      LOG.debug("{}: does not say how much its tables hold: {}", switchName, error);
    }
    return isOfOne;
  }
}
