package org.evenweave.bench.reduction;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.reduction.Ratio;

/** A benchmark case: the groups to reduce, and the limit. */
final class ReductionCase {
  final Weights weights;
  final int minPorts;
  final int ports;
  final int minWeight;
  final int maxWeight;
  final String limit;
  final int groups;

  ReductionCase(
      Weights weights,
      int minPorts,
      int ports,
      int minWeight,
      int maxWeight,
      String limit,
      int groups) {
    this.weights = weights;
    this.minPorts = minPorts;
    this.ports = ports;
    this.minWeight = minWeight;
    this.maxWeight = maxWeight;
    this.limit = limit;
    this.groups = groups;
  }

  static ReductionCase uniform(int ports, int minWeight, int maxWeight, String limit, int groups) {
    return new ReductionCase(Weights.uniform, ports, ports, minWeight, maxWeight, limit, groups);
  }

  static ReductionCase fabric(int minPorts, int ports, String limit, int groups) {
    return new ReductionCase(Weights.fabric, minPorts, ports, 1, 9, limit, groups);
  }

  Ratio exactLimit() {
    return Ratio.parse(limit);
  }

  RandomGroup[] groups(long seed) {
    return weights.groups(this, seed);
  }

  /** By field name, in the result and in {@link ReductionBenchmark}. */
  Map<String, Object> parameters() {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("weights", weights.name());
    parameters.put("minPorts", minPorts);
    parameters.put("ports", ports);
    parameters.put("minWeight", minWeight);
    parameters.put("maxWeight", maxWeight);
    parameters.put("limit", new BigDecimal(limit));
    parameters.put("groups", groups);
    return parameters;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s weights from %d to %d, %d to %d ports, limit %s",
        weights,
        minWeight,
        maxWeight,
        minPorts,
        ports,
        limit);
  }
}
