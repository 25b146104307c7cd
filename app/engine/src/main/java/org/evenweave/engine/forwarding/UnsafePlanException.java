package org.evenweave.engine.forwarding;

/** A plan could make packets loop or disappear at some step, so it is not carried out. */
public final class UnsafePlanException extends RuntimeException {
  UnsafePlanException(int round, String violation) {
    super("the plan is unsafe in round " + round + ": " + violation);
  }
}
