package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * A class of equivalent destinations and the routes that they share; see {@link RoutesTable}.
 * Immutable.
 */
final class EquivalentDestinations {
  /** The destinations of the class, rising. */
  final int[] destinations;

  /** Hops to the nearest of the destinations, -1 where there is no path. */
  final int[] hops;

  /**
   * Groups of switches two or more hops away. Of the destinations towards each other too where the
   * rule asks for it; null for all others.
   */
  final PagedGroups groups;

  EquivalentDestinations(int[] destinations, int[] hops, PagedGroups groups) {
    this.destinations = destinations;
    this.hops = hops;
    this.groups = groups;
  }

  /** Routes to no destination at all: where every computation starts. */
  static EquivalentDestinations toNowhere(int switchCount) {
    int[] hops = new int[switchCount];
    Arrays.fill(hops, -1);
    return new EquivalentDestinations(new int[0], hops, PagedGroups.none(switchCount));
  }

  /** Whether the group of a switch is the same for all destinations of the class. */
  boolean isCommon(int s) {
    return hops[s] < 0 || hops[s] > 1;
  }
}
