package org.evenweave.bench.reduction;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.MedianTime;
import org.evenweave.bench.common.Progress;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.bench.report.CasesReport;
import org.evenweave.bench.report.Comparison;
import org.evenweave.bench.report.Outcome;
import org.evenweave.wcmp.reduction.Ratio;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench reduction}: the smallest group within an oversubscription limit. */
@Command(
    name = "reduction",
    description = {
      "Reduces groups, and compares four ways to do it.",
      "Reduces the same random groups within an oversubscription limit, by",
      "Algorithm 1 as printed, a greedy on a heap, scale-and-floor, and Evenweave:",
      "time, entries, oversubscription.",
      "Example: ./evenweave bench reduction --json | jq '.cases[0].timesOurs'"
    })
public final class ReductionCommand implements Runnable {
  private static final int MAX_WEIGHT = 1000;

  @Mixin private BenchmarkOptions options;

  @Override
  public void run() {
    List<Comparison> cases = new ArrayList<>();
    if (options.quick) {
      cases.add(compare(8, 1, "1.05", 10, MedianTime.quick()));
    } else {
      // The case of the goal first.
      cases.add(compare(64, 1, "1.05", 1000, MedianTime.thorough()));
      cases.add(compare(64, 1, "1.01", 1000, MedianTime.thorough()));
      cases.add(compare(64, 1, "1.1", 1000, MedianTime.thorough()));
      cases.add(compare(64, 500, "1.05", 1000, MedianTime.thorough()));
      cases.add(compare(16, 1, "1.05", 1000, MedianTime.thorough()));
      cases.add(compare(256, 1, "1.05", 200, MedianTime.thorough()));
    }
    CasesReport.print(options, cases);
  }

  private Comparison compare(int ports, int minWeight, String limit, int groups, MedianTime time) {
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("ports", ports);
    given.put("minWeight", minWeight);
    given.put("maxWeight", MAX_WEIGHT);
    given.put("limit", new BigDecimal(limit));
    given.put("groups", groups);
    Comparison comparison = new Comparison(given);
    RandomGroup[] ideal = RandomGroup.many(options.seed, groups, ports, minWeight, MAX_WEIGHT);
    for (ReductionAlgorithm algorithm : ReductionAlgorithm.values()) {
      Progress.say("%d ports, weights from %d, limit %s: %s", ports, minWeight, limit, algorithm);
      Outcome outcome = new Outcome();
      for (RandomGroup group : ideal) {
        outcome.add(group, algorithm.reduce(group, Ratio.parse(limit)));
      }
      Map<String, Object> parameters = new LinkedHashMap<>(given);
      parameters.put("seed", options.seed);
      parameters.put("algorithm", algorithm);
      comparison.add(
          algorithm.name(), outcome.timed(time.ns(ReductionBenchmark.class, parameters)));
    }
    return comparison;
  }
}
