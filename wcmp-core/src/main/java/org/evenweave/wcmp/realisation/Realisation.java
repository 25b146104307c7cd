package org.evenweave.wcmp.realisation;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * A group as it is sent to a switch, and what the switch really does with it. Bucket {@code i}
 * outputs to {@code bucketPorts[i]} with weight {@code bucketWeights[i]}; several buckets may share
 * a port. Immutable; made by {@link SwitchTarget}.
 */
public final class Realisation {
  private final int[] bucketPorts;
  private final int[] bucketWeights;
  private final SlotTable slots;

  /** Where there is no table of slots. */
  private final Map<Integer, Ratio> shareOfPort;

  private Realisation(
      int[] bucketPorts, int[] bucketWeights, SlotTable slots, Map<Integer, Ratio> shareOfPort) {
    this.bucketPorts = bucketPorts.clone();
    this.bucketWeights = bucketWeights.clone();
    this.slots = slots;
    this.shareOfPort = shareOfPort;
  }

  /** A group that the switch keeps as a table of slots, each owned by a bucket. */
  static Realisation ofSlots(int[] bucketPorts, int[] bucketWeights, int[] bucketOfSlot) {
    int[] owners = new int[bucketOfSlot.length];
    for (int slot = 0; slot < owners.length; slot++) {
      owners[slot] = bucketPorts[bucketOfSlot[slot]];
    }
    return new Realisation(bucketPorts, bucketWeights, new SlotTable(owners), Map.of());
  }

  /** A group whose buckets get these parts of all flows, by no table. */
  static Realisation withoutSlots(int[] bucketPorts, int[] bucketWeights, Ratio[] shares) {
    Map<Integer, Ratio> shareOfPort = new HashMap<>();
    for (int i = 0; i < bucketPorts.length; i++) {
      shareOfPort.merge(bucketPorts[i], shares[i], Ratio::plus);
    }
    return new Realisation(bucketPorts, bucketWeights, null, shareOfPort);
  }

  /** The output port of each bucket in list order; a copy. */
  public int[] bucketPorts() {
    return bucketPorts.clone();
  }

  /** The weight of each bucket in list order; a copy. */
  public int[] bucketWeights() {
    return bucketWeights.clone();
  }

  /** The switch's table; null if it hashes each flow by itself instead. */
  public SlotTable slots() {
    return slots;
  }

  /** The part of all flows that a port gets; 0 if it is in no bucket. */
  public Ratio share(int port) {
    return slots == null ? shareOfPort.getOrDefault(port, Ratio.ZERO) : slots.share(port);
  }

  /**
   * The maximum oversubscription that the switch really gives (Tewari 2015, section 3.3.2, Equation
   * 3.2 with realised shares): the largest share of a port over its ideal share.
   *
   * @param ports the member ports; together they hold all buckets
   * @param ideal their positive ideal weights
   */
  public Ratio oversubscription(int[] ports, long[] ideal) {
    WeightVector weights = WeightVector.of(ideal);
    if (ports.length != ideal.length) {
      throw new IllegalArgumentException(
          "ports has " + ports.length + " elements, ideal has " + ideal.length);
    }
    Ratio worst = Ratio.ZERO;
    for (int i = 0; i < ports.length; i++) {
      Ratio perWeight = share(ports[i]).dividedBy(Ratio.of(weights.weight(i), 1));
      worst = perWeight.compareTo(worst) > 0 ? perWeight : worst;
    }
    return worst.times(Ratio.of(weights.exactSize(), BigInteger.ONE));
  }

  /**
   * The part of all flows that change their port when this group is replaced by another in place;
   * all of them if either has no table, as then nothing is known.
   */
  public Ratio moved(Realisation next) {
    return slots == null || next.slots == null ? Ratio.ONE : slots.moved(next.slots);
  }
}
