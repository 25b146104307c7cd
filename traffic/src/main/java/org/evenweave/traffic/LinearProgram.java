package org.evenweave.traffic;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;

/**
 * A linear program for GLOP, the simplex solver of OR-tools. It may grow between solutions, and
 * each solution starts from the last. {@link #close} frees native memory. Not thread-safe.
 */
final class LinearProgram implements AutoCloseable {
  /** Above the solver's own primal and dual tolerances; coefficients had best be near 1. */
  static final double TOLERANCE = 1e-7;

  static final double INFINITY = Double.POSITIVE_INFINITY;

  private final String name;
  private final MPSolver solver;
  private final MPSolverParameters parameters;

  /**
   * @param name for errors
   * @throws SolverUnavailableException if there is no solver on this machine
   */
  LinearProgram(String name) {
    this.name = name;
    SolverLibrary.load();
    solver = MPSolver.createSolver("GLOP");
    parameters = new MPSolverParameters();
    // Presolving hides the last optimum, and is led astray by rounding in degenerate programs.
    parameters.setIntegerParam(
        MPSolverParameters.IntegerParam.PRESOLVE,
        MPSolverParameters.PresolveValues.PRESOLVE_OFF.swigValue());
    // The faster on our programs, after new variables and costs too (decision 0064).
    parameters.setIntegerParam(
        MPSolverParameters.IntegerParam.LP_ALGORITHM,
        MPSolverParameters.LpAlgorithmValues.DUAL.swigValue());
  }

  MPVariable variable(double least, double most) {
    return solver.makeNumVar(least, most, "");
  }

  MPConstraint row(double least, double most) {
    return solver.makeConstraint(least, most);
  }

  void setCost(MPVariable variable, double cost) {
    solver.objective().setCoefficient(variable, cost);
  }

  /** Finds the solution of least cost, from the last one if there is one. */
  void minimise() {
    solver.objective().setMinimization();
    MPSolver.ResultStatus status = solver.solve(parameters);
    if (status != MPSolver.ResultStatus.OPTIMAL) {
      throw new IllegalStateException("the linear program of " + name + " is " + status);
    }
  }

  @Override
  public void close() {
    parameters.delete();
    solver.delete();
  }
}
