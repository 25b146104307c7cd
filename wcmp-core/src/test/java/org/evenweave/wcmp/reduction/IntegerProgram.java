package org.evenweave.wcmp.reduction;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import java.util.ArrayList;
import java.util.List;

/** Equations 3.3 and 3.4 as integer programs, for an exact solver that knows nothing of ours. */
public final class IntegerProgram {
  static {
    Loader.loadNativeLibraries();
  }

  private final CpModel model = new CpModel();
  private final List<LinearExpr> sizes = new ArrayList<>();

  /**
   * Adds a group of ideal weights X, to be reduced to Y of sum n with Y[i] W / (X[i] n) within a
   * limit, or strictly below it.
   *
   * @param minNextHops least number of ports that have entries; all of smaller groups
   * @param most upper bound on n
   */
  public IntegerProgram group(
      int[] ideal, int minNextHops, Ratio limit, boolean strictly, int most) {
    long idealSize = Groups.sum(ideal);
    IntVar[] reduced = new IntVar[ideal.length];
    BoolVar[] hasEntries = new BoolVar[ideal.length];
    for (int i = 0; i < ideal.length; i++) {
      reduced[i] = model.newIntVar(0, most, "y" + i);
      hasEntries[i] = model.newBoolVar("has" + i);
      model.addGreaterOrEqual(reduced[i], 1).onlyEnforceIf(hasEntries[i]);
    }
    model.addGreaterOrEqual(LinearExpr.sum(hasEntries), Math.min(minNextHops, ideal.length));
    LinearExpr size = LinearExpr.sum(reduced);
    model.addLinearConstraint(size, 1, most);
    long numerator = limit.numerator().longValueExact();
    long denominator = limit.denominator().longValueExact();
    for (int i = 0; i < ideal.length; i++) {
      LinearExpr slack =
          LinearExpr.newBuilder()
              .addTerm(size, numerator * ideal[i])
              .addTerm(reduced[i], -denominator * idealSize)
              .build();
      model.addGreaterOrEqual(slack, strictly ? 1 : 0);
    }
    sizes.add(size);
    return this;
  }

  /** The least number of entries of all groups together. */
  public long leastEntries() {
    model.minimize(total());
    CpSolver solver = solver();
    CpSolverStatus status = solver.solve(model);
    if (status != CpSolverStatus.OPTIMAL) {
      throw new IllegalStateException("solver ended with " + status);
    }
    return Math.round(solver.objectiveValue());
  }

  /** Whether the groups fit so many entries. */
  public boolean fits(int entries) {
    model.addLessOrEqual(total(), entries);
    CpSolverStatus status = solver().solve(model);
    if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.INFEASIBLE) {
      throw new IllegalStateException("solver ended with " + status);
    }
    return status == CpSolverStatus.OPTIMAL;
  }

  private LinearExpr total() {
    return LinearExpr.sum(sizes.toArray(new LinearExpr[0]));
  }

  private static CpSolver solver() {
    CpSolver solver = new CpSolver();
    solver.getParameters().setNumWorkers(1).setRandomSeed(1);
    return solver;
  }
}
