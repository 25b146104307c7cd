package org.evenweave.engine.forwarding;

/** Follows a plan that is being carried out. All is called on the loop. */
public interface PlanListener {
  /** Asked between rounds: whether the plan should end there, for a better one. */
  boolean isOutdated();

  /**
   * All packets go as the plan wants, confirmed by the switches; what is left of it deletes what no
   * rule uses any more.
   *
   * @param groupsChanged groups that the whole plan adds, changes or deletes
   * @param flowsChanged rules that it puts or deletes
   */
  void inForce(int groupsChanged, int flowsChanged);

  /** The last change is confirmed, and the switches have settled; or the plan ended early. */
  void ended(PlanOutcome outcome);
}
