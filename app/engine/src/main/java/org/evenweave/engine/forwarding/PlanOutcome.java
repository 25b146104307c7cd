package org.evenweave.engine.forwarding;

import java.util.Map;

/** How carrying out a plan ended. */
public final class PlanOutcome {
  private final int groupsChanged;
  private final int flowsChanged;
  private final Map<String, String> failures;

  PlanOutcome(int groupsChanged, int flowsChanged, Map<String, String> failures) {
    this.groupsChanged = groupsChanged;
    this.flowsChanged = flowsChanged;
    this.failures = failures;
  }

  /** Groups the plan adds, changes or deletes. */
  public int groupsChanged() {
    return groupsChanged;
  }

  /** Flow rules the plan puts or deletes. */
  public int flowsChanged() {
    return flowsChanged;
  }

  /** Why a switch failed, by switch id; empty when every change was confirmed. */
  public Map<String, String> failures() {
    return failures;
  }
}
