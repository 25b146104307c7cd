package org.evenweave.wcmp.weights;

/** One switch's group for packets from one switch to another, see {@link PairTable}. Immutable. */
public final class PairGroup {
  private final int at;
  private final int source;
  private final int destination;
  private final IdealGroup group;

  PairGroup(int at, int source, int destination, IdealGroup group) {
    this.at = at;
    this.source = source;
    this.destination = destination;
    this.group = group;
  }

  /** The switch that has the group. */
  public int at() {
    return at;
  }

  /** The switch whose hosts send the packets. */
  public int source() {
    return source;
  }

  public int destination() {
    return destination;
  }

  public IdealGroup group() {
    return group;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof PairGroup
            && ((PairGroup) other).at == at
            && ((PairGroup) other).source == source
            && ((PairGroup) other).destination == destination
            && ((PairGroup) other).group.equals(group));
  }

  @Override
  public int hashCode() {
    return ((at * 31 + source) * 31 + destination) * 31 + group.hashCode();
  }

  /** For example {@code at 3 from 0 to 2: {4:1, 6:2}}, switches by number. */
  @Override
  public String toString() {
    return "at " + at + " from " + source + " to " + destination + ": " + group;
  }
}
