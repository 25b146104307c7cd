package org.evenweave.engine.forwarding;

import java.util.Map;

/** How carrying out a plan ended. */
public final class PlanOutcome {
  private final boolean complete;
  private final int groupsChanged;
  private final int flowsChanged;
  private final Map<String, String> failures;

  PlanOutcome(boolean complete, int groupsChanged, int flowsChanged, Map<String, String> failures) {
    this.complete = complete;
    this.groupsChanged = groupsChanged;
    this.flowsChanged = flowsChanged;
    this.failures = failures;
  }

  /** Whether every change of the plan was confirmed. */
  public boolean complete() {
    return complete;
  }

  /** Groups the plan adds, changes or deletes. */
  public int groupsChanged() {
    return groupsChanged;
  }

  /** Flow rules the plan puts or deletes. */
  public int flowsChanged() {
    return flowsChanged;
  }

  /** Why a switch failed, by switch id; empty when none did. */
  public Map<String, String> failures() {
    return failures;
  }
}
