package org.evenweave.bench.reduction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.MedianTime;
import org.evenweave.bench.common.Progress;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.bench.report.CasesReport;
import org.evenweave.bench.report.Comparison;
import org.evenweave.bench.report.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench reduction}: the smallest group within an oversubscription limit. */
@Command(
    name = "reduction",
    description = {
      "Reduces groups, and compares six ways to do it.",
      "Reduces the same random groups within an oversubscription limit, by Algorithm 1"
          + " as printed, the same on a heap and on one as tight as in C, scale-and-floor, and"
          + " Evenweave, with all groups new to it and as it is: time, entries,"
          + " oversubscription.",
      "Example: ./evenweave bench reduction --json | jq '.cases[0].timesOurs'"
    })
public final class ReductionCommand implements Runnable {
  @Mixin private BenchmarkOptions options;

  @Override
  public void run() {
    List<Comparison> cases = new ArrayList<>();
    if (options.quick) {
      cases.add(compare(ReductionCase.uniform(8, 1, 1000, "1.05", 10), MedianTime.quick()));
      cases.add(compare(ReductionCase.fabric(8, 16, "1.05", 10), MedianTime.quick()));
    } else {
      for (ReductionCase given : thoroughCases()) {
        cases.add(compare(given, MedianTime.thorough()));
      }
    }
    CasesReport.print(options, cases);
  }

  /** The case of the goal first. */
  private static List<ReductionCase> thoroughCases() {
    return List.of(
        ReductionCase.uniform(64, 1, 1000, "1.05", 1000),
        ReductionCase.uniform(64, 1, 1000, "1.01", 1000),
        ReductionCase.uniform(64, 1, 1000, "1.1", 1000),
        ReductionCase.uniform(64, 500, 1000, "1.05", 1000),
        ReductionCase.uniform(64, 6, 8, "1.05", 1000),
        ReductionCase.uniform(16, 1, 1000, "1.05", 1000),
        ReductionCase.uniform(8, 1, 16, "1.05", 1000),
        ReductionCase.uniform(256, 1, 1000, "1.05", 200),
        ReductionCase.fabric(8, 64, "1.05", 1000),
        ReductionCase.fabric(64, 64, "1.05", 1000),
        ReductionCase.fabric(8, 8, "1.05", 1000));
  }

  private Comparison compare(ReductionCase given, MedianTime time) {
    RandomGroup[] ideal = given.groups(options.seed);
    Map<String, Object> described = new LinkedHashMap<>(given.parameters());
    described.put("distinctGroups", distinct(ideal));
    Comparison comparison = new Comparison(described);
    for (ReductionAlgorithm algorithm : ReductionAlgorithm.values()) {
      Progress.say("%s: %s", given, algorithm);
      Function<RandomGroup, int[]> reduction = algorithm.within(given.exactLimit(), given.ports);
      Outcome outcome = new Outcome();
      for (RandomGroup group : ideal) {
        outcome.add(group, Arrays.copyOf(reduction.apply(group), group.ints.length));
      }
      Map<String, Object> parameters = new LinkedHashMap<>(given.parameters());
      parameters.put("seed", options.seed);
      parameters.put("algorithm", algorithm);
      double ns = time.ns(ReductionBenchmark.class, parameters) / ReductionBenchmark.GROUPS;
      comparison.add(algorithm.name(), outcome.timed(ns));
    }
    return comparison;
  }

  /** How many groups differ by more than the order of their ports. */
  private static long distinct(RandomGroup[] groups) {
    return Arrays.stream(groups)
        .map(group -> Arrays.toString(Arrays.stream(group.ints).sorted().toArray()))
        .distinct()
        .count();
  }
}
