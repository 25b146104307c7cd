package org.evenweave.sdd.protocol;

import org.evenweave.sdd.protocol.wire.Clock;
import org.evenweave.sdd.protocol.wire.SafePolicy;

/** The parameters of all sessions of a controller: clock, periods, behaviour after its loss. */
public final class SessionTerms {
  private final Clock clock;
  private final long epochNs;
  private final long periodNs;
  private final long guardNs;
  private final int lostAfterPeriods;
  private final int takeOverAfterPeriods;
  private final SafePolicy safePolicy;
  private final long safeRateBps;
  private final long packetDelayNs;

  /**
   * @param epochNs when period 0 starts, by the clock
   * @param periodNs above 0
   * @param guardNs how much earlier than its circuit a slot ends; 0 or more
   * @param lostAfterPeriods without a datagram for so many periods a host falls back; 1 or more
   * @param takeOverAfterPeriods without a datagram for so many periods a client leaves the
   *     controller for one that stands by; 1 or more
   * @param safeRateBps of {@link SafePolicy#RATE}; 0 with the others
   * @param packetDelayNs how much longer a packet is in flight by the packet switch than by a
   *     circuit, at most; 0 if nothing changes from one to the other
   */
  public SessionTerms(
      Clock clock,
      long epochNs,
      long periodNs,
      long guardNs,
      int lostAfterPeriods,
      int takeOverAfterPeriods,
      SafePolicy safePolicy,
      long safeRateBps,
      long packetDelayNs) {
    this.clock = clock;
    this.epochNs = epochNs;
    this.periodNs = Ranges.between(periodNs, 1, Long.MAX_VALUE, "periodNs");
    this.guardNs = Ranges.between(guardNs, 0, periodNs - 1, "guardNs");
    this.lostAfterPeriods =
        (int) Ranges.between(lostAfterPeriods, 1, Integer.MAX_VALUE, "lostAfterPeriods");
    this.takeOverAfterPeriods =
        (int) Ranges.between(takeOverAfterPeriods, 1, Integer.MAX_VALUE, "takeOverAfterPeriods");
    this.safePolicy = safePolicy;
    this.safeRateBps =
        Ranges.between(
            safeRateBps, safePolicy == SafePolicy.RATE ? 1 : 0, Limits.MAX_RATE_BPS, "safeRateBps");
    this.packetDelayNs = Ranges.between(packetDelayNs, 0, periodNs, "packetDelayNs");
  }

  public Clock clock() {
    return clock;
  }

  public long epochNs() {
    return epochNs;
  }

  public long periodNs() {
    return periodNs;
  }

  public long guardNs() {
    return guardNs;
  }

  public int lostAfterPeriods() {
    return lostAfterPeriods;
  }

  public int takeOverAfterPeriods() {
    return takeOverAfterPeriods;
  }

  public SafePolicy safePolicy() {
    return safePolicy;
  }

  public long safeRateBps() {
    return safeRateBps;
  }

  public long packetDelayNs() {
    return packetDelayNs;
  }

  /** The period of a time; negative before the epoch. */
  public long periodAt(long timeNs) {
    return Math.floorDiv(timeNs - epochNs, periodNs);
  }

  /** When a period starts. */
  public long startNs(long period) {
    return Math.addExact(epochNs, Math.multiplyExact(period, periodNs));
  }
}
