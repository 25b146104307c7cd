package org.evenweave.striping.expansion;

import java.util.Locale;
import org.evenweave.striping.plan.StripingParameters;

/**
 * The sizes that a fabric has after switches were added to one stage. S1 switches keep their number
 * of uplinks, so the S2 switches' downlinks follow from L·N = K·D, and must come out whole. For
 * other expansions (more uplinks, both stages) give the {@link StripingParameters} themselves.
 */
public final class ExpansionTarget {

  private ExpansionTarget() {}

  /**
   * The size with {@code count} more S1 switches like the present ones. Every S2 switch needs D' −
   * D = count·N/K free ports.
   *
   * @throws IllegalArgumentException if count is not positive, the new uplinks cannot be shared
   *     equally by the S2 switches, or the fabric gets too large
   */
  public static StripingParameters addS1(StripingParameters present, int count) {
    int s1 = sum(present.s1Count(), count);
    int n = present.uplinks();
    int k = present.s2Count();
    if ((long) count * n % k != 0) {
      int step = k / gcd(k, n);
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "added s1: %d x %d uplinks cannot be shared equally by %d s2; add a multiple of %d",
              count,
              n,
              k,
              step));
    }
    return StripingParameters.of(s1, k, n, (int) ((long) s1 * n / k));
  }

  /**
   * The size with {@code count} more S2 switches. Every S2 switch then uses fewer downlinks, D' =
   * L·N/(K + count).
   *
   * @throws IllegalArgumentException if count is not positive, the uplinks cannot be shared equally
   *     by the S2 switches, or the fabric gets too large
   */
  public static StripingParameters addS2(StripingParameters present, int count) {
    int s2 = sum(present.s2Count(), count);
    int links = present.links();
    if (links % s2 != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "added s2: %d x %d = %d uplinks cannot be shared equally by %d s2; %s",
              present.s1Count(),
              present.uplinks(),
              links,
              s2,
              nextCount(present, s2)));
    }
    return StripingParameters.of(present.s1Count(), s2, present.uplinks(), links / s2);
  }

  private static String nextCount(StripingParameters present, int tooFew) {
    int most = Math.min(present.links(), StripingParameters.MAX_SWITCHES_PER_STAGE);
    for (int s2 = tooFew + 1; s2 <= most; s2++) {
      if (present.links() % s2 == 0) {
        return "add " + (s2 - present.s2Count());
      }
    }
    return "no larger number can either";
  }

  private static int sum(int present, int count) {
    int most = StripingParameters.MAX_SWITCHES_PER_STAGE - present;
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "added switches: must be 1 to %d, was %d", most, count));
    }
    return present + count;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
