package org.evenweave.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values that one scrape finds. Not thread-safe. */
public final class Scrape {
  private final Map<Family, List<Point>> points = new LinkedHashMap<>();
  private final List<MetricSnapshot> others = new ArrayList<>();

  private static final class Point {
    final double value;
    final Labels labels;

    Point(double value, Labels labels) {
      this.value = value;
      this.labels = labels;
    }
  }

  /**
   * Adds a value.
   *
   * @param family a counter or a gauge
   * @param labelValues one for each label of the family, in its order
   */
  public void set(Family family, double value, String... labelValues) {
    if (labelValues.length != family.labels().size()) {
      throw new IllegalArgumentException(
          family.name() + " has the labels " + family.labels() + ", not " + labelValues.length);
    }
    Labels labels = Labels.of(family.labels().toArray(new String[0]), labelValues);
    points.computeIfAbsent(family, key -> new ArrayList<>()).add(new Point(value, labels));
  }

  /** Adds 1 for true and 0 for false. */
  public void set(Family family, boolean value, String... labelValues) {
    set(family, value ? 1 : 0, labelValues);
  }

  /** Adds a metric that counts by itself, unless it has counted nothing. */
  public void add(MetricSnapshot snapshot) {
    if (!snapshot.getDataPoints().isEmpty()) {
      others.add(snapshot);
    }
  }

  MetricSnapshots snapshots() {
    List<MetricSnapshot> all = new ArrayList<>(others);
    points.forEach((family, values) -> all.add(snapshot(family, values)));
    return new MetricSnapshots(all);
  }

  private static MetricSnapshot snapshot(Family family, List<Point> values) {
    switch (family.type()) {
      case COUNTER:
        CounterSnapshot.Builder counter =
            CounterSnapshot.builder().name(family.modelName()).help(family.help());
        for (Point point : values) {
          counter.dataPoint(
              CounterSnapshot.CounterDataPointSnapshot.builder()
                  .value(point.value)
                  .labels(point.labels)
                  .build());
        }
        return counter.build();
      case GAUGE:
        GaugeSnapshot.Builder gauge =
            GaugeSnapshot.builder().name(family.modelName()).help(family.help());
        for (Point point : values) {
          gauge.dataPoint(
              GaugeSnapshot.GaugeDataPointSnapshot.builder()
                  .value(point.value)
                  .labels(point.labels)
                  .build());
        }
        return gauge.build();
      default:
        throw new IllegalArgumentException(family.name() + " counts by itself");
    }
  }
}
