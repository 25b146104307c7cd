package org.evenweave.engine.forwarding;

/**
 * What it costs in shares that destinations of a switch share groups, apart from any other limit.
 * Immutable.
 */
public final class SharingCost {
  /** Each set of next hops and weights has a group of its own. */
  static final SharingCost NONE = new SharingCost(1, 1);

  private final double oversubscription;
  private final double leastOversubscription;

  SharingCost(double oversubscription, double leastOversubscription) {
    this.oversubscription = oversubscription;
    this.leastOversubscription = leastOversubscription;
  }

  /** Of the worst destination that has a group, if the table had no limit but that on groups. */
  public double oversubscription() {
    return oversubscription;
  }

  /**
   * What that is at least, by proof, however destinations share as many groups as the switch can
   * have; 1 where nothing is proved.
   */
  public double leastOversubscription() {
    return leastOversubscription;
  }
}
