package org.evenweave.engine.forwarding;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;

/** A plan for programs outside this package, which have no other use for its steps. */
public final class PlanStages {
  private final Map<String, SwitchTables> installed;
  private final DesiredState desired;
  private final UpdatePlan plan;

  private PlanStages(Map<String, SwitchTables> installed, DesiredState desired, UpdatePlan plan) {
    this.installed = installed;
    this.desired = desired;
    this.plan = plan;
  }

  public static PlanStages of(Map<String, SwitchTables> installed, DesiredState desired) {
    return new PlanStages(installed, desired, UpdatePlan.between(installed, desired));
  }

  public void requireSafe() {
    PlanVerifier.requireSafe(plan.rounds(), installed, desired);
  }

  public Map<String, SwitchTables> tablesAfter() {
    Map<String, SwitchTables> tables = new HashMap<>(installed);
    for (Map<String, List<SwitchOperation>> round : plan.rounds()) {
      round.forEach(
          (id, list) -> tables.put(id, tables.getOrDefault(id, SwitchTables.EMPTY).after(list)));
    }
    return tables;
  }
}
