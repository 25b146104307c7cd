package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.sharing.BandwidthTree;

/** How each host's traffic through the packet switch is divided among classes. Immutable. */
public final class SharingConfig {
  /** Without classes. */
  public static final SharingConfig NONE =
      new SharingConfig(
          JsonNodeFactory.instance.objectNode(), Method.TREE, 1, 1, List.of(), Map.of());

  /** What finds the rates of the classes. */
  public enum Method {
    /** A tree of weights, guarantees and ceilings over what each class wants. */
    TREE,
    /** One rate for all that have flows, found without their demand: {@code RcpLink}. */
    RCP
  }

  private final JsonNode document;
  private final Method method;
  private final long capacityBps;
  private final int packetBytes;
  private final List<TrafficClass> classes;
  private final Map<String, SharingConfig> overrides;

  SharingConfig(
      JsonNode document,
      Method method,
      long capacityBps,
      int packetBytes,
      List<TrafficClass> classes,
      Map<String, SharingConfig> overrides) {
    this.document = document;
    this.method = method;
    this.capacityBps = capacityBps;
    this.packetBytes = packetBytes;
    this.classes = List.copyOf(classes);
    this.overrides = Map.copyOf(overrides);
  }

  /** As it was read. */
  public JsonNode json() {
    return document.deepCopy();
  }

  /** What holds at one host: the same classes and flows, perhaps with other numbers. */
  public SharingConfig at(String host) {
    return overrides.getOrDefault(host, this);
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

  /** The classes as a tree, in which class {@code c} is {@code c + 1}, and 0 all together. */
  public BandwidthTree tree() {
    int count = classes.size() + 1;
    int[] parents = new int[count];
    int[] weights = new int[count];
    long[] ceilings = new long[count];
    long[] guarantees = new long[count];
    parents[0] = -1;
    weights[0] = 1;
    ceilings[0] = capacityBps;
    for (int c = 1; c < count; c++) {
      TrafficClass each = classes.get(c - 1);
      parents[c] = each.parent() + 1;
      weights[c] = each.weight();
      ceilings[c] = each.ceilingBps();
      guarantees[c] = each.guaranteedBps();
    }
    return new BandwidthTree(parents, weights, ceilings, guarantees);
  }
}
