package org.evenweave.wcmp.weights;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The member ports (as arcs) of one switch's WCMP group and their ideal weights. Immutable, and
 * shared: one object stands for a group wherever a switch has the same one towards several
 * destinations.
 */
public final class IdealGroup {
  static final IdealGroup EMPTY = new IdealGroup(new int[0], new long[0], 0);

  private final int[] arcs;
  private final long[] weights;
  private final long effectiveBps;
  private final int hash;

  /**
   * @param arcs by rising port; kept, not copied
   * @param weights positive, without a common divisor, aligned with {@code arcs}; kept, not copied
   * @param effectiveBps what the switch can carry on towards the destination
   */
  IdealGroup(int[] arcs, long[] weights, long effectiveBps) {
    this(arcs, weights, effectiveBps, hash(arcs, weights, arcs.length));
  }

  /**
   * A group that no weight rule made.
   *
   * @param arcs that leave one switch, in the order of their ports; kept, not copied
   * @param weights positive, aligned with {@code arcs}; kept, not copied
   */
  public static IdealGroup of(int[] arcs, long[] weights) {
    return new IdealGroup(arcs, weights, 0);
  }

  /**
   * @param hash as {@link #hash(int[], long[], int)} has it
   */
  IdealGroup(int[] arcs, long[] weights, long effectiveBps, int hash) {
    this.arcs = arcs;
    this.weights = weights;
    this.effectiveBps = effectiveBps;
    this.hash = hash;
  }

  static int hash(int[] arcs, long[] weights, int count) {
    int hash = count;
    for (int i = 0; i < count; i++) {
      // A sum of terms that do not wait for each other; arcs of a group are distinct.
      hash += (arcs[i] + 0x9E3779B9) * (int) (weights[i] * 0x85EBCA6BL);
    }
    return hash;
  }

  /** How many member ports the group has. */
  public int memberCount() {
    return arcs.length;
  }

  /** The arc of the {@code i}-th member port, by rising port number. */
  public int arc(int i) {
    return arcs[i];
  }

  /** The ideal weight of the {@code i}-th member port. */
  public long weight(int i) {
    return weights[i];
  }

  /** All ideal weights; a copy. */
  public long[] weights() {
    return weights.clone();
  }

  /** The output ports, rising, aligned with {@link #weights}. */
  public int[] ports(Fabric fabric) {
    int[] ports = new int[arcs.length];
    for (int i = 0; i < ports.length; i++) {
      ports[i] = fabric.port(arcs[i]);
    }
    return ports;
  }

  /** Effective capacity of the group's switch; see {@link WeightRule#EFFECTIVE_CAPACITY}. */
  long effectiveBps() {
    return effectiveBps;
  }

  /** Whether this group is made of the first {@code count} of these members and weights. */
  boolean consistsOf(int[] otherArcs, long[] otherWeights, int count) {
    return Arrays.equals(arcs, 0, arcs.length, otherArcs, 0, count)
        && Arrays.equals(weights, 0, weights.length, otherWeights, 0, count);
  }

  /** Equal are groups of the same members and weights. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof IdealGroup
            && ((IdealGroup) other).hash == hash
            && ((IdealGroup) other).consistsOf(arcs, weights, arcs.length));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** For example {@code {4:1, 6:2}}, arc and weight. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < arcs.length; i++) {
      text.append(i == 0 ? "" : ", ").append(arcs[i]).append(':').append(weights[i]);
    }
    return text.append('}').toString();
  }
}
