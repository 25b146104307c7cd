package org.evenweave.engine.forwarding;

import java.util.Arrays;

/** For each subnet, the switches that change how they handle its packets, each once. */
final class AffectedSubnets {
  /** Receives a subnet and the switches. */
  @FunctionalInterface
  interface Visitor {
    void visit(int subnet, int[] switches);
  }

  private final int[][] switchesOf;
  private final int[] counts;

  AffectedSubnets(int subnetCount) {
    switchesOf = new int[subnetCount][];
    counts = new int[subnetCount];
  }

  /** All calls for one switch come one after the other. */
  void add(int subnet, int s) {
    int count = counts[subnet];
    if (count == 0) {
      switchesOf[subnet] = new int[4];
    } else if (switchesOf[subnet][count - 1] == s) {
      return;
    } else if (count == switchesOf[subnet].length) {
      switchesOf[subnet] = Arrays.copyOf(switchesOf[subnet], 2 * count);
    }
    switchesOf[subnet][counts[subnet]++] = s;
  }

  /** By rising subnet. */
  void forEach(Visitor visitor) {
    for (int subnet = 0; subnet < counts.length; subnet++) {
      if (counts[subnet] > 0) {
        visitor.visit(subnet, Arrays.copyOf(switchesOf[subnet], counts[subnet]));
      }
    }
  }
}
