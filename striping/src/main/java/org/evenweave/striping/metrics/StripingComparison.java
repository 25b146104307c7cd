package org.evenweave.striping.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The striping alternatives of one fabric side by side: a table with a row per {@link
 * StripingKind}.
 */
public final class StripingComparison {

  /** One kind's plan and what it achieves. */
  public static final class Row {
    private final StripingKind kind;
    private final StripingPlan plan;
    private final PairThroughput throughput;
    private final int repairedEntries;

    private Row(StripingKind kind, StripingParameters parameters) {
      this.kind = kind;
      this.plan = kind.plan(parameters);
      this.throughput = PairThroughput.of(plan);
      this.repairedEntries = differences(kind.printedMatrix(parameters), plan);
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

    /** The row's kind of striping. */
    public StripingKind kind() {
      return kind;
    }

    /** The plan of this kind. */
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

  private StripingComparison() {}

  /**
   * Compares all kinds, in their declared order.
   *
   * @throws IllegalArgumentException if there is a single S1 switch and hence no pair to measure
   */
  public static List<Row> of(StripingParameters parameters) {
    List<Row> rows = new ArrayList<>();
    for (StripingKind kind : StripingKind.values()) {
      rows.add(new Row(kind, parameters));
    }
    return Collections.unmodifiableList(rows);
  }
}
