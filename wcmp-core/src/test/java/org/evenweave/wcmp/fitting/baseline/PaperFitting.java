package org.evenweave.wcmp.fitting.baseline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;

/**
 * Algorithms 3 and 4 as printed (Tewari 2015, section 3.3.2): the reference that tests and
 * benchmarks compare with. Exact arithmetic, for groups of up to 2^20 entries.
 */
public final class PaperFitting {
  /** Lines 1 and 2 of Algorithm 4, in thousandths. */
  private static final long FIRST_LIMIT = 1002;

  private static final long LIMIT_STEP = 1;

  private PaperFitting() {}

  /**
   * Algorithm 3, TableFitting(G, T). Lines 2 to 19 end: a round with k ports of weight 1 leaves at
   * most T - k entries on the others, so either the group fits or k has grown.
   *
   * @throws IllegalArgumentException if T is less than the number of ports: the ratio of line 12
   *     may then be negative, and nothing fits
   */
  public static int[] fit(int[] ideal, int entries) {
    int ports = ideal.length;
    if (entries < ports) {
      throw new IllegalArgumentException(
          "entries is " + entries + "; the least sufficient value is " + ports);
    }
    long idealSize = PaperReduction.size(ideal);
    int[] reduced = ideal.clone();
    while (PaperReduction.size(reduced) > entries) {
      long nonReducibleSize = IntStream.of(reduced).filter(weight -> weight == 1).count();
      for (int i = 0; i < ports; i++) {
        reduced[i] = (int) Math.max(1, ideal[i] * (entries - nonReducibleSize) / idealSize);
      }
    }
    long remainingSize = entries - PaperReduction.size(reduced);
    int[] best = reduced.clone();
    for (long k = 1; k <= remainingSize; k++) {
      reduced[PaperReduction.choosePortToUpdate(ideal, reduced)]++;
      if (isBetter(ideal, reduced, best)) {
        best = reduced.clone();
      }
    }
    return best;
  }

  private static boolean isBetter(int[] ideal, int[] a, int[] b) {
    int worstA = PaperReduction.worstPort(ideal, a);
    int worstB = PaperReduction.worstPort(ideal, b);
    return a[worstA] * PaperReduction.size(b) * ideal[worstB]
        < b[worstB] * PaperReduction.size(a) * ideal[worstA];
  }

  /**
   * Algorithm 4, TableFitting(H, S).
   *
   * @return the groups in the order given
   * @throws IllegalArgumentException if S is less than the number of ports of all groups: the
   *     printed loop would then never end
   */
  public static List<int[]> fit(List<int[]> ideal, int entries) {
    if (ideal.stream().mapToInt(group -> group.length).sum() > entries) {
      throw new IllegalArgumentException("fewer entries than ports; Algorithm 4 would not end");
    }
    List<int[]> fitted = new ArrayList<>(ideal);
    int[] bySize =
        IntStream.range(0, ideal.size())
            .boxed()
            .sorted(Comparator.comparingLong((Integer i) -> -PaperReduction.size(ideal.get(i))))
            .mapToInt(Integer::intValue)
            .toArray();
    for (long limit = FIRST_LIMIT; totalSize(fitted) > entries; limit += LIMIT_STEP) {
      for (int i : bySize) {
        fitted.set(i, PaperReduction.reduce(ideal.get(i), Ratio.of(limit, 1000)));
        if (totalSize(fitted) <= entries) {
          return fitted;
        }
      }
    }
    return fitted;
  }

  private static long totalSize(List<int[]> groups) {
    return groups.stream().mapToLong(PaperReduction::size).sum();
  }
}
