package org.evenweave.wcmp.weights;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/** A rule that gives every switch its next hops and ideal weights towards one destination. */
public enum WeightRule {
  /** Equal-cost multipath: every shortest-path port the same weight (RFC 2992). */
  EQUAL("ecmp") {
    @Override
    void weigh(int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
      Arrays.fill(weights, 0, count, 1);
    }

    @Override
    long effectiveBps(long throughBps) {
      return Long.MAX_VALUE;
    }
  },

  /**
   * WCMP: every shortest-path port weighs what the path behind it can carry.
   *
   * <p><b>Effective capacity.</b> The paper weighs an uplink by its effective capacity, 1 or
   * p/(p+1): where a switch has p+1 uplinks to an S2 switch that has only p downlinks to the
   * destination, each uplink can use p/(p+1) of its rate (Tewari 2015, section 3.4.2). Stated for
   * any number of links, capacities and stages: let C(v,k) be the capacity of all links from v to
   * its next hop k together, and e(k) what k can carry on towards the destination. Then
   *
   * <pre>
   *   e(destination) = infinite,   e(v) = sum over next hops k of min(C(v,k), e(k)),
   *   weight of a link of capacity c from v to k = c * min(1, e(k) / C(v,k)).
   * </pre>
   *
   * <p>In a two-stage Clos this is the paper's rule: e(k) is k's downlink capacity. On any graph it
   * depends only on switches nearer to the destination, so one pass, nearest first, computes it in
   * O(links). It is exact when no two next hops of a switch share a bottleneck further down; where
   * they do, it sees each of them as if alone.
   */
  EFFECTIVE_CAPACITY("wcmp") {
    @Override
    void weigh(int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
      IdealWeights.weigh(count, capacityBps, bundleBps, throughBps, weights);
    }

    @Override
    long effectiveBps(long throughBps) {
      return throughBps;
    }
  };

  private final String strategyName;

  WeightRule(String strategyName) {
    this.strategyName = strategyName;
  }

  /** What operators call it: {@code ecmp} or {@code wcmp}. */
  public String strategyName() {
    return strategyName;
  }

  /** The rule that operators call by this name. */
  public static WeightRule named(String strategyName) {
    for (WeightRule rule : values()) {
      if (rule.strategyName.equals(strategyName)) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        "strategy: must be wcmp or ecmp, not \"" + strategyName + "\"");
  }

  /**
   * Routes from every switch to {@code destination} over the shortest-path graph. For many
   * destinations of one fabric, {@link RoutesTable} is faster.
   *
   * @param destination a switch number of {@code fabric}
   */
  public DestinationRoutes routes(Fabric fabric, int destination) {
    return RoutesTable.compute(fabric, this, destination).to(destination);
  }

  /**
   * Weighs the member links of one switch.
   *
   * @param count how many there are; the arrays may be longer
   * @param capacityBps capacity of each link
   * @param bundleBps capacity of all links to the same next hop
   * @param throughBps min(bundle, what the next hop can carry on)
   * @param weights where the weights go: positive, without a common divisor
   */
  abstract void weigh(
      int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights);

  /**
   * What a switch counts for at those before it.
   *
   * @param throughBps what all its next hops together can carry on
   */
  abstract long effectiveBps(long throughBps);
}
