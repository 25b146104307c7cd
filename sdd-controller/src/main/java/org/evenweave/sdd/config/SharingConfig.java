package org.evenweave.sdd.config;

import java.util.List;

/** How each host's traffic through the packet switch is divided among classes. Immutable. */
public final class SharingConfig {
  /** What finds the rates of the classes. */
  public enum Method {
    /** A tree of weights and ceilings over what each class wants: {@code BandwidthTree}. */
    TREE,
    /** One rate for all that have flows, found without their demand: {@code RcpLink}. */
    RCP
  }

  private final Method method;
  private final long capacityBps;
  private final int packetBytes;
  private final List<TrafficClass> classes;

  SharingConfig(Method method, long capacityBps, int packetBytes, List<TrafficClass> classes) {
    this.method = method;
    this.capacityBps = capacityBps;
    this.packetBytes = packetBytes;
    this.classes = List.copyOf(classes);
  }

  public Method method() {
    return method;
  }

  /** What the classes of one host share. */
  public long capacityBps() {
    return capacityBps;
  }

  /** The size of a packet that has exactly its class's rate; smaller ones get less. */
  public int packetBytes() {
    return packetBytes;
  }

  /** Each behind the one that it is in. */
  public List<TrafficClass> classes() {
    return classes;
  }
}
