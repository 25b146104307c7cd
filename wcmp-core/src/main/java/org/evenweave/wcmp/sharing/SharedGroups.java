package org.evenweave.wcmp.sharing;

/** The answer of {@link GroupSharing}. Immutable. */
public final class SharedGroups {
  private final int[] groupOf;
  private final int groups;
  private final int alone;
  private final double oversubscription;
  private final double lowerBound;

  SharedGroups(int[] groupOf, int groups, int alone, double oversubscription, double lowerBound) {
    this.groupOf = groupOf;
    this.groups = groups;
    this.alone = alone;
    this.oversubscription = oversubscription;
    this.lowerBound = lowerBound;
  }

  /** The number of a destination's group, from 0; {@link GroupSharing#NONE} if it is left alone. */
  public int groupOf(int destination) {
    return groupOf[destination];
  }

  /** How many groups there are. */
  public int groups() {
    return groups;
  }

  /** How many destinations are left alone, since no group can serve them too. */
  public int alone() {
    return alone;
  }

  /** The worst oversubscription of a destination that has a group, whose table has no limit. */
  public double oversubscription() {
    return oversubscription;
  }

  /**
   * What that is at least in every division that leaves as few alone; equal to {@link
   * #oversubscription} where it is proved to be the least. 1 where nothing is proved.
   */
  public double lowerBound() {
    return lowerBound;
  }
}
