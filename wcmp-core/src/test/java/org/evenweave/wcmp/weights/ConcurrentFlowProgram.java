package org.evenweave.wcmp.weights;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/** The maximum concurrent flow to one destination as a linear program, for a solver. */
final class ConcurrentFlowProgram {
  static {
    Loader.loadNativeLibraries();
  }

  /** The solver wants coefficients near 1. */
  private static final double UNIT_BPS = 1e9;

  /** More than any link has, in that unit. */
  private static final double MOST = 1e6;

  private ConcurrentFlowProgram() {}

  /**
   * The most that every switch with prefixes can send at once, the same amount each.
   *
   * @param hops to the destination; -1 where there is no path
   * @return bits per second; infinite if none has a path
   */
  static double mostPerSource(Fabric fabric, int[] hops) {
    MPSolver solver = MPSolver.createSolver("GLOP");
    // GLOP calls an unbounded program infeasible.
    MPVariable most = solver.makeNumVar(0, MOST, "");
    MPConstraint[] conserved = new MPConstraint[fabric.switchCount()];
    Arrays.setAll(conserved, s -> hops[s] > 0 ? solver.makeConstraint(0, 0) : null);
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (hops[fabric.from(arc)] > 0 && hops[fabric.to(arc)] == hops[fabric.from(arc)] - 1) {
        MPVariable flow = solver.makeNumVar(0, fabric.capacityBps(arc) / UNIT_BPS, "");
        conserved[fabric.from(arc)].setCoefficient(flow, 1);
        if (conserved[fabric.to(arc)] != null) {
          conserved[fabric.to(arc)].setCoefficient(flow, -1);
        }
      }
    }
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      int s = fabric.subnetSwitch(subnet);
      if (conserved[s] != null) {
        conserved[s].setCoefficient(most, -1);
      }
    }
    solver.objective().setCoefficient(most, 1);
    solver.objective().setMaximization();
    MPSolver.ResultStatus status = solver.solve();
    double value = most.solutionValue();
    solver.delete();
    if (status != MPSolver.ResultStatus.OPTIMAL) {
      throw new IllegalStateException("the linear program is " + status);
    }
    return value < MOST ? value * UNIT_BPS : Double.POSITIVE_INFINITY;
  }
}
