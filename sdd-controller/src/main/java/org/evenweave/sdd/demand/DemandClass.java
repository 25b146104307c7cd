package org.evenweave.sdd.demand;

/** The properties of flows that have separate queues for circuits. Immutable. */
public final class DemandClass {
  /** The highest weight. */
  public static final int MAX_WEIGHT = 65_535;

  private final int priority;
  private final boolean isCoflow;
  private final int weight;

  /** A class of weight 1; the parameters are those below. */
  public DemandClass(int priority, boolean isCoflow) {
    this(priority, isCoflow, 1);
  }

  /**
   * @param priority 0 to {@value Observed#MAX_PRIORITY}; the highest comes first
   * @param isCoflow whether it is done only when all of it is
   * @param weight its part of what it wants together with others, relative to theirs; 1 to {@value
   *     #MAX_WEIGHT}
   */
  public DemandClass(int priority, boolean isCoflow, int weight) {
    if (priority < 0 || priority > Observed.MAX_PRIORITY) {
      throw new IllegalArgumentException("priority: must be 0 to 7, not " + priority);
    }
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException("weight: must be 1 to 65535, not " + weight);
    }
    this.priority = priority;
    this.isCoflow = isCoflow;
    this.weight = weight;
  }

  /** 0 to {@value Observed#MAX_PRIORITY}. */
  public int priority() {
    return priority;
  }

  /** Whether its flows belong together. */
  public boolean isCoflow() {
    return isCoflow;
  }

  /** 1 to {@value #MAX_WEIGHT}: its share, relative to other classes'. */
  public int weight() {
    return weight;
  }
}
