package org.evenweave.engine.links;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Whether one direction of a link is lossy or slow, with hysteresis: it becomes so when a rule
 * finds it, and is clean again when nothing has been found for {@link #CLEAN_NANOS}, measured all
 * the while. A direction that loses packets is lossy whether it delays them or not. Each time that
 * it becomes lossy or slow again within {@link #REMEMBERED_NANOS} doubles that, up to {@link
 * #MOST_DOUBLINGS} times, for a link without traffic shows little of what it would lose. Not
 * thread-safe.
 */
final class LossState {
  static final long CLEAN_NANOS = 120_000_000_000L;
  static final long REMEMBERED_NANOS = 3_600_000_000_000L;
  static final int MOST_DOUBLINGS = 5;

  /** What a direction is. */
  enum Kind {
    CLEAN,
    LOSSY,
    SLOW
  }

  /** How a loss or a delay shows. */
  private enum Cause {
    COUNTERS,
    ERRORS,
    PROBES,
    DELAY
  }

  private static final double MILLI_NANOS = 1e6;

  private Kind kind = Kind.CLEAN;
  private Cause cause;

  /** How bad it is: a share of packets, or a delay in nanoseconds. */
  private double amount;

  private Instant since;
  private long cleanNanos;
  private int times;
  private long cleanedAtNanos;

  /**
   * Follows what has been measured.
   *
   * @param passedNanos since the time before
   * @return whether it is of another kind now
   */
  boolean follow(
      DirectionLoss counters,
      ProbeHistory probes,
      ProbeDelay delay,
      long passedNanos,
      long nowNanos) {
    Cause found = null;
    double foundAmount = 0;
    if (counters.losesPackets()) {
      found = Cause.COUNTERS;
      foundAmount = counters.lostShare();
    } else if (counters.countsErrors()) {
      found = Cause.ERRORS;
      foundAmount = shareOf(counters.errors(), counters.sent());
    } else if (probes.losesProbes()) {
      found = Cause.PROBES;
      foundAmount = shareOf(probes.lostProbes(), probes.probes());
    } else if (delay.isSlow()) {
      found = Cause.DELAY;
      foundAmount = delay.aboutNanos();
    }
    Kind before = kind;
    if (found != null) {
      become(found, foundAmount, nowNanos);
    } else if (before != Kind.CLEAN && isClean(counters, probes, delay)) {
      cleanNanos += passedNanos;
      if (cleanNanos >= CLEAN_NANOS << Math.min(MOST_DOUBLINGS, times - 1)) {
        kind = Kind.CLEAN;
        cleanedAtNanos = nowNanos;
      }
    }
    return kind != before;
  }

  /** Damaged packets may be counted that were not sent. */
  private static double shareOf(long packets, long ofAll) {
    return Math.min(1, (double) packets / Math.max(1, ofAll));
  }

  private void become(Cause found, double foundAmount, long nowNanos) {
    if (kind == Kind.CLEAN) {
      boolean isRemembered = times > 0 && nowNanos - cleanedAtNanos < REMEMBERED_NANOS;
      times = isRemembered ? times + 1 : 1;
      since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      amount = 0;
    }
    Kind foundKind = found == Cause.DELAY ? Kind.SLOW : Kind.LOSSY;
    // What was said stays, unless it is worse than that: a loss that ends fades for a minute.
    boolean isWorse = foundKind == kind ? foundAmount > 2 * amount : kind != Kind.LOSSY;
    if (isWorse) {
      kind = foundKind;
      cause = found;
      amount = foundAmount;
    }
    cleanNanos = 0;
  }

  /** Known to be so by the counters or by probes, and by neither to be otherwise. */
  private static boolean isClean(DirectionLoss counters, ProbeHistory probes, ProbeDelay delay) {
    boolean hasCounters = counters.seconds() > 0;
    boolean hasProbes = probes.probes() > 0;
    return (hasCounters || hasProbes)
        && (!hasCounters || counters.isClean())
        && (!hasProbes || probes.isClean())
        && (!delay.isKnown() || delay.isPrompt());
  }

  Kind kind() {
    return kind;
  }

  /** When it became lossy or slow; null while it is neither. */
  Instant since() {
    return kind == Kind.CLEAN ? null : since;
  }

  /** The part of the packets, or of the probes, that is lost; 0 while it is not lossy. */
  double share() {
    return kind == Kind.LOSSY ? amount : 0;
  }

  /** As in {@code s1-0/1 to s2-0/1 loses about 0.1 % of packets}. */
  String sentence(LinkDirection direction) {
    if (cause == Cause.DELAY) {
      return direction + " delays packets by about " + digits(amount / MILLI_NANOS) + " ms";
    }
    String percent = digits(100 * amount);
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

  /** What is measured is not more exact than that. */
  private static String digits(double number) {
    return BigDecimal.valueOf(number)
        .round(new MathContext(1))
        .stripTrailingZeros()
        .toPlainString();
  }
}
