package org.evenweave.striping.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/** A fabric striped in one way, and what that achieves: a row of a table that compares the ways. */
public final class StripingReport {

  private final StripingKind kind;
  private final StripingPlan plan;
  private final PairThroughput throughput;
  private final int repairedEntries;

  private StripingReport(StripingKind kind, StripingParameters parameters) {
    this.kind = kind;
    this.plan = kind.plan(parameters);
    this.throughput = PairThroughput.of(plan);
    this.repairedEntries = differences(kind.printedMatrix(parameters), plan);
  }

  /**
   * Stripes a fabric and measures the result.
   *
   * @throws IllegalArgumentException if there is a single S1 switch and hence no pair to measure
   */
  public static StripingReport of(StripingKind kind, StripingParameters parameters) {
    return new StripingReport(kind, parameters);
  }

  /**
   * The reports of all kinds of striping for a fabric, in their declared order.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static List<StripingReport> comparison(StripingParameters parameters) {
    List<StripingReport> rows = new ArrayList<>();
    for (StripingKind kind : StripingKind.values()) {
      rows.add(of(kind, parameters));
    }
    return Collections.unmodifiableList(rows);
  }

  private static int differences(int[][] printed, StripingPlan plan) {
    int count = 0;
    for (int s1 = 0; s1 < printed.length; s1++) {
      for (int s2 = 0; s2 < printed[s1].length; s2++) {
        if (printed[s1][s2] != plan.links(s1, s2)) {
          count++;
        }
      }
    }
    return count;
  }

  /** How the fabric is striped. */
  public StripingKind kind() {
    return kind;
  }

  /** The plan. */
  public StripingPlan plan() {
    return plan;
  }

  /** What pairs of S1 switches achieve under the plan. */
  public PairThroughput throughput() {
    return throughput;
  }

  /**
   * Entries in which the plan differs from the dissertation's printed algorithm; 0 if that can be
   * wired.
   */
  public int repairedEntries() {
    return repairedEntries;
  }
}
