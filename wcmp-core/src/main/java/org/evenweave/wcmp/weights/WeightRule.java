package org.evenweave.wcmp.weights;

import org.evenweave.wcmp.fabric.Fabric;

/** A rule that gives every switch its next hops and ideal weights towards one destination. */
public enum WeightRule {
  /** Equal-cost multipath: every shortest-path port the same weight (RFC 2992). */
  EQUAL("ecmp") {
    @Override
    public DestinationRoutes routes(Fabric fabric, int destination) {
      return new RoutesBuilder(fabric, destination).equal();
    }
  },

  /** WCMP: every shortest-path port weighs what the path behind it can carry. */
  EFFECTIVE_CAPACITY("wcmp") {
    @Override
    public DestinationRoutes routes(Fabric fabric, int destination) {
      return new RoutesBuilder(fabric, destination).effectiveCapacity();
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
   * Routes from every switch to {@code destination} over the shortest-path graph.
   *
   * @param destination a switch number of {@code fabric}
   */
  public abstract DestinationRoutes routes(Fabric fabric, int destination);
}
