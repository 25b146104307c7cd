package org.evenweave.bench.optimality;

import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.reduction.GroupReducer;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;

/** In how many random groups of a kind, reduced within a limit, an algorithm misses the optimum. */
final class Verdict {
  /** One more than a tolerance of solvers in floating point: GLPK's for integers, by default. */
  private static final Ratio TOLERANCE = Ratio.parse("1.00001");

  final GroupKind kind;
  final String limit;
  final int groups;
  private long optimalEntries;
  private int suboptimal;
  private int suboptimalInDoubles;
  private int belowByTolerance;
  private double mostBelow;
  private int suboptimalHere;

  private Verdict(GroupKind kind, String limit, int groups) {
    this.kind = kind;
    this.limit = limit;
    this.groups = groups;
  }

  /** Reduces the groups in each way and compares sizes with {@link LeastGroup}. */
  static Verdict on(GroupKind kind, String limit, int groups, long seed) {
    Verdict verdict = new Verdict(kind, limit, groups);
    Ratio exact = Ratio.parse(limit);
    double rounded = Double.parseDouble(limit);
    GroupReducer reducer = new GroupReducer();
    int[] entries = new int[kind.ports];
    for (RandomGroup group : kind.groups(seed, groups)) {
      int least = LeastGroup.entries(group.ints, exact);
      int tolerated = LeastGroup.entries(group.ints, exact.times(TOLERANCE));
      verdict.optimalEntries += least;
      verdict.suboptimal +=
          missed(least, group, g -> IntStream.of(PaperReduction.reduce(g.ints, exact)).sum());
      verdict.suboptimalInDoubles +=
          missed(least, group, g -> IntStream.of(ReductionInDoubles.reduce(g.ints, rounded)).sum());
      verdict.belowByTolerance += tolerated < least ? 1 : 0;
      verdict.mostBelow = Math.max(verdict.mostBelow, (double) least / tolerated - 1);
      verdict.suboptimalHere += missed(least, group, g -> reducer.reduce(g.longs, exact, entries));
    }
    return verdict;
  }

  private static int missed(int least, RandomGroup group, ToIntFunction<RandomGroup> size) {
    return size.applyAsInt(group) == least ? 0 : 1;
  }

  /** Entries of the smallest groups, of one on average. */
  double meanOptimalEntries() {
    return (double) optimalEntries / groups;
  }

  /** Groups for which Algorithm 1, compared exactly, needs another number of entries. */
  int suboptimal() {
    return suboptimal;
  }

  /** The same for Algorithm 1 in floating point. */
  int suboptimalInDoubles() {
    return suboptimalInDoubles;
  }

  /** Groups for which there is a smaller one that exceeds the limit by no more than a tolerance. */
  int belowByTolerance() {
    return belowByTolerance;
  }

  /** By what part of their size smallest groups are larger at most than such ones. */
  double mostBelowByTolerance() {
    return mostBelow;
  }

  /** The same for the reduction that the product uses. */
  int suboptimalHere() {
    return suboptimalHere;
  }
}
