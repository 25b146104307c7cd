package org.evenweave.sdd.demand;

/** What is to be known of flows that have queues of their own for circuits. Immutable. */
public final class DemandClass {
  private final int priority;
  private final boolean isCoflow;

  /**
   * @param priority 0 to {@value Observed#MAX_PRIORITY}; the highest comes first
   * @param isCoflow whether it is done only when all of it is
   */
  public DemandClass(int priority, boolean isCoflow) {
    if (priority < 0 || priority > Observed.MAX_PRIORITY) {
      throw new IllegalArgumentException("priority: must be 0 to 7, not " + priority);
    }
    this.priority = priority;
    this.isCoflow = isCoflow;
  }

  /** 0 to {@value Observed#MAX_PRIORITY}. */
  public int priority() {
    return priority;
  }

  /** Whether its flows belong together. */
  public boolean isCoflow() {
    return isCoflow;
  }
}
