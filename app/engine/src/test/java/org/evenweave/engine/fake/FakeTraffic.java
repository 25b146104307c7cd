package org.evenweave.engine.fake;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Packets on the links of a fake network, each direction at a steady rate, with what the ports at
 * both ends count, and faults: losses and delays between the counters, an MTU, and full queues
 * before them. An arc is one direction of a link, whose ports stay up.
 */
public final class FakeTraffic {
  private static final double SECOND_NANOS = 1e9;
  private static final long MILLI_NANOS = 1_000_000L;
  private static final int LARGE_BYTES = 1000;
  private static final long AGE_AT_START_NANOS = 1000 * 1_000_000_000L;

  private static final class Direction {
    double packetsPerSecond;
    double lossShare;
    double tooLargeShare;
    double queueDrops;
    double largeQueueDrops;
    long delayNanos;
    int mtu = Integer.MAX_VALUE;
    double sent;
    double lost;
    long updatedAtNanos;
  }

  private final Fabric fabric;
  private final VirtualLoop loop;
  private final Map<Integer, Direction> directions = new HashMap<>();
  private final SplittableRandom random;

  FakeTraffic(Fabric fabric, VirtualLoop loop, long seed) {
    this.fabric = fabric;
    this.loop = loop;
    random = new SplittableRandom(seed);
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      directions.put(arc, new Direction());
    }
  }

  /** From now on so many packets are sent. */
  public void send(int arc, double packetsPerSecond) {
    update(arc).packetsPerSecond = packetsPerSecond;
  }

  /** From now on a part of the packets is lost. */
  public void lose(int arc, double share) {
    update(arc).lossShare = share;
  }

  /** From now on packets take so much longer. */
  public void delay(int arc, long nanos) {
    directions.get(arc).delayNanos = nanos;
  }

  /**
   * From now on a full queue drops these parts of the small and of the large frames before they are
   * counted.
   */
  public void congest(int arc, double share, double ofLarge) {
    directions.get(arc).queueDrops = share;
    directions.get(arc).largeQueueDrops = ofLarge;
  }

  /** From now on frames with more than this and an Ethernet header are lost. */
  public void limitMtu(int arc, int mtu) {
    limitMtu(arc, mtu, 0);
  }

  /** The same; this part of the packets is that large. */
  public void limitMtu(int arc, int mtu, double tooLargeShare) {
    update(arc).mtu = mtu;
    directions.get(arc).tooLargeShare = tooLargeShare;
  }

  /** Whether a frame that is sent now is lost. */
  boolean loses(int arc, int frameBytes) {
    Direction direction = directions.get(arc);
    boolean isLarge = frameBytes > LARGE_BYTES;
    return frameBytes > (long) direction.mtu + 14
        || random.nextDouble() < (isLarge ? direction.largeQueueDrops : direction.queueDrops)
        || random.nextDouble() < direction.lossShare;
  }

  long delayNanos(int arc) {
    return directions.get(arc).delayNanos;
  }

  private Direction update(int arc) {
    long nowNanos = loop.nanoTime();
    Direction direction = directions.get(arc);
    double packets =
        direction.packetsPerSecond * (nowNanos - direction.updatedAtNanos) / SECOND_NANOS;
    direction.sent += packets;
    direction.lost += packets * Math.max(direction.lossShare, direction.tooLargeShare);
    direction.updatedAtNanos = nowNanos;
    return direction;
  }

  /** What the ports of a switch have counted; an edge port counts nothing. */
  Map<Integer, PortCounters> counters(String switchId) {
    Map<Integer, PortCounters> counters = new TreeMap<>();
    int s = fabric.indexOf(switchId);
    for (int i = 0; i < fabric.outDegree(s); i++) {
      int arc = fabric.outArc(s, i);
      Direction out = update(arc);
      Direction in = update(arc ^ 1);
      counters.put(
          fabric.port(arc),
          new PortCounters((long) (in.sent - in.lost), (long) out.sent, 0, 0, 0, ageNanos()));
    }
    counters.put(FakeNetwork.HOST_PORT, new PortCounters(0, 0, 0, 0, 0, ageNanos()));
    return counters;
  }

  /** In milliseconds, as Open vSwitch counts it. */
  private long ageNanos() {
    return AGE_AT_START_NANOS + loop.nanoTime() / MILLI_NANOS * MILLI_NANOS;
  }
}
