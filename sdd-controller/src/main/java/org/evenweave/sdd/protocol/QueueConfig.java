package org.evenweave.sdd.protocol;

import org.evenweave.sdd.protocol.wire.Discipline;
import org.evenweave.sdd.protocol.wire.Network;

/**
 * The configuration of an SDDQueue: its priority, drain rate and {@code getNext()} (Tewari 2015,
 * section 5.3.2). Immutable; the methods give a changed copy.
 */
public final class QueueConfig {
  private static final QueueConfig DEFAULT =
      new QueueConfig(0, false, Discipline.FIFO, Network.CIRCUIT, 0, 0);

  private final int priority;
  private final boolean closedByDefault;
  private final Discipline discipline;
  private final Network network;
  private final long drainRateBps;
  private final long maxBytes;

  private QueueConfig(
      int priority,
      boolean closedByDefault,
      Discipline discipline,
      Network network,
      long drainRateBps,
      long maxBytes) {
    this.priority = priority;
    this.closedByDefault = closedByDefault;
    this.discipline = discipline;
    this.network = network;
    this.drainRateBps = drainRateBps;
    this.maxBytes = maxBytes;
  }

  /**
   * Priority 0, no limits, packets in order of arrival, transmitting unless a condition forbids.
   */
  public static QueueConfig open() {
    return DEFAULT;
  }

  /** Without a condition it does not transmit. */
  public QueueConfig closedByDefault() {
    return new QueueConfig(priority, true, discipline, network, drainRateBps, maxBytes);
  }

  /**
   * Queues of higher priority go first.
   *
   * @param newPriority 0 to 63
   */
  public QueueConfig priority(int newPriority) {
    Ranges.between(newPriority, 0, Limits.MAX_PRIORITY, "priority");
    return new QueueConfig(
        newPriority, closedByDefault, discipline, network, drainRateBps, maxBytes);
  }

  /** Which of the queue's flows is next. */
  public QueueConfig discipline(Discipline next) {
    return new QueueConfig(priority, closedByDefault, next, network, drainRateBps, maxBytes);
  }

  /** Marks its packets for the packet switch. */
  public QueueConfig throughPacketSwitch() {
    return new QueueConfig(
        priority, closedByDefault, discipline, Network.PACKET, drainRateBps, maxBytes);
  }

  /**
   * Limits its rate.
   *
   * @param rateBps 0 (no limit) to 10 Tb/s
   */
  public QueueConfig drainRateBps(long rateBps) {
    Ranges.between(rateBps, 0, Limits.MAX_RATE_BPS, "drainRateBps");
    return new QueueConfig(priority, closedByDefault, discipline, network, rateBps, maxBytes);
  }

  /**
   * Limits what may wait.
   *
   * @param bytes 0: no limit
   */
  public QueueConfig maxBytes(long bytes) {
    Ranges.between(bytes, 0, Long.MAX_VALUE, "maxBytes");
    return new QueueConfig(priority, closedByDefault, discipline, network, drainRateBps, bytes);
  }

  int priority() {
    return priority;
  }

  boolean isClosedByDefault() {
    return closedByDefault;
  }

  Discipline discipline() {
    return discipline;
  }

  Network network() {
    return network;
  }

  long drainRateBps() {
    return drainRateBps;
  }

  long maxBytes() {
    return maxBytes;
  }
}
