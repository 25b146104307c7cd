package org.evenweave.wcmp.weights;

import java.util.Arrays;

/** The routes that all destinations of one twin class share; see {@link RoutesTable}. Immutable. */
final class TwinRoutes {
  /** The destinations of the class, rising. */
  final int[] destinations;

  /** Hops to the nearest of the destinations, -1 where there is no path. */
  final int[] hops;

  /** Groups of switches two or more hops away; null for all others. */
  final IdealGroup[] groups;

  TwinRoutes(int[] destinations, int[] hops, IdealGroup[] groups) {
    this.destinations = destinations;
    this.hops = hops;
    this.groups = groups;
  }

  /** Routes to no destination at all: where every computation starts. */
  static TwinRoutes toNowhere(int switchCount) {
    int[] hops = new int[switchCount];
    Arrays.fill(hops, -1);
    return new TwinRoutes(new int[0], hops, new IdealGroup[switchCount]);
  }

  /** Whether the group of a switch is the same for all destinations of the class. */
  boolean isCommon(int s) {
    return hops[s] < 0 || hops[s] > 1;
  }
}
