package org.evenweave.engine.demand;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Computes rates from the rule counters of one switch.
 *
 * <p>A rate is an exponentially weighted moving average over time: a sample of a rate over t
 * seconds counts 1 - exp(-t / timeConstant), so that samples that come late or are missing weigh as
 * much as those that they stand for. Nothing is concluded from a sample that did not come.
 *
 * <p>A rule that is younger than the sample before has been installed again meanwhile, or its
 * switch has restarted: its counter began at 0 then, and is the rate of its age. Counters wrap
 * around at 2^64; a difference beyond 2^62 bytes is none, and measurement starts again. Not
 * thread-safe.
 */
final class RuleRates {
  private static final double NANOS_PER_SECOND = 1e9;

  /** In no time between two samples does a port send as much. */
  private static final long MOST_BYTES = 1L << 62;

  /** Switches count a rule's age in coarser steps than clocks do. */
  private static final long AGE_ERROR_NANOS = 50_000_000L;

  private static final class Counter {
    private long bytes;
    private long atNanos;
    private boolean hasRate;
    private double bps;
  }

  private final double timeConstantNanos;

  /** By prefix and then source, which is null of the rule for all packets to the prefix. */
  private final Map<Ipv4Prefix, Map<Ipv4Prefix, Counter>> counters = new HashMap<>();

  private long sampledAtNanos;

  RuleRates(long timeConstantNanos) {
    this.timeConstantNanos = timeConstantNanos;
  }

  /**
   * Takes what all rules of the switch have counted. Rules that it has no more are forgotten.
   *
   * @param atNanos when the switch was asked, later than the time before
   */
  void sample(Collection<RuleCount> counts, long atNanos) {
    Map<Ipv4Prefix, Map<Ipv4Prefix, Counter>> before = new HashMap<>(counters);
    counters.clear();
    for (RuleCount count : counts) {
      Counter known = before.getOrDefault(count.prefix(), new HashMap<>()).get(count.source());
      Counter counter = known == null ? new Counter() : known;
      sample(counter, known != null, count, atNanos);
      counters
          .computeIfAbsent(count.prefix(), prefix -> new HashMap<>())
          .put(count.source(), counter);
    }
    sampledAtNanos = atNanos;
  }

  private void sample(Counter counter, boolean known, RuleCount count, long atNanos) {
    long nanos = atNanos - counter.atNanos;
    long bytes = count.bytes() - counter.bytes;
    if (known && count.ageNanos() + AGE_ERROR_NANOS < nanos) {
      nanos = count.ageNanos();
      bytes = count.bytes();
    }
    boolean isPlausible = bytes >= 0 && bytes <= MOST_BYTES;
    if (known && isPlausible && nanos > 0) {
      double bps = bytes * Byte.SIZE * NANOS_PER_SECOND / nanos;
      double weight = counter.hasRate ? -Math.expm1(-nanos / timeConstantNanos) : 1;
      counter.bps += weight * (bps - counter.bps);
      counter.hasRate = true;
    }
    counter.bytes = count.bytes();
    counter.atNanos = atNanos;
  }

  /** When the latest sample was asked for. */
  long sampledAtNanos() {
    return sampledAtNanos;
  }

  /** The rate to a prefix in bits per second; 0 if its rules were seen once only, or never. */
  double bps(Ipv4Prefix prefix) {
    return counters.getOrDefault(prefix, Map.of()).values().stream()
        .mapToDouble(counter -> counter.bps)
        .sum();
  }

  /** The rates known, in bits per second; none where all rules were seen once only. */
  SortedMap<Ipv4Prefix, Double> bps() {
    SortedMap<Ipv4Prefix, Double> rates = new TreeMap<>();
    counters.forEach(
        (prefix, ofPrefix) -> {
          if (ofPrefix.values().stream().anyMatch(counter -> counter.hasRate)) {
            rates.put(prefix, bps(prefix));
          }
        });
    return rates;
  }
}
