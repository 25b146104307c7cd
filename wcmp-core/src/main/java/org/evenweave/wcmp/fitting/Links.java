package org.evenweave.wcmp.fitting;

import java.util.Arrays;
import java.util.List;

/**
 * The links that groups of one switch send over: which link each member port is, and what the links
 * carry. Immutable.
 */
public final class Links {
  private final List<int[]> linkOf;
  private final double[] capacities;

  private Links(List<int[]> linkOf, double[] capacities) {
    this.linkOf = linkOf;
    this.capacities = capacities;
  }

  /**
   * Links of known capacity.
   *
   * @param linkOf for each group the link of each of its member ports, from 0, none twice
   * @param capacities of the links, positive, in the unit of the groups' demands
   * @throws IllegalArgumentException if a group has a link twice or one that is not there, or a
   *     capacity is not positive
   */
  public static Links of(List<int[]> linkOf, double[] capacities) {
    for (int l = 0; l < capacities.length; l++) {
      if (!(capacities[l] > 0 && capacities[l] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "capacities[" + l + "] is " + capacities[l] + "; a capacity must be positive");
      }
    }
    requireDistinct(linkOf, capacities.length);
    return new Links(List.copyOf(linkOf), capacities.clone());
  }

  /**
   * Links that each carry as much as the ideal weights put on them, so that a link's utilisation is
   * its load in terms of the ideal one.
   *
   * @param linkOf as in {@link #of}
   */
  public static Links ofIdealLoad(List<int[]> linkOf) {
    requireDistinct(linkOf, Integer.MAX_VALUE);
    return new Links(List.copyOf(linkOf), null);
  }

  private static void requireDistinct(List<int[]> linkOf, int count) {
    for (int g = 0; g < linkOf.size(); g++) {
      int[] sorted = linkOf.get(g).clone();
      Arrays.sort(sorted);
      for (int i = 0; i < sorted.length; i++) {
        if (sorted[i] < 0 || sorted[i] >= count) {
          throw new IllegalArgumentException("group " + g + ": there is no link " + sorted[i]);
        }
        if (i > 0 && sorted[i] == sorted[i - 1]) {
          throw new IllegalArgumentException("group " + g + " has link " + sorted[i] + " twice");
        }
      }
    }
  }

  /** Of each group the link of each member port. */
  List<int[]> linkOf() {
    return linkOf;
  }

  /** The links' capacities, or null if they are the ideal loads. */
  double[] capacities() {
    return capacities;
  }
}
