package org.evenweave.engine.port;

import java.util.Arrays;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * An OpenFlow group of type SELECT: bucket {@code i} outputs to {@code ports[i]} with weight {@code
 * weights[i]}. Every bucket watches its own port, so that the switch skips a dead one without being
 * told; only somebody else's change can leave a bucket {@linkplain #isWatched unwatched}. Bucket
 * order matters: it decides which hash value meets which bucket.
 *
 * <p>A {@linkplain #isLarge large table} has more slots than buckets of an OpenFlow group can be:
 * bucket {@code i} is then the rule for slot {@code i}, and runtimes make several entries of it. To
 * all else it is a group like any other, except that a change in place may be seen half done: some
 * slots as they were, some as they will be.
 */
public final class SelectGroup {
  private final int id;
  private final int[] ports;
  private final int[] weights;
  private final int[] memberPorts;
  private final int bucketsHash;
  private final boolean large;
  private final boolean watched;

  /**
   * @param id OpenFlow group id
   * @param ports output port of each bucket, in bucket order
   * @param weights weight of each bucket, positive, as long as {@code ports}
   */
  public SelectGroup(int id, int[] ports, int[] weights) {
    this(id, ports, weights, false);
  }

  private SelectGroup(int id, int[] ports, int[] weights, boolean large) {
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
    bucketsHash = (Arrays.hashCode(ports) * 31 + Arrays.hashCode(weights)) * 2 + (large ? 1 : 0);
    this.large = large;
    watched = true;
  }

  /** A group whose bucket {@code i} is slot {@code i} of a replicated multipath table. */
  public static SelectGroup ofSlots(int id, int[] slotPorts) {
    return new SelectGroup(id, slotPorts, ones(slotPorts.length), false);
  }

  /**
   * A replicated multipath table that is held as a rule for each slot.
   *
   * @param slotPorts output port of each slot; a power of two of them where a switch is to hold it
   */
  public static SelectGroup largeTable(int id, int[] slotPorts) {
    return new SelectGroup(id, slotPorts, ones(slotPorts.length), true);
  }

  private static int[] ones(int count) {
    int[] ones = new int[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  private SelectGroup(int id, boolean watched, SelectGroup other) {
    this.id = id;
    this.watched = watched;
    ports = other.ports;
    weights = other.weights;
    memberPorts = other.memberPorts;
    bucketsHash = other.bucketsHash;
    large = other.large;
  }

  /** Whether it is held as a rule for each slot. */
  public boolean isLarge() {
    return large;
  }

  /** Whether every bucket watches its own port. */
  public boolean isWatched() {
    return watched;
  }

  /** Whether each bucket is one slot in Open vSwitch: 16 or more of weight 1, a power of two. */
  public boolean isSlotTable() {
    return large
        ? SwitchTarget.OVS_LARGE_TABLES.canHold(ports.length, ports.length)
        : isTableOfBuckets();
  }

  private boolean isTableOfBuckets() {
    return SwitchTarget.OVS_UNIT_BUCKETS.canHold(ports.length, ports.length)
        && Arrays.stream(weights).allMatch(weight -> weight == 1);
  }

  /** The same buckets under another id. */
  public SelectGroup withId(int newId) {
    return newId == id ? this : new SelectGroup(newId, watched, this);
  }

  /**
   * The same buckets, of which at least one does not watch its own port: the switch keeps sending
   * to that port while it is down. It equals no group of a plan, so that an audit restores it.
   */
  public SelectGroup unwatched() {
    return new SelectGroup(id, false, this);
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

  /** The distinct output ports, rising; not to be changed. */
  public int[] memberPorts() {
    return memberPorts;
  }

  public int memberCount() {
    return memberPorts.length;
  }

  /** The {@code i}-th of {@link #memberPorts}. */
  public int memberPort(int i) {
    return memberPorts[i];
  }

  /** Whether each port of another group is one of this group's. */
  public boolean hasPortsOf(SelectGroup other) {
    int i = 0;
    for (int port : other.memberPorts) {
      while (i < memberPorts.length && memberPorts[i] < port) {
        i++;
      }
      if (i == memberPorts.length || memberPorts[i] != port) {
        return false;
      }
    }
    return true;
  }

  /** Whether two groups have the same ports, in whatever buckets. */
  public boolean hasSamePortsAs(SelectGroup other) {
    return Arrays.equals(memberPorts, other.memberPorts);
  }

  /** The sum of all weights. */
  public int totalWeight() {
    return Arrays.stream(weights).sum();
  }

  /** The weight of the heaviest bucket. */
  public int largestWeight() {
    return Arrays.stream(weights).max().getAsInt();
  }

  /** The multipath table entries that it takes in a switch that holds groups so. */
  public int entries(SwitchTarget target) {
    return target.countsBuckets() ? ports.length : totalWeight();
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
    return this == other
        || (other instanceof SelectGroup
            && ((SelectGroup) other).id == id
            && ((SelectGroup) other).hasBucketsOf(this));
  }

  /** Whether the buckets of two groups are the same, whatever their ids. */
  public boolean hasBucketsOf(SelectGroup other) {
    return large == other.large
        && watched == other.watched
        && (ports == other.ports || Arrays.equals(ports, other.ports))
        && (weights == other.weights || Arrays.equals(weights, other.weights));
  }

  @Override
  public int hashCode() {
    return id * 31 + bucketsHash;
  }

  /** A hash of the buckets alone: equal for groups that differ in nothing but their ids. */
  public int bucketsHash() {
    return bucketsHash;
  }

  /** The buckets by port, as in {@code group 0x2: port 1 has 43, port 2 has 43 of 86}. */
  @Override
  public String toString() {
    Map<Integer, Integer> weightOfPort = new TreeMap<>();
    for (int bucket = 0; bucket < ports.length; bucket++) {
      weightOfPort.merge(ports[bucket], weights[bucket], Integer::sum);
    }
    String end = " of " + totalWeight() + (watched ? "" : ", not all watched");
    StringJoiner text = new StringJoiner(", ", "group " + idText(id) + ": ", end);
    weightOfPort.forEach((port, weight) -> text.add("port " + port + " has " + weight));
    return text.toString();
  }
}
