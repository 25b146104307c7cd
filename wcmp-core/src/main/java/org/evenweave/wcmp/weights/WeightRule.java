package org.evenweave.wcmp.weights;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * A rule that gives every switch its next hops and ideal weights towards one destination. {@code
 * tests/tables.py} writes its name, description and price into schemas and pages.
 */
public enum WeightRule {
  /** {@link #EFFECTIVE_CAPACITY} or {@link #MAXIMUM_FLOW}, as {@link AutomaticChoice} has it. */
  AUTOMATIC(
      "auto",
      "wcmp where switches with prefixes are at most two links apart, and in very large fabrics;"
          + " elsewhere maxflow",
      "that of wcmp or maxflow; events do not wait for maximum flows"),

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
  EFFECTIVE_CAPACITY(
      "wcmp",
      "weights by the effective capacity of the shortest paths behind each next hop",
      "computed in O(links) for each class of equivalent destinations; an event costs what it"
          + " changes"),

  /**
   * Maximum concurrent flow: towards each destination, the weights with which all sources can send
   * most at once, the same amount each, on shortest paths.
   *
   * <p>The sources are the switches with prefixes (in a fabric without any, the S1 switches), and
   * each counts the same, however many prefixes or uplinks it has: what a switch that lost half of
   * its uplinks can send is decided by these, and by no other switch's weights. Of the flows that
   * let the sources send most, it is the one of {@link BalancedFlow}, which loads the links most
   * evenly, so that sources behind no bottleneck get the best splits too. Next hops that share a
   * bottleneck further on get one share of it between them, where {@link #EFFECTIVE_CAPACITY} gives
   * each a whole one. A next hop that only harms gets nothing, and is no member.
   *
   * <p>It is exact when sources send to one destination at a time; a single pair alone, or all
   * pairs together, may do better with other weights, though seldom by much.
   *
   * <p><b>Cost.</b> One {@link DestinationFlow} for each class of equivalent destinations: O(links
   * x log degree) for each round of its colours, and a few maximum flows between these. An event
   * costs that for each class whose shortest paths have a link that changed, in most fabrics all.
   */
  MAXIMUM_FLOW(
      "maxflow",
      "weights by a maximum concurrent flow of all sources to each destination, on shortest paths;"
          + " next hops that share a bottleneck further on share its weight",
      "a few maximum flows at every event, for each class of equivalent destinations") {
    @Override
    boolean isByFlow() {
      return true;
    }
  },

  /**
   * Maximum flow of each pair: to a destination the weights of {@link #EFFECTIVE_CAPACITY}, and
   * beside them, for single sources, the groups of {@link PairTable}.
   */
  PAIR(
      "pair",
      "wcmp's weights, and where a source's maximum flow to a destination on shortest paths asks"
          + " for others, groups and rules for that pair",
      "a maximum flow for each pair of switches on whose shortest paths a link changed; a rule for"
          + " each pair of prefixes on every switch where its weights differ from wcmp's") {
    @Override
    public boolean isByPair() {
      return true;
    }
  },

  /**
   * Weights for the traffic matrix, where somebody measures and plans it; from the topology alone
   * they are those of {@link #EFFECTIVE_CAPACITY}, from which the others are hedged.
   */
  TRAFFIC(
      "traffic",
      "weights for the traffic matrix as measured, hedged: at most 1.5 times wcmp's share for any"
          + " next hop, or maxflow's where these are better; wcmp's until it is measured",
      "linear programs of all pairs whenever the matrix changes, seconds for dozens of switches,"
          + " beside the events; tables compiled whole at each event, and a group for each"
          + " destination"),

  /** Equal-cost multipath: every shortest-path port the same weight (RFC 2992). */
  EQUAL(
      "ecmp",
      "equal weights on all shortest paths",
      "computed in O(links) for each class of equivalent destinations; an event costs what it"
          + " changes") {
    @Override
    void weigh(int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
      Arrays.fill(weights, 0, count, 1);
    }

    @Override
    long effectiveBps(long throughBps) {
      return Long.MAX_VALUE;
    }
  };

  private final String strategyName;
  private final String description;
  private final String price;

  WeightRule(String strategyName, String description, String price) {
    this.strategyName = strategyName;
    this.description = description;
    this.price = price;
  }

  /** What operators get where they do not say. */
  public static final WeightRule DEFAULT = AUTOMATIC;

  /** What operators call it: {@code wcmp} for example. */
  public String strategyName() {
    return strategyName;
  }

  /** What it weighs by, in one line. */
  public String description() {
    return description;
  }

  /** What computing it takes, in one line. */
  public String price() {
    return price;
  }

  /** The operators' names of all rules. */
  public static List<String> strategyNames() {
    return Arrays.stream(values()).map(WeightRule::strategyName).collect(Collectors.toList());
  }

  /** The rule that operators call by this name. */
  public static WeightRule named(String strategyName) {
    for (WeightRule rule : values()) {
      if (rule.strategyName.equals(strategyName)) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        "strategy: must be "
            + String.join(", ", strategyNames()).replaceFirst(", ([^,]*)$", " or $1")
            + ", not \""
            + strategyName
            + "\"");
  }

  /** The rule that weighs in a fabric: for {@link #AUTOMATIC} its choice there, else this one. */
  public WeightRule in(Fabric fabric) {
    return this == AUTOMATIC ? AutomaticChoice.of(fabric).rule() : this;
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
   * Whether a switch's weights depend on all that flows through it. What {@link #weigh} says is
   * then for switches that no flow passes.
   */
  boolean isByFlow() {
    return false;
  }

  /** Whether pairs of switches may have groups beside those of their destinations. */
  public boolean isByPair() {
    return false;
  }

  /**
   * Weighs the member links of one switch; by effective capacity if a rule does not say otherwise.
   *
   * @param count how many there are; the arrays may be longer
   * @param capacityBps capacity of each link
   * @param bundleBps capacity of all links to the same next hop
   * @param throughBps min(bundle, what the next hop can carry on)
   * @param weights where the weights go: positive, without a common divisor
   */
  void weigh(int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
    IdealWeights.weigh(count, capacityBps, bundleBps, throughBps, weights);
  }

  /**
   * What a switch counts for at those before it.
   *
   * @param throughBps what all its next hops together can carry on
   */
  long effectiveBps(long throughBps) {
    return throughBps;
  }
}
