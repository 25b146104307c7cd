package org.evenweave.metrics;

import io.prometheus.metrics.core.metrics.Histogram;

/** A histogram of times in seconds, divided by one label. Safe for many threads, without locks. */
public final class Timings {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Family family;
  private final Histogram histogram;

  /**
   * @param family a histogram with one label
   * @param upperBounds of the buckets, in seconds, ascending
   */
  public Timings(Family family, double... upperBounds) {
    this.family = family;
    Histogram.Builder builder =
        Histogram.builder()
            .name(family.name())
            .help(family.help())
            .labelNames(family.labels().toArray(new String[0]))
            .classicOnly()
            .classicUpperBounds(upperBounds);
    builder.withoutExemplars();
    histogram = builder.build();
  }

  public Family family() {
    return family;
  }

  /** Counts a time. Negative ones, which a clock that steps makes, count as 0. */
  public void observe(String label, long nanos) {
    histogram.labelValues(label).observe(Math.max(0, nanos) / NANOS_PER_SECOND);
  }

  /** Adds what was counted so far. */
  public void collect(Scrape scrape) {
    scrape.add(histogram.collect());
  }
}
