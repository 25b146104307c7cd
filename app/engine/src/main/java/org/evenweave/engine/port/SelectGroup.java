package org.evenweave.engine.port;

import java.util.Arrays;

/**
 * An OpenFlow group of type SELECT: bucket {@code i} outputs to {@code ports[i]} with weight {@code
 * weights[i]}. Every bucket watches its own port, so that the switch skips a dead one without being
 * told. Bucket order matters: it decides which hash value meets which bucket.
 */
public final class SelectGroup {
  private final int id;
  private final int[] ports;
  private final int[] weights;

  /**
   * @param id OpenFlow group id
   * @param ports output port of each bucket, in bucket order
   * @param weights weight of each bucket, positive, as long as {@code ports}
   */
  public SelectGroup(int id, int[] ports, int[] weights) {
    if (ports.length != weights.length || ports.length == 0) {
      throw new IllegalArgumentException(
          "group " + id + ": " + ports.length + " ports and " + weights.length + " weights");
    }
    this.id = id;
    this.ports = ports.clone();
    this.weights = weights.clone();
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

  @Override
  public String toString() {
    return "group "
        + id
        + " ports "
        + Arrays.toString(ports)
        + " weights "
        + Arrays.toString(weights);
  }
}
