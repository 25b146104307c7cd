package org.evenweave.engine.forwarding;

/** A plan that could make packets loop or vanish at some step; it is not carried out. */
public final class UnsafePlanException extends RuntimeException {
  UnsafePlanException(int round, String violation) {
    super("the plan is unsafe in round " + round + ": " + violation);
  }
}
