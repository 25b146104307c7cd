package org.evenweave.wcmp.fabric;

/**
 * The policy by which a switch's groups may leave out member ports if that lowers the
 * oversubscription of the others. Immutable.
 */
public final class LeaveOut {
  /** Every member port has entries, as in Tewari 2015, section 3.3.2. */
  public static final LeaveOut NEVER = new LeaveOut(Integer.MAX_VALUE);

  /**
   * The member ports that keep entries unless something else is said: with two, the packets of a
   * port that dies have another one at once.
   */
  public static final int DEFAULT_MIN_NEXT_HOPS = 2;

  /** Ports may be left out as long as {@value #DEFAULT_MIN_NEXT_HOPS} keep entries. */
  public static final LeaveOut AUTO = auto(DEFAULT_MIN_NEXT_HOPS);

  private static final String NAME_OF_AUTO = "auto";
  private static final String NAME_OF_NEVER = "never";

  private final int minNextHops;

  private LeaveOut(int minNextHops) {
    this.minNextHops = minNextHops;
  }

  /**
   * @param minNextHops member ports of each group that keep at least one entry, at least 1; all of
   *     smaller groups
   */
  public static LeaveOut auto(int minNextHops) {
    if (minNextHops < 1) {
      throw new IllegalArgumentException(
          "minNextHops is " + minNextHops + "; a group needs at least one next hop");
    }
    return new LeaveOut(minNextHops);
  }

  /**
   * As a configuration has it.
   *
   * @param name "auto" or "never"
   */
  public static LeaveOut named(String name, int minNextHops) {
    if (!name.equals(NAME_OF_AUTO) && !name.equals(NAME_OF_NEVER)) {
      throw new IllegalArgumentException("leaveOut must be \"auto\" or \"never\", not " + name);
    }
    return name.equals(NAME_OF_AUTO) ? auto(minNextHops) : NEVER;
  }

  /** "auto" or "never". */
  public String configName() {
    return equals(NEVER) ? NAME_OF_NEVER : NAME_OF_AUTO;
  }

  /** Member ports of each group that keep at least one entry; 2^31 - 1 if all do. */
  public int minNextHops() {
    return minNextHops;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LeaveOut && ((LeaveOut) other).minNextHops == minNextHops;
  }

  @Override
  public int hashCode() {
    return Integer.hashCode(minNextHops);
  }

  @Override
  public String toString() {
    return equals(NEVER) ? NAME_OF_NEVER : NAME_OF_AUTO + ", " + minNextHops + " next hops";
  }
}
