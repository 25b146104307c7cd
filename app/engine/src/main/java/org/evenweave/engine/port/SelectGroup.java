package org.evenweave.engine.port;

import java.util.Arrays;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * An OpenFlow group of type SELECT: bucket {@code i} outputs to {@code ports[i]} with weight {@code
 * weights[i]}. Every bucket watches its own port, so that the switch skips a dead one without being
 * told. Bucket order matters: it decides which hash value meets which bucket.
 */
public final class SelectGroup {
  private final int id;
  private final int[] ports;
  private final int[] weights;
  private final int[] memberPorts;

  /**
   * @param id OpenFlow group id
   * @param ports output port of each bucket, in bucket order
   * @param weights weight of each bucket, positive, as long as {@code ports}
   */
  public SelectGroup(int id, int[] ports, int[] weights) {
    if (ports.length != weights.length || ports.length == 0) {
      throw new IllegalArgumentException(
          "group "
              + idText(id)
              + ": "
              + ports.length
              + " ports and "
              + weights.length
              + " weights");
    }
    this.id = id;
    this.ports = ports.clone();
    this.weights = weights.clone();
    memberPorts = Arrays.stream(ports).sorted().distinct().toArray();
  }

  /** A group whose bucket {@code i} is slot {@code i} of a replicated multipath table. */
  public static SelectGroup ofSlots(int id, int[] slotPorts) {
    int[] ones = new int[slotPorts.length];
    Arrays.fill(ones, 1);
    return new SelectGroup(id, slotPorts, ones);
  }

  public int id() {
    return id;
  }

  public int bucketCount() {
    return ports.length;
  }

  public int port(int bucket) {
    return ports[bucket];
  }

  public int weight(int bucket) {
    return weights[bucket];
  }

  /** The output port of each bucket, in bucket order; a copy. */
  public int[] ports() {
    return ports.clone();
  }

  /** A group's id as text, in hex as ONOS writes it. */
  public static String idText(int id) {
    return "0x" + Integer.toHexString(id);
  }

  /** The distinct output ports, rising; a copy. */
  public int[] memberPorts() {
    return memberPorts.clone();
  }

  /** The weight of all buckets of one port; 0 for a port that is not a member. */
  public int weightOf(int port) {
    return IntStream.range(0, ports.length)
        .filter(i -> ports[i] == port)
        .map(i -> weights[i])
        .sum();
  }

  /** The weight of each bucket, in bucket order; a copy. */
  public int[] weights() {
    return weights.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SelectGroup
        && ((SelectGroup) other).id == id
        && Arrays.equals(((SelectGroup) other).ports, ports)
        && Arrays.equals(((SelectGroup) other).weights, weights);
  }

  @Override
  public int hashCode() {
    return (id * 31 + Arrays.hashCode(ports)) * 31 + Arrays.hashCode(weights);
  }

  /** The buckets by port, as in {@code group 0x2: port 1 has 43, port 2 has 43 of 86}. */
  @Override
  public String toString() {
    Map<Integer, Integer> weightOfPort = new TreeMap<>();
    for (int bucket = 0; bucket < ports.length; bucket++) {
      weightOfPort.merge(ports[bucket], weights[bucket], Integer::sum);
    }
    StringJoiner text =
        new StringJoiner(", ", "group " + idText(id) + ": ", " of " + sumOfWeights());
    weightOfPort.forEach((port, weight) -> text.add("port " + port + " has " + weight));
    return text.toString();
  }

  private int sumOfWeights() {
    return Arrays.stream(weights).sum();
  }
}
