package org.evenweave.wcmp.reduction;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The member ports of a group that get at least one table entry: all of them, as in Tewari 2015,
 * section 3.3.2; or a minimum number of next hops, and then the others may be left out.
 *
 * <p>The ports of the largest weights have the guarantee, the first of equal ones. This loses
 * nothing: if an optimal group leaves one of them out and keeps a smaller port, then swapping the
 * entries of the two raises no quotient of entries and weight.
 */
public final class GuaranteedPorts {
  private final int count;
  private final int[] least;
  private final long smallestWeight;

  private GuaranteedPorts(int count, int[] least, long smallestWeight) {
    this.count = count;
    this.least = least;
    this.smallestWeight = smallestWeight;
  }

  /** No port may be left out. */
  public static GuaranteedPorts all(WeightVector ideal) {
    int[] ones = new int[ideal.ports()];
    Arrays.fill(ones, 1);
    return new GuaranteedPorts(ideal.ports(), ones, ideal.least());
  }

  /**
   * At least so many ports have entries, all if the group has fewer.
   *
   * @param minNextHops at least 1
   */
  public static GuaranteedPorts atLeast(WeightVector ideal, int minNextHops) {
    if (minNextHops < 1) {
      throw new IllegalArgumentException(
          "minNextHops is " + minNextHops + "; a group needs at least one next hop");
    }
    return minNextHops >= ideal.ports() ? all(ideal) : largest(ideal, minNextHops);
  }

  private static GuaranteedPorts largest(WeightVector ideal, int count) {
    int[] falling =
        IntStream.range(0, ideal.ports())
            .boxed()
            .sorted(Comparator.comparingLong((Integer port) -> -ideal.weight(port)))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] least = new int[ideal.ports()];
    for (int i = 0; i < count; i++) {
      least[falling[i]] = 1;
    }
    return new GuaranteedPorts(count, least, ideal.weight(falling[count - 1]));
  }

  /** How many ports have the guarantee, at least 1. */
  public int count() {
    return count;
  }

  /** Whether every port has it. */
  public boolean isAll() {
    return count == least.length;
  }

  /** The entries that a port gets at least: 0 or 1. */
  public int least(int port) {
    return least[port];
  }

  /** The smallest weight of a port that has the guarantee. */
  long smallestWeight() {
    return smallestWeight;
  }
}
