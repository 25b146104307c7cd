package org.evenweave.sdd.policy;

import java.util.List;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.sharing.BandwidthTree;

/**
 * Rates by a {@link BandwidthTree} over what the classes want, which is twice what came since the
 * report before and all that waits: a class that may grow has room to, and none keeps what it does
 * not need.
 */
final class TreeRates implements RateRule {
  /** What a class with flows wants at least, of the capacity: a first packet must not wait long. */
  private static final long LEAST_PART = 100;

  private final long capacityBps;
  private final List<TrafficClass> classes;
  private final BandwidthTree tree;

  /** With the root, which is class 0 of the tree. */
  private final long[] wantedBps;

  private final long[] sharesBps;

  TreeRates(SharingConfig config) {
    capacityBps = config.capacityBps();
    classes = config.classes();
    tree = config.tree();
    wantedBps = new long[classes.size() + 1];
    sharesBps = new long[classes.size() + 1];
  }

  @Override
  public void rates(ClassReports reports, long elapsedNs, long[] ratesBps) {
    for (int c = 0; c < classes.size(); c++) {
      double bytes = 2.0 * reports.receivedBytes(c) + reports.queuedBytes(c);
      long measured = (long) Math.min((double) capacityBps, bytes * 8e9 / elapsedNs);
      wantedBps[c + 1] = Math.max(Math.max(1, capacityBps / LEAST_PART), measured);
    }
    tree.share(capacityBps, wantedBps, sharesBps);
    System.arraycopy(sharesBps, 1, ratesBps, 0, classes.size());
  }
}
