package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * One desired WCMP group: its ideal weights and the weights that fit the switch's table. All arrays
 * are aligned: element {@code i} is about member port {@code ports[i]}.
 */
public final class GroupState {
  private final String switchId;
  private final List<String> destinations;
  private final List<List<String>> pairs;
  private final String[] via;
  private final int[] ports;
  private final long[] idealWeights;
  private final Realisation realisation;
  private final int entries;
  private final boolean spreadsUdp;
  private final SelectGroup group;
  private final int[] commonPorts;

  /**
   * @param commonPorts the next hops of all destinations that share the group
   */
  GroupState(
      String switchId,
      List<String> destinations,
      List<List<String>> pairs,
      String[] via,
      int[] ports,
      long[] idealWeights,
      Realisation realisation,
      int entries,
      boolean spreadsUdp,
      SelectGroup group,
      int[] commonPorts) {
    this.switchId = switchId;
    this.destinations = List.copyOf(destinations);
    this.pairs = List.copyOf(pairs);
    this.via = via;
    this.ports = ports;
    this.idealWeights = idealWeights;
    this.realisation = realisation;
    this.entries = entries;
    this.spreadsUdp = spreadsUdp;
    this.group = group;
    this.commonPorts = commonPorts;
  }

  public String switchId() {
    return switchId;
  }

  /** The switches whose prefixes the group leads to, by number in the fabric. */
  public List<String> destinations() {
    return destinations;
  }

  /**
   * The source and the destination, both switches, of each pair that has the group for itself where
   * other sources have another one; by destination and source.
   */
  public List<List<String>> pairs() {
    return pairs;
  }

  /** Whether it stands for these next hops and weights. */
  public boolean isFor(IdealGroup ideal, Fabric fabric) {
    return Arrays.equals(ideal.ports(fabric), ports)
        && Arrays.equals(ideal.weights(), idealWeights);
  }

  public int memberCount() {
    return ports.length;
  }

  public int port(int i) {
    return ports[i];
  }

  /** The neighbour behind member port {@code i}. */
  public String via(int i) {
    return via[i];
  }

  public long idealWeight(int i) {
    return idealWeights[i];
  }

  /** How many of the table's slots member port {@code i} owns. */
  public int slotCount(int i) {
    return realisation.slots().count(ports[i]);
  }

  /** The indices of the member ports that are left out: they get no packets. */
  public int[] leftOut() {
    return IntStream.range(0, ports.length)
        .filter(i -> realisation.share(ports[i]).equals(Ratio.ZERO))
        .toArray();
  }

  /** Why a member port that is left out is, as a sentence. */
  public String whyLeftOut(int i) {
    if (IntStream.of(commonPorts).noneMatch(port -> port == ports[i])) {
      return "destinations that share the group do not all have it";
    }
    int slots = IntStream.range(0, ports.length).map(this::slotCount).sum();
    double times = 1 / (slots * idealShare(i));
    return String.format(
        Locale.ROOT,
        times < 100
            ? "one entry, 1/%d of the packets, would be %.2f times its share"
            : "one entry, 1/%d of the packets, would be %.0f times its share",
        slots,
        times);
  }

  /** The share of the members' capacity that is on ports left out, from 0 to less than 1. */
  public double unusedShare() {
    return IntStream.of(leftOut()).mapToDouble(this::idealShare).sum();
  }

  /** Multipath table entries the group takes. */
  public int entries() {
    return entries;
  }

  public double idealShare(int i) {
    return (double) idealWeights[i] / Arrays.stream(idealWeights).asDoubleStream().sum();
  }

  /** The share the switch will really give, by the model of what it does with the group. */
  public double realisedShare(int i) {
    return realisation.share(ports[i]).toDouble();
  }

  /** Equation 3.2: the worst member port's realised share over its ideal share. */
  public double oversubscription() {
    return exactOversubscription().toDouble();
  }

  /** The same, exactly. */
  public Ratio exactOversubscription() {
    return realisation.oversubscription(ports, idealWeights);
  }

  /**
   * Whether UDP flows between two hosts are known to spread over the ports, as TCP flows do. On
   * Open vSwitch in OpenFlow 1.3 they are known not to.
   */
  public boolean spreadsUdp() {
    return spreadsUdp;
  }

  public SelectGroup group() {
    return group;
  }
}
