package org.evenweave.engine.forwarding;

import java.util.Map;

/** How carrying out a plan ended. */
public final class PlanOutcome {
  private final boolean complete;
  private final Map<String, String> failures;

  PlanOutcome(boolean complete, Map<String, String> failures) {
    this.complete = complete;
    this.failures = failures;
  }

  /** Whether every change of the plan was confirmed. */
  public boolean complete() {
    return complete;
  }

  /** Why a switch failed, by switch id; empty when none did. */
  public Map<String, String> failures() {
    return failures;
  }
}
