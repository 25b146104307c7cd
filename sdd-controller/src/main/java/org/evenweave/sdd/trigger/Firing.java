package org.evenweave.sdd.trigger;

/** One event of a trigger, for display. Immutable. */
public final class Firing {
  /** What happened. */
  public enum Kind {
    /** The condition became true. */
    FIRED,
    /** {@code until} became true, or the host is away. */
    ENDED,
    /** The operator ended what it did. */
    ENDED_BY_OPERATOR
  }

  /** What waited then, if the host did not say. */
  static final long UNREPORTED = -1;

  private final Kind kind;
  private final String trigger;
  private final String host;
  private final long timeNs;
  private final long queuedPackets;
  private final long queuedBytes;

  Firing(
      Kind kind, String trigger, String host, long timeNs, long queuedPackets, long queuedBytes) {
    this.kind = kind;
    this.trigger = trigger;
    this.host = host;
    this.timeNs = timeNs;
    this.queuedPackets = queuedPackets;
    this.queuedBytes = queuedBytes;
  }

  public Kind kind() {
    return kind;
  }

  /** The trigger's name. */
  public String trigger() {
    return trigger;
  }

  /** Where. */
  public String host() {
    return host;
  }

  /** When, by the shared clock. */
  public long timeNs() {
    return timeNs;
  }

  /** Whether the host reported the backlog of the trigger's queue. */
  public boolean reportsQueue() {
    return queuedPackets != UNREPORTED;
  }

  public long queuedPackets() {
    return queuedPackets;
  }

  public long queuedBytes() {
    return queuedBytes;
  }
}
