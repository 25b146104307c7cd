package org.evenweave.wcmp.fabric;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * An immutable fabric: switches in stages, duplex links between their ports, prefixes behind them.
 *
 * <p>Switches, links and subnets are numbered densely from 0 in the order they were added, so that
 * algorithms work on plain arrays. A duplex link {@code l} is two <em>arcs</em>: {@code 2l} from
 * its end a to its end b, and {@code 2l + 1} back; {@code arc ^ 1} is the other direction. The arcs
 * that leave a switch are kept together, in the order of their port numbers, so that every walk
 * over a fabric has one, repeatable order. Several links may join the same two switches.
 *
 * <p><b>Events.</b> What happens to a wired fabric (a link goes down or comes up, all links of a
 * switch do, a link changes its speed) makes a new fabric with the <em>same numbering</em>: {@link
 * #withLinksDown}, {@link #withLinksUp}, {@link #withCapacityBps}. A link that is down keeps its
 * number, ends and nominal capacity, counts in {@link #linkCount}, and is in no {@link #outArc};
 * all that walks along arcs never sees it. The two fabrics share all that did not change, so an
 * event costs O(switches + links/64 + links of the switches at its ends), not the size of the
 * wiring, and whatever was computed for the one can be carried over to the other by number.
 */
public final class Fabric {
  /** Stands for a limit of a switch that is not known. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private final String[] switchIds;
  private final Map<String, Integer> indexOfId;
  private final int[] stages;
  private final Limits[] limits;
  private final SwitchTarget[] targets;
  private final LeaveOut[] leaveOut;
  private final int[] arcFrom;
  private final int[] arcPort;
  private final long[] linkCapacityBps;
  private final int[][] wiredArcs;
  private final int[][] outArcs;
  private final BitSet linksDown;
  private final int[] subnetSwitch;
  private final Ipv4Prefix[] subnetPrefix;

  Fabric(FabricBuilder builder) {
    switchIds = builder.switchIds.toArray(new String[0]);
    indexOfId = Map.copyOf(builder.indexOfId);
    stages = toArray(builder.stages);
    limits = builder.limits.toArray(new Limits[0]);
    targets = builder.targets.toArray(new SwitchTarget[0]);
    leaveOut = builder.leaveOut.toArray(new LeaveOut[0]);
    arcFrom = toArray(builder.arcFrom);
    arcPort = toArray(builder.arcPort);
    linkCapacityBps = builder.linkCapacityBps.stream().mapToLong(Long::longValue).toArray();
    subnetSwitch = toArray(builder.subnetSwitch);
    subnetPrefix = builder.subnetPrefix.toArray(new Ipv4Prefix[0]);
    wiredArcs = sortedByPort();
    outArcs = wiredArcs;
    linksDown = new BitSet();
  }

  /** A fabric of the same numbering; {@code ends} are the switches whose links go down or up. */
  private Fabric(Fabric wiring, long[] linkCapacityBps, BitSet linksDown, BitSet ends) {
    switchIds = wiring.switchIds;
    indexOfId = wiring.indexOfId;
    stages = wiring.stages;
    limits = wiring.limits;
    targets = wiring.targets;
    leaveOut = wiring.leaveOut;
    arcFrom = wiring.arcFrom;
    arcPort = wiring.arcPort;
    wiredArcs = wiring.wiredArcs;
    subnetSwitch = wiring.subnetSwitch;
    subnetPrefix = wiring.subnetPrefix;
    this.linkCapacityBps = linkCapacityBps;
    this.linksDown = linksDown;
    outArcs = wiring.outArcs.clone();
    for (int s = ends.nextSetBit(0); s >= 0; s = ends.nextSetBit(s + 1)) {
      outArcs[s] = upArcs(wiredArcs[s], linksDown);
    }
  }

  private static int[] upArcs(int[] arcs, BitSet linksDown) {
    int[] up = new int[arcs.length];
    int count = 0;
    for (int arc : arcs) {
      if (!linksDown.get(arc >> 1)) {
        up[count++] = arc;
      }
    }
    return count == arcs.length ? arcs : Arrays.copyOf(up, count);
  }

  private static int[] toArray(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private int[][] sortedByPort() {
    int[] degree = new int[switchIds.length];
    for (int from : arcFrom) {
      degree[from]++;
    }
    long[][] portThenArc = new long[switchIds.length][];
    Arrays.setAll(portThenArc, s -> new long[degree[s]]);
    for (int arc = 0; arc < arcFrom.length; arc++) {
      portThenArc[arcFrom[arc]][--degree[arcFrom[arc]]] = (long) arcPort[arc] << 32 | arc;
    }
    int[][] arcs = new int[switchIds.length][];
    for (int s = 0; s < arcs.length; s++) {
      Arrays.sort(portThenArc[s]);
      arcs[s] = Arrays.stream(portThenArc[s]).mapToInt(key -> (int) key).toArray();
    }
    return arcs;
  }

  /**
   * This fabric with some more links down; a link may be down already.
   *
   * @param links link numbers, each in {@code 0 ..< linkCount()}
   */
  public Fabric withLinksDown(int... links) {
    return withLinks(true, links);
  }

  /**
   * This fabric with some links up again; a link may be up already.
   *
   * @param links link numbers, each in {@code 0 ..< linkCount()}
   */
  public Fabric withLinksUp(int... links) {
    return withLinks(false, links);
  }

  private Fabric withLinks(boolean down, int[] links) {
    BitSet newLinksDown = (BitSet) linksDown.clone();
    BitSet ends = new BitSet(switchIds.length);
    for (int link : links) {
      checkLink(link);
      newLinksDown.set(link, down);
      ends.set(arcFrom[2 * link]);
      ends.set(arcFrom[2 * link + 1]);
    }
    return new Fabric(this, linkCapacityBps, newLinksDown, ends);
  }

  /**
   * This fabric with another capacity of one link, whether up or down. Takes O(links).
   *
   * @param capacityBps bits per second in each direction, positive
   */
  public Fabric withCapacityBps(int link, long capacityBps) {
    checkLink(link);
    FabricBuilder.checkCapacity("links[" + link + "]", capacityBps);
    long[] newCapacityBps = linkCapacityBps.clone();
    newCapacityBps[link] = capacityBps;
    return new Fabric(this, newCapacityBps, linksDown, new BitSet());
  }

  private void checkLink(int link) {
    if (link < 0 || link >= linkCount()) {
      throw new IllegalArgumentException(
          "link " + link + " is not one of the fabric's links, 0 to " + (linkCount() - 1));
    }
  }

  /** Whether one of the two was made from the other, or both from a third, by events alone. */
  public boolean hasNumberingOf(Fabric other) {
    return wiredArcs == other.wiredArcs;
  }

  /**
   * The links that carry something else than before: down or up, or up with another capacity.
   *
   * @param before a fabric of the same numbering
   * @return link numbers, rising
   */
  public int[] linksChangedSince(Fabric before) {
    if (!hasNumberingOf(before)) {
      throw new IllegalArgumentException(
          "the two fabrics do not number the same wiring; compute anew instead of comparing");
    }
    BitSet changed = (BitSet) linksDown.clone();
    changed.xor(before.linksDown);
    if (linkCapacityBps != before.linkCapacityBps) {
      for (int link = 0; link < linkCount(); link++) {
        if (isUp(link) && linkCapacityBps[link] != before.linkCapacityBps[link]) {
          changed.set(link);
        }
      }
    }
    return changed.stream().toArray();
  }

  public int switchCount() {
    return switchIds.length;
  }

  /** The number of duplex links, up or down. */
  public int linkCount() {
    return linkCapacityBps.length;
  }

  /** The number of arcs: two for each link, up or down. */
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
    return limits[s].entries();
  }

  /** How much the tables of the switch hold. */
  public Limits limits(int s) {
    return limits[s];
  }

  /** How the switch holds groups as configured, or null where the switch says so itself. */
  public SwitchTarget target(int s) {
    return targets[s];
  }

  /** Whether the switch's groups may leave ports out, or null as in the rest of the fabric. */
  public LeaveOut leaveOut(int s) {
    return leaveOut[s];
  }

  /** How many arcs of links that are up leave this switch. */
  public int outDegree(int s) {
    return outArcs[s].length;
  }

  /** The {@code i}-th arc of a link that is up and leaves this switch, by rising port number. */
  public int outArc(int s, int i) {
    return outArcs[s][i];
  }

  /** The arc of a link that is up and leaves this switch by a port, or -1; O(log outDegree). */
  public int outArcAt(int s, int port) {
    int[] arcs = outArcs[s];
    int low = 0;
    int high = arcs.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = arcPort[arcs[middle]];
      if (found == port) {
        return arcs[middle];
      }
      if (found < port) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /** All links with an end on this switch, up or down, by rising port number; a copy. */
  public int[] linksAt(int s) {
    return Arrays.stream(wiredArcs[s]).map(arc -> arc >> 1).toArray();
  }

  /** Whether a link is up: it is unless {@link #withLinksDown} took it down. */
  public boolean isUp(int link) {
    return !linksDown.get(link);
  }

  /** The links that are down, rising. */
  public IntStream linksDown() {
    return linksDown.stream();
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

  /** Capacity in bits per second, in this direction; while the link is down, what it was. */
  public long capacityBps(int arc) {
    return linkCapacityBps[arc >> 1];
  }

  public int subnetSwitch(int subnet) {
    return subnetSwitch[subnet];
  }

  public Ipv4Prefix subnetPrefix(int subnet) {
    return subnetPrefix[subnet];
  }

  /** The end of its link that an arc leaves; made again by each call. */
  public SwitchPort end(int arc) {
    return new SwitchPort(switchIds[arcFrom[arc]], arcPort[arc]);
  }

  /** A link as text, {@code a/port-b/port}. */
  public String linkName(int link) {
    return end(2 * link) + "-" + end(2 * link + 1);
  }

  @Override
  public String toString() {
    String down = linksDown.isEmpty() ? "" : " (" + linksDown.cardinality() + " down)";
    return switchCount()
        + " switches, "
        + linkCount()
        + " links"
        + down
        + ", "
        + subnetCount()
        + " subnets";
  }
}
