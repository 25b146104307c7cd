package org.evenweave.engine.forwarding;

/** The groups a switch needs do not fit its multipath table. */
public final class CannotFitException extends RuntimeException {
  CannotFitException(String switchId, int groups, long leastEntries, int tableEntries) {
    super(
        switchId
            + ": its "
            + groups
            + " groups need at least "
            + leastEntries
            + " multipath table entries, and its table has "
            + tableEntries);
  }
}
