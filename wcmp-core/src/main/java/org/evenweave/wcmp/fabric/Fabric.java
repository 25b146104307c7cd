package org.evenweave.wcmp.fabric;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * An immutable fabric: switches in stages, duplex links between their ports, prefixes behind them.
 *
 * <p>Switches, links and subnets are numbered densely from 0 in the order they were added, so that
 * algorithms work on plain arrays. A duplex link {@code l} is two <em>arcs</em>: {@code 2l} from
 * its end a to its end b, and {@code 2l + 1} back; {@code arc ^ 1} is the other direction. The arcs
 * that leave a switch are kept together (compressed sparse rows), in the order of their port
 * numbers, so that every walk over a fabric has one, repeatable order. Several links may join the
 * same two switches.
 */
public final class Fabric {
  /** {@link #tableEntries} of a switch whose multipath table is not known to be limited. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private final String[] switchIds;
  private final Map<String, Integer> indexOfId;
  private final int[] stages;
  private final int[] tableEntries;
  private final int[] arcFrom;
  private final int[] arcPort;
  private final long[] linkCapacityBps;
  private final int[] firstOut;
  private final int[] outArcs;
  private final int[] subnetSwitch;
  private final Ipv4Prefix[] subnetPrefix;

  Fabric(FabricBuilder builder) {
    switchIds = builder.switchIds.toArray(new String[0]);
    indexOfId = Map.copyOf(builder.indexOfId);
    stages = toArray(builder.stages);
    tableEntries = toArray(builder.tableEntries);
    arcFrom = toArray(builder.arcFrom);
    arcPort = toArray(builder.arcPort);
    linkCapacityBps = builder.linkCapacityBps.stream().mapToLong(Long::longValue).toArray();
    subnetSwitch = toArray(builder.subnetSwitch);
    subnetPrefix = builder.subnetPrefix.toArray(new Ipv4Prefix[0]);
    firstOut = new int[switchIds.length + 1];
    outArcs = sortedByPort();
  }

  private static int[] toArray(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private int[] sortedByPort() {
    for (int from : arcFrom) {
      firstOut[from + 1]++;
    }
    for (int s = 0; s < switchIds.length; s++) {
      firstOut[s + 1] += firstOut[s];
    }
    // Key: switch, then port, then arc; two arcs of one switch never share a port.
    long[] keys = new long[arcFrom.length];
    Integer[] order = new Integer[arcFrom.length];
    for (int arc = 0; arc < keys.length; arc++) {
      keys[arc] = (long) arcFrom[arc] << 32 | arcPort[arc];
      order[arc] = arc;
    }
    Arrays.sort(order, (x, y) -> Long.compare(keys[x], keys[y]));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  public int switchCount() {
    return switchIds.length;
  }

  /** The number of duplex links. */
  public int linkCount() {
    return linkCapacityBps.length;
  }

  /** The number of arcs: two for each link. */
  public int arcCount() {
    return arcFrom.length;
  }

  public int subnetCount() {
    return subnetPrefix.length;
  }

  public String switchId(int s) {
    return switchIds[s];
  }

  /** The number of the switch with this id, or -1. */
  public int indexOf(String switchId) {
    return indexOfId.getOrDefault(switchId, -1);
  }

  /** All switch ids, in the order of their numbers. */
  public List<String> switchIds() {
    return Collections.unmodifiableList(Arrays.asList(switchIds));
  }

  /** The stage of a switch: 1 for S1 (hosts below), 2 for S2, and so on. */
  public int stage(int s) {
    return stages[s];
  }

  /** How many multipath table entries the switch has, or {@link #UNLIMITED}. */
  public int tableEntries(int s) {
    return tableEntries[s];
  }

  /** How many arcs leave this switch. */
  public int outDegree(int s) {
    return firstOut[s + 1] - firstOut[s];
  }

  /** The {@code i}-th arc that leaves this switch, by rising port number. */
  public int outArc(int s, int i) {
    return outArcs[firstOut[s] + i];
  }

  /** The switch an arc leaves. */
  public int from(int arc) {
    return arcFrom[arc];
  }

  /** The switch an arc enters. */
  public int to(int arc) {
    return arcFrom[arc ^ 1];
  }

  /** The port by which an arc leaves {@link #from}. */
  public int port(int arc) {
    return arcPort[arc];
  }

  /** Capacity in bits per second, in this direction. */
  public long capacityBps(int arc) {
    return linkCapacityBps[arc >> 1];
  }

  public int subnetSwitch(int subnet) {
    return subnetSwitch[subnet];
  }

  public Ipv4Prefix subnetPrefix(int subnet) {
    return subnetPrefix[subnet];
  }

  /** One end of a link as text, {@code switch/port}. */
  public String end(int arc) {
    return switchIds[arcFrom[arc]] + "/" + arcPort[arc];
  }

  /** A link as text, {@code a/port-b/port}. */
  public String linkName(int link) {
    return end(2 * link) + "-" + end(2 * link + 1);
  }

  @Override
  public String toString() {
    return switchCount() + " switches, " + linkCount() + " links, " + subnetCount() + " subnets";
  }
}
