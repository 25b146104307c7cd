package org.evenweave.engine.reweighting;

import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * The weights of one switch towards one destination instead of those by effective capacity, by
 * port. They hold only while the weights by effective capacity are what they were. Immutable.
 */
final class Split {
  /** What shares are rounded to that are between those of two splits. */
  private static final long FINE = 1 << 20;

  /** By port; those of weight 0 are left out. */
  private final SortedMap<Integer, Long> weights;

  private final SortedMap<Integer, Long> replaced;

  private Split(SortedMap<Integer, Long> weights, SortedMap<Integer, Long> replaced) {
    this.weights = weights;
    this.replaced = replaced;
  }

  /**
   * @param instead members of the other group
   * @param replaced by effective capacity
   */
  static Split of(Fabric fabric, IdealGroup instead, IdealGroup replaced) {
    return new Split(weights(fabric, instead), weights(fabric, replaced));
  }

  /** The weights by effective capacity themselves, where this one has others. */
  Split original() {
    return new Split(replaced, replaced);
  }

  private static SortedMap<Integer, Long> weights(Fabric fabric, IdealGroup group) {
    SortedMap<Integer, Long> weights = new TreeMap<>();
    for (int i = 0; i < group.memberCount(); i++) {
      weights.put(fabric.port(group.arc(i)), group.weight(i));
    }
    return weights;
  }

  /** Whether these weights may stand in the place of a group. */
  boolean replaces(Fabric fabric, IdealGroup group) {
    return weights(fabric, group).equals(replaced);
  }

  /** The part of the traffic that goes elsewhere than by another split of the same group. */
  double distanceTo(Split other) {
    double distance = 0;
    for (int port : replaced.keySet()) {
      distance += Math.abs(share(port) - other.share(port));
    }
    return distance / 2;
  }

  private double share(int port) {
    double total = weights.values().stream().mapToDouble(Long::doubleValue).sum();
    return weights.getOrDefault(port, 0L) / total;
  }

  /**
   * Part of the way to another split of the same group. Where both keep a limit on a port's share,
   * so does this one.
   *
   * @param part from 0 to 1
   */
  Split towards(Split other, double part) {
    SortedMap<Integer, Long> between = new TreeMap<>();
    for (int port : replaced.keySet()) {
      double share = (1 - part) * share(port) + part * other.share(port);
      if (Math.round(share * FINE) > 0) {
        between.put(port, Math.round(share * FINE));
      }
    }
    return new Split(between, replaced);
  }

  /** Whether another split is of the same group. */
  boolean isOfGroupOf(Split other) {
    return replaced.equals(other.replaced);
  }

  /** Fills in this switch's part of routes, in the place of a group that it {@link #replaces}. */
  void write(Fabric fabric, int s, int[][] arcs, long[][] memberWeights) {
    arcs[s] = new int[weights.size()];
    memberWeights[s] = new long[weights.size()];
    int m = 0;
    for (int i = 0; i < fabric.outDegree(s); i++) {
      Long weight = weights.get(fabric.port(fabric.outArc(s, i)));
      if (weight != null) {
        arcs[s][m] = fabric.outArc(s, i);
        memberWeights[s][m++] = weight;
      }
    }
  }
}
