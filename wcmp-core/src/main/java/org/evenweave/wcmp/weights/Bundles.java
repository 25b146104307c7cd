package org.evenweave.wcmp.weights;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The links of one switch that are up, as the weights need them: link by link in the order of
 * ports, and parallel ones taken together, a bundle per neighbour. Immutable.
 *
 * <p>Two switches with {@linkplain #equals equal} bundles are <em>equivalent</em>: they have the
 * same neighbours over the same capacities, so exchanging them maps the fabric onto itself.
 */
final class Bundles {
  /** Arcs by rising port; the next arrays are aligned with it. */
  final int[] arcs;

  final int[] neighbourOfArc;
  final long[] capacityBpsOfArc;

  /** Capacity of all links to the same neighbour together; 2^63 - 1 if it is more. */
  final long[] bundleBpsOfArc;

  /** Whether the arc has the lowest port of its bundle; null if every arc has. */
  private final boolean[] firstOfBundle;

  /** Neighbours, rising, each once; {@link #capacityBps} is aligned with it. */
  final int[] neighbour;

  final long[] capacityBps;
  private final int hash;

  /**
   * The bundles of switch {@code s}. Takes O(d log d) for d links.
   *
   * @param like bundles of a similar switch, or null: arrays that are the same are shared, since
   *     memory that is read for every destination should be small
   */
  Bundles(Fabric fabric, int s, Bundles like) {
    int degree = fabric.outDegree(s);
    arcs = new int[degree];
    neighbourOfArc = new int[degree];
    long[] capacityBpsByPort = new long[degree];
    long[] neighbourThenIndex = new long[degree];
    for (int i = 0; i < degree; i++) {
      arcs[i] = fabric.outArc(s, i);
      neighbourOfArc[i] = fabric.to(arcs[i]);
      capacityBpsByPort[i] = fabric.capacityBps(arcs[i]);
      neighbourThenIndex[i] = (long) neighbourOfArc[i] << 32 | i;
    }
    Arrays.sort(neighbourThenIndex);
    int[] neighbours = new int[degree];
    long[] capacities = new long[degree];
    boolean[] first = new boolean[degree];
    int count = 0;
    for (long key : neighbourThenIndex) {
      int i = (int) key;
      if (count == 0 || neighbours[count - 1] != neighbourOfArc[i]) {
        neighbours[count++] = neighbourOfArc[i];
        first[i] = true;
      }
      capacities[count - 1] = saturatedSum(capacities[count - 1], capacityBpsByPort[i]);
    }
    boolean parallel = count < degree;
    int[] distinct = Arrays.copyOf(neighbours, count);
    neighbour = Arrays.equals(distinct, neighbourOfArc) ? neighbourOfArc : distinct;
    capacityBpsOfArc = shared(capacityBpsByPort, like == null ? null : like.capacityBpsOfArc);
    capacityBps = shared(Arrays.copyOf(capacities, count), capacityBpsOfArc);
    hash = 31 * Arrays.hashCode(neighbour) + Arrays.hashCode(capacityBps);
    firstOfBundle = parallel ? first : null;
    bundleBpsOfArc =
        parallel
            ? Arrays.stream(neighbourOfArc).mapToLong(this::capacityBpsTo).toArray()
            : capacityBpsOfArc;
  }

  private static long[] shared(long[] array, long[] other) {
    return Arrays.equals(array, other) ? other : array;
  }

  static Bundles[] ofAll(Fabric fabric) {
    Bundles[] all = new Bundles[fabric.switchCount()];
    Arrays.setAll(all, s -> new Bundles(fabric, s, s == 0 ? null : all[s - 1]));
    return all;
  }

  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  boolean isFirstOfBundle(int arcIndex) {
    return firstOfBundle == null || firstOfBundle[arcIndex];
  }

  boolean leadsTo(int to) {
    return Arrays.binarySearch(neighbour, to) >= 0;
  }

  /** Capacity of all links to this neighbour; 0 if it is none. */
  long capacityBpsTo(int to) {
    int index = Arrays.binarySearch(neighbour, to);
    return index < 0 ? 0 : capacityBps[index];
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Bundles
            && ((Bundles) other).hash == hash
            && Arrays.equals(((Bundles) other).neighbour, neighbour)
            && Arrays.equals(((Bundles) other).capacityBps, capacityBps));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
