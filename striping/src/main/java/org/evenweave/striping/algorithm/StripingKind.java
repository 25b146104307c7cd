package org.evenweave.striping.algorithm;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The striping alternatives of Tewari 2015, section 3.4.1. All even stripings of a fabric have the
 * same mean throughput over the pairs of S1 switches; they differ in how it is distributed.
 */
public enum StripingKind {
  /** Every S1 switch is striped differently: pairs of S1 switches differ little in throughput. */
  ROTATION {
    @Override
    public int[][] printedMatrix(StripingParameters parameters) {
      return PrintedRotationStriping.matrix(parameters);
    }
  },

  /**
   * Groups of S1 switches are striped identically: full throughput within a group, less between
   * groups.
   */
  GROUP {
    @Override
    public int[][] printedMatrix(StripingParameters parameters) {
      return PrintedGroupStriping.matrix(parameters);
    }
  };

  /**
   * The matrix as the dissertation's algorithm prints it: L rows of K entries, each p or p + 1,
   * each row summing to N. Its columns need not sum to D; then it cannot be wired.
   */
  public abstract int[][] printedMatrix(StripingParameters parameters);

  /**
   * The plan of this kind: the printed matrix where that can be wired, else the wirable matrix that
   * differs from it in the fewest entries.
   */
  public StripingPlan plan(StripingParameters parameters) {
    int[][] matrix = printedMatrix(parameters);
    PortCountRepair.repair(parameters, matrix);
    return StripingPlan.of(parameters, matrix);
  }

  /** The name in tools' input: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind with the given {@link #label}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static StripingKind labelled(String label) {
    for (StripingKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "kind: must be one of %s, was \"%s\"",
            Arrays.stream(values()).map(StripingKind::label).collect(Collectors.joining(", ")),
            label));
  }
}
