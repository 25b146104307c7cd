package org.evenweave.engine.forwarding;

import org.evenweave.engine.port.SelectGroup;

/**
 * When a group that several destinations share may be changed in place, for all of them at once.
 *
 * <p>{@link UpdatePlan} has each switch change towards a destination in the round of its distance.
 * Destinations that share a group may be at different distances, so to some of them the group
 * changes too early or too late. That does no harm where one set of next hops holds the other:
 *
 * <ul>
 *   <li><em>It only loses next hops, or none: in the nearest destination's round, or earlier.</em>
 *       A switch that changes early forwards to some of its old next hops. Where packets can go
 *       then is part of where they could go before, so nothing new can loop, and there is a next
 *       hop.
 *   <li><em>It only gains next hops: as late as the farthest destination's round.</em> A switch
 *       that is late forwards to some of its new next hops, which have all changed: it behaves as
 *       if it had changed and its other new next hops got nothing yet.
 *   <li><em>Both, and all destinations are equally far: in their round.</em>
 * </ul>
 *
 * <p>In every other case there is a new group, and each rule moves to it in its own round.
 *
 * <p>A rule that moves to a changing group from elsewhere needs more: the switch may refuse the
 * change of the group, and yet carry out the rule's move that follows in the same request. Then the
 * rule uses next hops that are neither its old nor its new ones, and packets may loop. Only where
 * the group merely gains next hops is there no such harm: what it has are some of the new ones.
 */
final class GroupChange {
  static final int NEVER = -1;

  private GroupChange() {}

  /**
   * The round in which a group may be changed in place.
   *
   * @param wanted the buckets that it gets
   * @param nearest the least distance, in links, of any destination that uses it before or after
   * @param farthest the greatest
   * @return the round, or {@link #NEVER}
   */
  static int round(SelectGroup old, SelectGroup wanted, int nearest, int farthest) {
    if (old.hasPortsOf(wanted)) {
      return nearest;
    }
    return wanted.hasPortsOf(old) || nearest == farthest ? farthest : NEVER;
  }

  /** Whether rules that did not use a group may move to it in the plan that changes it. */
  static boolean mayBeJoined(SelectGroup old, SelectGroup wanted) {
    return wanted.hasPortsOf(old);
  }
}
