package org.evenweave.bench.figure312;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightReduction;

/** The treatment of groups before they are installed: one curve of Figure 3.12. */
enum Scheme {
  UNREDUCED("no reduction", null),
  LIMIT_1_05("limit 1.05", Ratio.parse("1.05")),
  LIMIT_1_1("limit 1.1", Ratio.parse("1.1"));

  final String label;

  /** The limit on the maximum oversubscription; null for no reduction. */
  final Ratio limit;

  Scheme(String label, Ratio limit) {
    this.label = label;
    this.limit = limit;
  }

  /** Table entries of one group. */
  int entries(long[] weights) {
    return limit == null
        ? Math.toIntExact(LongStream.of(weights).sum())
        : IntStream.of(WeightReduction.reduce(weights, limit)).sum();
  }
}
