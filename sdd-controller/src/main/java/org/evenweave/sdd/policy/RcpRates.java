package org.evenweave.sdd.policy;

import java.util.List;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.rate.RcpLink;

/**
 * One rate for all classes, found as RCP finds that of flows: it rises while they send less than
 * the capacity together. Needs no demand and knows no weights; guarantees and ceilings hold.
 */
final class RcpRates implements RateRule {
  private final List<TrafficClass> classes;
  private final RcpLink link;

  /** A rate acts on what the next report but one says. */
  private final long roundTripNs;

  RcpRates(SharingConfig config, long periodNs) {
    classes = config.classes();
    link = new RcpLink(config.capacityBps());
    roundTripNs = 2 * periodNs;
  }

  @Override
  public void rates(ClassReports reports, long elapsedNs, long[] ratesBps) {
    long intervalNs = Math.min(elapsedNs, roundTripNs);
    long arrivedBytes = (long) (reports.sentBytes() * ((double) intervalNs / elapsedNs));
    // Nothing waits behind the limits, as what is sent fits the capacity.
    link.update(intervalNs, arrivedBytes, 0, roundTripNs);
    for (int c = 0; c < classes.size(); c++) {
      TrafficClass each = classes.get(c);
      ratesBps[c] = Math.min(Math.max(link.rateBps(), each.guaranteedBps()), each.ceilingBps());
    }
  }
}
