package org.evenweave.engine.port;

/**
 * What a port of a switch has counted since {@link #ageNanos} (OpenFlow 1.3.5, section 7.3.5.6,
 * {@code ofp_port_stats}). Packets are counted modulo 2^64. Immutable.
 */
public final class PortCounters {
  /** A counter that the switch does not have: all ones, as in OpenFlow. */
  public static final long UNSUPPORTED = -1L;

  private final long rxPackets;
  private final long txPackets;
  private final long rxErrors;
  private final long txErrors;
  private final long txDropped;
  private final long ageNanos;

  /**
   * @param rxErrors packets that arrived damaged, CRC, frame and overrun errors included
   * @param txDropped packets that were to be sent and were dropped before, as by a full queue
   * @param ageNanos for how long the port has counted, or {@link #UNSUPPORTED}
   */
  public PortCounters(
      long rxPackets, long txPackets, long rxErrors, long txErrors, long txDropped, long ageNanos) {
    this.rxPackets = rxPackets;
    this.txPackets = txPackets;
    this.rxErrors = rxErrors;
    this.txErrors = txErrors;
    this.txDropped = txDropped;
    this.ageNanos = ageNanos;
  }

  /** Packets received, or {@link #UNSUPPORTED}. */
  public long rxPackets() {
    return rxPackets;
  }

  /** Packets sent, or {@link #UNSUPPORTED}. */
  public long txPackets() {
    return txPackets;
  }

  /** Packets that arrived damaged, or {@link #UNSUPPORTED}. */
  public long rxErrors() {
    return rxErrors;
  }

  /** Packets that could not be sent because of errors, or {@link #UNSUPPORTED}. */
  public long txErrors() {
    return txErrors;
  }

  /** Packets dropped before they were sent, or {@link #UNSUPPORTED}. */
  public long txDropped() {
    return txDropped;
  }

  /** For how long the port has counted, or {@link #UNSUPPORTED}. */
  public long ageNanos() {
    return ageNanos;
  }
}
