package org.evenweave.sdd.session;

import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;

/** The error of a host's clock relative to the shared one, as reported by the host. Immutable. */
public final class HostClock {
  private final long offsetNs;
  private final long errorBoundNs;
  private final boolean synchronised;

  HostClock(ClockStatusDecoder message) {
    offsetNs = message.offsetNs();
    errorBoundNs = message.errorBoundNs();
    synchronised = message.synchronised() == BooleanType.YES;
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

  /**
   * Whether the host says that its clock is right.
   *
   * @param guardNs the longest error that does no harm
   */
  public boolean isGood(long guardNs) {
    return synchronised && errorBoundNs <= guardNs;
  }
}
