package org.evenweave.bench.leaveout;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightReduction;

/** Random groups with an entry for each port, as Algorithms 1 to 4 have them, and without. */
final class LeaveOutRow {
  final SlowLinks kind;

  /** What was asked for: a limit on the oversubscription, or entries of a table. */
  final String asked;

  final Means never;
  final Means auto;

  /** Means over all groups. */
  static final class Means {
    final double entries;
    final double oversubscription;
    final double worstOversubscription;
    final double portsLeftOut;
    final double capacityUnused;

    private Means(List<Outcome> outcomes) {
      entries = mean(outcomes, outcome -> outcome.entries);
      oversubscription = mean(outcomes, outcome -> outcome.oversubscription);
      worstOversubscription =
          outcomes.stream().mapToDouble(outcome -> outcome.oversubscription).max().orElse(1);
      portsLeftOut = mean(outcomes, outcome -> outcome.portsLeftOut);
      capacityUnused = mean(outcomes, outcome -> outcome.capacityUnused);
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
      return outcomes.stream().mapToDouble(figure).average().orElse(0);
    }
  }

  private static final class Outcome {
    final long entries;
    final double oversubscription;
    final int portsLeftOut;
    final double capacityUnused;

    Outcome(long[] ideal, int[] reduced) {
      entries = Arrays.stream(reduced).asLongStream().sum();
      oversubscription = Oversubscription.of(ideal, reduced).toDouble();
      int ports = 0;
      double unused = 0;
      for (int i = 0; i < reduced.length; i++) {
        ports += reduced[i] == 0 ? 1 : 0;
        unused += reduced[i] == 0 ? ideal[i] : 0;
      }
      portsLeftOut = ports;
      capacityUnused = unused / Arrays.stream(ideal).asDoubleStream().sum();
    }
  }

  private LeaveOutRow(
      SlowLinks kind,
      String asked,
      long[][] groups,
      Function<long[], int[]> never,
      Function<long[], int[]> auto) {
    this.kind = kind;
    this.asked = asked;
    this.never = means(groups, never);
    this.auto = means(groups, auto);
  }

  private static Means means(long[][] groups, Function<long[], int[]> reduction) {
    return new Means(
        Arrays.stream(groups)
            .map(ideal -> new Outcome(ideal, reduction.apply(ideal)))
            .collect(Collectors.toList()));
  }

  /** Reduced within a limit on the oversubscription (Tewari 2015, Equation 3.3). */
  static LeaveOutRow within(String limit, SlowLinks kind, long[][] groups) {
    Ratio exact = Ratio.parse(limit);
    return new LeaveOutRow(
        kind,
        "limit " + limit,
        groups,
        ideal -> WeightReduction.reduce(ideal, exact),
        ideal -> WeightReduction.reduce(ideal, exact, LeaveOut.DEFAULT_MIN_NEXT_HOPS));
  }

  /** Fitted into a table (Equation 3.4). */
  static LeaveOutRow into(int entries, SlowLinks kind, long[][] groups) {
    return new LeaveOutRow(
        kind,
        "table " + entries,
        groups,
        ideal -> TableFitting.fit(ideal, entries),
        ideal -> TableFitting.fit(ideal, entries, LeaveOut.DEFAULT_MIN_NEXT_HOPS));
  }
}
