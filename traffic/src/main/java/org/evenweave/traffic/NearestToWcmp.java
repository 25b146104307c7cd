package org.evenweave.traffic;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import java.util.List;

/**
 * Draws an optimal flow towards WCMP's, destination by destination, as far as the busiest links
 * allow.
 *
 * <p><b>Why.</b> A linear program ends in a corner: where it does not matter for the maximum, it
 * puts all on one path. Any error of the matrix then lands on that path. WCMP spreads by what paths
 * can carry, which is the best guess where the matrix demands nothing else; and a group that is as
 * WCMP has it need not be touched at all.
 *
 * <p><b>How.</b> For destination d let F be the optimal flow and W WCMP's, of the same demands over
 * the same loop-free edges. Every flow (1 - b) F + b W meets the demands too, and loads are linear
 * in b. So the largest b (weighted by demand) such that no utilisation passes (1 + slack) times the
 * optimum is again a linear program, with one variable per destination and one row per edge: tiny.
 * A destination whose traffic meets no busy link gets b = 1 and has WCMP's weights; and with any
 * slack every b is positive, so every next hop of WCMP keeps a share.
 */
final class NearestToWcmp {
  /**
   * Differences of loads that are equal but for rounding; as coefficients they upset the solver.
   */
  private static final double NOISE = 1e-9;

  private NearestToWcmp() {}

  /**
   * @param solution over edges that the references' orders allow
   * @param slack as in {@link TrafficOptions#withSlack}
   * @return b for each target, from 0 to 1
   */
  static double[] shares(
      Links links,
      List<Target> targets,
      FlowProgram.Solution solution,
      List<WcmpReference> references,
      double slack) {
    try (LinearProgram program = new LinearProgram("staying near WCMP")) {
      MPVariable[] share = new MPVariable[targets.size()];
      double total = 0;
      for (Target target : targets) {
        total += sum(target.demandBps);
      }
      for (int t = 0; t < share.length; t++) {
        share[t] = program.variable(0, 1);
        program.setCost(share[t], -sum(targets.get(t).demandBps) / total);
      }
      for (int edge = 0; edge < links.count; edge++) {
        double limitBps = (1 + slack) * solution.utilisation * links.capacityBps[edge];
        double room = 1;
        double[] more = new double[share.length];
        for (int t = 0; t < share.length; t++) {
          double ownBps = solution.flowBps[t][edge];
          room -= ownBps / limitBps;
          more[t] = (references.get(t).flowBps[edge] - ownBps) / limitBps;
        }
        // Where the optimum itself fills the link, it may have passed the limit by a rounding.
        MPConstraint row = program.row(-LinearProgram.INFINITY, Math.max(NOISE, room));
        for (int t = 0; t < share.length; t++) {
          if (Math.abs(more[t]) > NOISE) {
            row.setCoefficient(share[t], more[t]);
          }
        }
      }
      program.minimise();
      double[] shares = new double[share.length];
      for (int t = 0; t < shares.length; t++) {
        shares[t] = Math.min(1, Math.max(0, share[t].solutionValue()));
      }
      return shares;
    }
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
