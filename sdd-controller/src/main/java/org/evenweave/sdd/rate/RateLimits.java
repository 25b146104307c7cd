package org.evenweave.sdd.rate;

import java.util.HashMap;
import java.util.Map;
import org.evenweave.sdd.schedule.Capacity;
import org.evenweave.sdd.schedule.SddApi;

/**
 * The recipe of rate limits, as RCP and SENIC need them: a queue may transmit once enough time has
 * passed since its last packet (Tewari 2015, section 5.4.3).
 */
public final class RateLimits {
  private final SddApi sdd;
  private int packetBytes;

  /** The condition that each queue has, by host and queue. */
  private final Map<Long, String> conditions = new HashMap<>();

  /**
   * A recipe for the hosts behind an API.
   *
   * @param packetBytes the size of all packets, 1 or more; smaller ones get less than their rate
   */
  public RateLimits(SddApi sdd, int packetBytes) {
    this.sdd = sdd;
    packetBytes(packetBytes);
  }

  /**
   * Changes the size that limits from now on are made for.
   *
   * @param newPacketBytes as in the constructor
   */
  public void packetBytes(int newPacketBytes) {
    if (newPacketBytes < 1) {
      throw new IllegalArgumentException("packetBytes: must be at least 1, not " + newPacketBytes);
    }
    packetBytes = newPacketBytes;
  }

  /** The gap between two packets' starts at a rate, rounded up. */
  public long gapNs(long rateBps) {
    return Capacity.durationNs(rateBps, packetBytes);
  }

  /** The host has lost all conditions, as one does that reconnects. */
  public void forget(int host) {
    conditions.keySet().removeIf(key -> key >> Integer.SIZE == host);
  }

  /** The host has closed a queue, and with it its conditions. */
  public void forget(int host, int queue) {
    conditions.remove(key(host, queue));
  }

  private static long key(int host, int queue) {
    return (long) host << Integer.SIZE | queue;
  }

  /**
   * Limits a queue to a rate, or changes its limit.
   *
   * @param rateBps more than 0
   */
  public void limit(int host, int queue, long rateBps) {
    if (rateBps <= 0) {
      throw new IllegalArgumentException("rateBps: must be more than 0, not " + rateBps);
    }
    replace(host, queue, "currTime - lastXmitTime >= " + gapNs(rateBps));
  }

  /** Has a queue send nothing until it is given a limit again. */
  public void close(int host, int queue) {
    replace(host, queue, "FALSE");
  }

  private void replace(int host, int queue, String condition) {
    String old = conditions.put(key(host, queue), condition);
    if (condition.equals(old)) {
      return;
    }
    sdd.addDequeueCondition(host, queue, condition);
    if (old != null) {
      // The paper removes first. But a queue without any condition is open.
      sdd.removeDequeueCondition(host, queue, old);
    }
  }
}
