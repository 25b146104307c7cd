package org.evenweave.bench.fitting;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench fitting}: the best groups that a table can hold. */
@Command(
    name = "fitting",
    description = {
      "Fits groups into tables, and compares several ways to do it.",
      "Fits the same random groups into a table: one group by Algorithm 3 as printed, a"
          + " greedy on a heap, scale-and-floor, largest remainders, and Evenweave by each of"
          + " its objectives; many groups by Algorithm 4 and the last three. Time, entries,"
          + " oversubscription, L1, utilisation.",
      "Example: ./evenweave bench fitting --json | jq .cases[].maxOversubscription"
    })
public final class FittingCommand implements Runnable {
  private static final int MAX_WEIGHT = 1000;

  @Mixin private BenchmarkOptions options;

  @Override
  public void run() {
    List<Comparison> cases = new ArrayList<>();
    if (options.quick) {
      cases.add(compare(8, 1, 1, 16, 10, MedianTime.quick()));
      cases.add(compare(4, 1, 3, 24, 6, MedianTime.quick()));
    } else {
      for (int entries : new int[] {128, 256, 512}) {
        cases.add(compare(64, 100, 1, entries, 1000, MedianTime.thorough()));
      }
      // One port of little weight is enough for a large oversubscription.
      cases.add(compare(64, 1, 1, 256, 1000, MedianTime.thorough()));
      cases.add(compare(64, 1, 1, 1024, 1000, MedianTime.thorough()));
      // Not too unequal weights, or Algorithm 4 has thousands of steps of 0.001 to go.
      cases.add(compare(8, 100, 16, 1024, 480, MedianTime.thorough()));
      cases.add(compare(16, 100, 32, 4096, 640, MedianTime.thorough()));
    }
    CasesReport.print(options, cases);
  }

  private Comparison compare(
      int ports, int minWeight, int groupsPerTable, int entries, int groups, MedianTime time) {
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("ports", ports);
    given.put("minWeight", minWeight);
    given.put("maxWeight", MAX_WEIGHT);
    given.put("entries", entries);
    given.put("groupsPerTable", groupsPerTable);
    given.put("groups", groups);
    Comparison comparison = new Comparison(given);
    RandomGroup[] ideal = RandomGroup.many(options.seed, groups, ports, minWeight, MAX_WEIGHT);
    for (FittingAlgorithm algorithm : FittingAlgorithm.values()) {
      if (groupsPerTable > 1 && algorithm == FittingAlgorithm.heap) {
        continue;
      }
      Progress.say(
          "%d groups of %d ports into %d entries: %s", groupsPerTable, ports, entries, algorithm);
      Outcome outcome = new Outcome();
      for (RandomGroup[] table : FilledTables.of(ideal, groupsPerTable)) {
        outcome.addTable(table, algorithm.fit(table, entries), entries);
      }
      Map<String, Object> parameters = new LinkedHashMap<>(given);
      parameters.put("seed", options.seed);
      parameters.put("algorithm", algorithm);
      comparison.add(algorithm.name(), outcome.timed(time.ns(FittingBenchmark.class, parameters)));
    }
    return comparison;
  }
}
