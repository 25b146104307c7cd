package org.evenweave.bench.scale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;

/** Values of one kind, as many as were measured. */
final class Samples {
  private double[] values = new double[64];
  private int count;

  void add(double value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = value;
  }

  /**
   * The smallest value that is not exceeded by this part of all (nearest rank).
   *
   * @param part more than 0, at most 1
   */
  double percentile(double part) {
    double[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(part * count) - 1];
  }

  double median() {
    return percentile(0.5);
  }

  double mean() {
    return Arrays.stream(values, 0, count).average().orElseThrow();
  }

  /** Median, 99th percentile and number. */
  ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("p50", median())
        .put("p99", percentile(0.99))
        .put("n", count);
  }
}
