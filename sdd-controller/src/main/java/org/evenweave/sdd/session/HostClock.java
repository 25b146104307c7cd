package org.evenweave.sdd.session;

import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;

/** How well a host's clock agrees with the shared one. Immutable. */
public final class HostClock {
  /**
   * How far a message can have travelled, and how far two clocks can differ and be the same one.
   */
  private static final long PLAUSIBLE_NS = 1_000_000_000;

  private final long offsetNs;
  private final long errorBoundNs;
  private final boolean synchronised;
  private final long seenDifferenceNs;

  HostClock(ClockStatusDecoder message, long nowNs) {
    offsetNs = message.offsetNs();
    errorBoundNs = message.errorBoundNs();
    synchronised = message.synchronised() == BooleanType.YES;
    seenDifferenceNs = message.timeNs() - nowNs;
  }

  /** The offset from its master, as the host measures it. */
  public long offsetNs() {
    return offsetNs;
  }

  /** The bound on the offset's error. */
  public long errorBoundNs() {
    return errorBoundNs;
  }

  /** Whether the host reports that it is synchronised. */
  public boolean synchronised() {
    return synchronised;
  }

  /** The host's time less this side's when its message came: travel time and gross faults. */
  public long seenDifferenceNs() {
    return seenDifferenceNs;
  }

  /**
   * Whether the host may be given slots.
   *
   * @param guardNs the longest error that does no harm
   */
  public boolean isGood(long guardNs) {
    return synchronised
        && errorBoundNs <= guardNs
        && seenDifferenceNs > -PLAUSIBLE_NS
        && seenDifferenceNs < PLAUSIBLE_NS;
  }
}
