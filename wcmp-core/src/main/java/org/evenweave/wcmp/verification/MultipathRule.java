package org.evenweave.wcmp.verification;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * One switch's rule for packets to one prefix: member ports and integer weights. A plain output
 * rule has one member of weight 1.
 */
public final class MultipathRule {
  private final Ipv4Prefix prefix;
  private final int groupId;
  private final int[] ports;
  private final int[] weights;

  /**
   * @param groupId the group that the rule uses, from 1; 0 for a plain output rule
   * @param ports member ports, at least one, distinct
   * @param weights positive, aligned with {@code ports}
   */
  public MultipathRule(Ipv4Prefix prefix, int groupId, int[] ports, int[] weights) {
    if (ports.length == 0 || ports.length != weights.length) {
      throw new IllegalArgumentException(
          prefix + ": " + ports.length + " ports and " + weights.length + " weights");
    }
    for (int weight : weights) {
      if (weight < 1) {
        throw new IllegalArgumentException(prefix + ": weight " + weight + " is not positive");
      }
    }
    if (Arrays.stream(ports).distinct().count() < ports.length) {
      throw new IllegalArgumentException(prefix + ": a port is a member twice");
    }
    this.prefix = prefix;
    this.groupId = groupId;
    this.ports = ports.clone();
    this.weights = weights.clone();
  }

  public Ipv4Prefix prefix() {
    return prefix;
  }

  /** The group that the rule uses; 0 for a plain output rule. */
  public int groupId() {
    return groupId;
  }

  public int memberCount() {
    return ports.length;
  }

  public int port(int i) {
    return ports[i];
  }

  public int weight(int i) {
    return weights[i];
  }

  /** The weights, by member; a copy. */
  public int[] weights() {
    return weights.clone();
  }

  /** Multipath table entries that the group takes; 0 for a plain output rule. */
  public long entries() {
    return groupId == 0 ? 0 : totalWeight();
  }

  /** The sum of the weights. */
  public long totalWeight() {
    return Arrays.stream(weights).asLongStream().sum();
  }
}
