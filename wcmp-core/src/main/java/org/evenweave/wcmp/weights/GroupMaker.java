package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * Builds the group of one switch after another: its member links are added, then the rule assigns
 * weights. Equal groups are reused. Not thread-safe.
 */
final class GroupMaker {
  private final WeightRule rule;
  private final GroupPool pool = new GroupPool();

  private int[] arcs = new int[64];
  private long[] capacityBps = new long[64];
  private long[] bundleBps = new long[64];
  private long[] throughBps = new long[64];
  private long[] weights = new long[64];
  private int count;
  private long effectiveBps;

  GroupMaker(WeightRule rule) {
    this.rule = rule;
  }

  void start() {
    count = 0;
    effectiveBps = 0;
  }

  /**
   * @param i the arc, by its index in {@code links}, after those with lower indices
   * @param nextEffectiveBps what the switch it leads to can carry on, positive
   */
  void add(Bundles links, int i, long nextEffectiveBps) {
    if (count == arcs.length) {
      grow();
    }
    long through = Math.min(links.bundleBpsOfArc[i], nextEffectiveBps);
    arcs[count] = links.arcs[i];
    capacityBps[count] = links.capacityBpsOfArc[i];
    bundleBps[count] = links.bundleBpsOfArc[i];
    throughBps[count] = through;
    count++;
    if (links.isFirstOfBundle(i)) {
      effectiveBps = Bundles.saturatedSum(effectiveBps, through);
    }
  }

  private void grow() {
    arcs = Arrays.copyOf(arcs, 2 * count);
    capacityBps = Arrays.copyOf(capacityBps, 2 * count);
    bundleBps = Arrays.copyOf(bundleBps, 2 * count);
    throughBps = Arrays.copyOf(throughBps, 2 * count);
    weights = new long[2 * count];
  }

  /**
   * The group of the links added since the start.
   *
   * @param guess a group that may turn out to be the same, and is then returned; or null
   */
  IdealGroup group(IdealGroup guess) {
    long effective = rule.effectiveBps(effectiveBps);
    rule.weigh(count, capacityBps, bundleBps, throughBps, weights);
    return guess != null
            && guess.effectiveBps() == effective
            && guess.consistsOf(arcs, weights, count)
        ? guess
        : pool.groupOf(arcs, weights, count, effective);
  }
}
