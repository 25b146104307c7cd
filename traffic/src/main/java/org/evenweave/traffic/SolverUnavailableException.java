package org.evenweave.traffic;

/** The solver of linear programs cannot be used on this machine; the message says why. */
public final class SolverUnavailableException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  SolverUnavailableException(String why) {
    super("the solver of linear programs cannot be loaded: " + why);
  }
}
