package org.evenweave.engine.links;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Whether one direction of a link is lossy, with hysteresis: it becomes lossy when a rule finds it
 * so, and is clean again when nothing has been found for {@link #CLEAN_NANOS}, measured all the
 * while. Each time that it becomes lossy again within {@link #REMEMBERED_NANOS} doubles that, up to
 * {@link #MOST_DOUBLINGS} times, for a link without traffic shows little of what it would lose. Not
 * thread-safe.
 */
final class LossState {
  static final long CLEAN_NANOS = 120_000_000_000L;
  static final long REMEMBERED_NANOS = 3_600_000_000_000L;
  static final int MOST_DOUBLINGS = 5;

  /** How a loss shows. */
  private enum Cause {
    COUNTERS,
    ERRORS,
    PROBES
  }

  private boolean lossy;
  private Cause cause;
  private double share;
  private Instant since;
  private long cleanNanos;
  private int times;
  private long cleanedAtNanos;

  /**
   * Follows what has been measured.
   *
   * @param passedNanos since the time before
   * @return whether it has become lossy or clean
   */
  boolean follow(DirectionLoss counters, ProbeHistory probes, long passedNanos, long nowNanos) {
    Cause found = null;
    double foundShare = 0;
    if (counters.losesPackets()) {
      found = Cause.COUNTERS;
      foundShare = counters.lostShare();
    } else if (counters.countsErrors()) {
      found = Cause.ERRORS;
      foundShare = shareOf(counters.errors(), counters.sent());
    } else if (probes.losesProbes()) {
      found = Cause.PROBES;
      foundShare = shareOf(probes.lostProbes(), probes.probes());
    }
    boolean wasLossy = lossy;
    if (found != null) {
      becomeLossy(found, foundShare, nowNanos);
    } else if (lossy && isClean(counters, probes)) {
      cleanNanos += passedNanos;
      if (cleanNanos >= CLEAN_NANOS << Math.min(MOST_DOUBLINGS, times - 1)) {
        lossy = false;
        cleanedAtNanos = nowNanos;
      }
    }
    return lossy != wasLossy;
  }

  /** Damaged packets may be counted that were not sent. */
  private static double shareOf(long packets, long ofAll) {
    return Math.min(1, (double) packets / Math.max(1, ofAll));
  }

  private void becomeLossy(Cause found, double foundShare, long nowNanos) {
    if (!lossy) {
      boolean isRemembered = times > 0 && nowNanos - cleanedAtNanos < REMEMBERED_NANOS;
      times = isRemembered ? times + 1 : 1;
      since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      lossy = true;
      share = 0;
    }
    // What was said stays, unless it is worse than that: a loss that ends fades for a minute.
    if (foundShare > 2 * share) {
      cause = found;
      share = foundShare;
    }
    cleanNanos = 0;
  }

  /** Known to be so by the counters or by probes, and by neither to be otherwise. */
  private static boolean isClean(DirectionLoss counters, ProbeHistory probes) {
    boolean hasCounters = counters.seconds() > 0;
    boolean hasProbes = probes.probes() > 0;
    return (hasCounters || hasProbes)
        && (!hasCounters || counters.isClean())
        && (!hasProbes || probes.isClean());
  }

  boolean isLossy() {
    return lossy;
  }

  /** When it became lossy; null while it is not. */
  Instant since() {
    return lossy ? since : null;
  }

  /** The part of the packets, or of the probes, that is lost; 0 while it is not lossy. */
  double share() {
    return lossy ? share : 0;
  }

  /** As in {@code s1-0/1 to s2-0/1 loses about 0.1 % of packets}. */
  String sentence(LinkDirection direction) {
    String percent =
        BigDecimal.valueOf(100 * share)
            .round(new MathContext(1))
            .stripTrailingZeros()
            .toPlainString();
    switch (cause) {
      case COUNTERS:
        return direction + " loses about " + percent + " % of packets";
      case ERRORS:
        return direction
            + " damages about "
            + percent
            + " % of packets, by its ports' error counters";
      default:
        return direction + " loses about " + percent + " % of probes";
    }
  }
}
