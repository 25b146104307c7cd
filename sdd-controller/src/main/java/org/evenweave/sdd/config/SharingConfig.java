package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.sharing.BandwidthTree;

/** The division of each host's traffic through the packet switch among classes. Immutable. */
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

  /**
   * The same with less for some classes. A class that gets nothing, and each in it, has a ceiling
   * of 0. Guarantees that no longer fit do not count: a class's own above its ceiling, and where
   * those in a class exceed its ceiling together, all of these.
   *
   * @param mostBps what classes get at most, by name; 0 or more
   */
  public SharingConfig atMost(Map<String, Long> mostBps) {
    if (mostBps.isEmpty()) {
      return this;
    }
    int count = classes.size();
    long[] ceilings = new long[count];
    long[] guarantees = new long[count];
    for (int c = 0; c < count; c++) {
      TrafficClass each = classes.get(c);
      ceilings[c] = Math.min(each.ceilingBps(), mostBps.getOrDefault(each.name(), Long.MAX_VALUE));
      if (each.parent() >= 0 && ceilings[each.parent()] == 0) {
        ceilings[c] = 0;
      }
      guarantees[c] = Math.min(each.guaranteedBps(), ceilings[c]);
    }
    dropGuarantees(ceilings, guarantees);
    List<TrafficClass> limited = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      limited.add(classes.get(c).with(guarantees[c], ceilings[c]));
    }
    return new SharingConfig(document, method, capacityBps, packetBytes, limited, overrides);
  }

  /** Classes come behind those that they are in. */
  private void dropGuarantees(long[] ceilings, long[] guarantees) {
    long[] inside = new long[ceilings.length];
    boolean[] dropped = new boolean[ceilings.length];
    for (int c = ceilings.length - 1; c >= 0; c--) {
      dropped[c] = inside[c] > ceilings[c];
      guarantees[c] = dropped[c] ? 0 : Math.max(guarantees[c], inside[c]);
      if (classes.get(c).parent() >= 0) {
        inside[classes.get(c).parent()] += guarantees[c];
      }
    }
    for (int c = 0; c < ceilings.length; c++) {
      int parent = classes.get(c).parent();
      dropped[c] |= parent >= 0 && dropped[parent];
      guarantees[c] = dropped[c] ? 0 : guarantees[c];
    }
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
