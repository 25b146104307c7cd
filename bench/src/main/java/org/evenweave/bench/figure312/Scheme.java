package org.evenweave.bench.figure312;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightReduction;

/** The treatment of groups before they are installed: one curve of Figure 3.12. */
enum Scheme {
  UNREDUCED("no reduction", null, LeaveOut.NEVER),
  LIMIT_1_05("limit 1.05", Ratio.parse("1.05"), LeaveOut.NEVER),
  LIMIT_1_1("limit 1.1", Ratio.parse("1.1"), LeaveOut.NEVER),
  LEAVING_OUT_1_05("limit 1.05, ports left out", Ratio.parse("1.05"), LeaveOut.AUTO),
  LEAVING_OUT_1_1("limit 1.1, ports left out", Ratio.parse("1.1"), LeaveOut.AUTO);

  /** Those of the paper. */
  static final List<Scheme> PAPER = List.of(UNREDUCED, LIMIT_1_05, LIMIT_1_1);

  /** With an entry for each port, and without. */
  static final List<Scheme> LEAVING_OUT =
      List.of(LIMIT_1_05, LIMIT_1_1, LEAVING_OUT_1_05, LEAVING_OUT_1_1);

  final String label;

  /** The limit on the maximum oversubscription; null for no reduction. */
  final Ratio limit;

  private final LeaveOut leaveOut;

  Scheme(String label, Ratio limit, LeaveOut leaveOut) {
    this.label = label;
    this.limit = limit;
    this.leaveOut = leaveOut;
  }

  /** Table entries of one group. */
  int entries(long[] weights) {
    return limit == null
        ? Math.toIntExact(LongStream.of(weights).sum())
        : IntStream.of(WeightReduction.reduce(weights, limit, leaveOut.minNextHops())).sum();
  }
}
