package org.evenweave.bench.optimality;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench optimality}: in how many random groups Algorithm 1 is not optimal. */
@Command(
    name = "optimality",
    description = {
      "Counts random groups for which Algorithm 1 is not optimal.",
      "Reduces 30,000 groups within limits by Algorithm 1 in exact arithmetic and in"
          + " floating point, and by Evenweave, and compares their sizes with the least"
          + " possible. Always the same for a seed. Prints Markdown, or JSON.",
      "Example: ./evenweave bench optimality --json | jq .suboptimal"
    })
public final class OptimalityCommand implements Runnable {
  private static final String[] LIMITS = {"1.02", "1.05", "1.1"};
  private static final int GROUPS = 30_000;
  private static final int QUICK_GROUPS = 120;

  @Mixin private BenchmarkOptions options;

  @Override
  public void run() {
    int cases = GroupKind.values().length * LIMITS.length;
    int groups = (options.quick ? QUICK_GROUPS : GROUPS) / cases;
    List<Verdict> verdicts = new ArrayList<>();
    for (GroupKind kind : GroupKind.values()) {
      for (String limit : LIMITS) {
        Progress.say("%s, limit %s", kind.label(), limit);
        // Groups of their own for each limit, or there would be a third as many.
        verdicts.add(Verdict.on(kind, limit, groups, options.seed + verdicts.size()));
      }
    }
    System.out.print(options.json ? toJson(verdicts) + "\n" : toMarkdown(verdicts));
  }

  private ObjectNode toJson(List<Verdict> verdicts) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("experiment", "optimality").put("paper", "section 3.3.2").put("seed", options.seed);
    json.put("groups", sum(verdicts, verdict -> verdict.groups))
        .put("suboptimal", sum(verdicts, Verdict::suboptimal))
        .put("suboptimalInDoubles", sum(verdicts, Verdict::suboptimalInDoubles))
        .put("belowByTolerance", sum(verdicts, Verdict::belowByTolerance))
        .put("suboptimalEvenweave", sum(verdicts, Verdict::suboptimalHere));
    for (Verdict verdict : verdicts) {
      json.withArray("cases")
          .addObject()
          .put("kind", verdict.kind.label())
          .put("limit", new BigDecimal(verdict.limit))
          .put("groups", verdict.groups)
          .put("meanOptimalEntries", verdict.meanOptimalEntries())
          .put("suboptimal", verdict.suboptimal())
          .put("suboptimalInDoubles", verdict.suboptimalInDoubles())
          .put("belowByTolerance", verdict.belowByTolerance())
          .put("mostBelowByTolerance", verdict.mostBelowByTolerance())
          .put("suboptimalEvenweave", verdict.suboptimalHere());
    }
    return json;
  }

  private static String toMarkdown(List<Verdict> verdicts) {
    StringBuilder text =
        new StringBuilder(
            "| groups | limit | number | least entries, mean | not optimal: Algorithm 1"
                + " | in floating point | Evenweave | smaller by tolerance | by at most |\n"
                + "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (Verdict verdict : verdicts) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %d | %.1f | %d | %d | %d | %d | %.2f %% |%n",
              verdict.kind.label(),
              verdict.limit,
              verdict.groups,
              verdict.meanOptimalEntries(),
              verdict.suboptimal(),
              verdict.suboptimalInDoubles(),
              verdict.suboptimalHere(),
              verdict.belowByTolerance(),
              100 * verdict.mostBelowByTolerance()));
    }
    return text.append(
            String.format(
                Locale.ROOT,
                "| all | | %d | | %d | %d | %d | %d | |%n",
                sum(verdicts, verdict -> verdict.groups),
                sum(verdicts, Verdict::suboptimal),
                sum(verdicts, Verdict::suboptimalInDoubles),
                sum(verdicts, Verdict::suboptimalHere),
                sum(verdicts, Verdict::belowByTolerance)))
        .toString();
  }

  private static int sum(List<Verdict> verdicts, ToIntFunction<Verdict> count) {
    return verdicts.stream().mapToInt(count).sum();
  }
}
