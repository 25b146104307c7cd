package org.evenweave.engine;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.weights.WeightRule;

/** An immutable picture of the engine, for those who ask. */
public final class EngineView {
  private final Snapshot snapshot;
  private final WeightRule rule;
  private final List<GroupState> groups;
  private final Map<String, SwitchTables> installed;
  private final boolean converged;
  private final String problem;

  EngineView(
      Snapshot snapshot,
      WeightRule rule,
      List<GroupState> groups,
      Map<String, SwitchTables> installed,
      boolean converged,
      String problem) {
    this.snapshot = snapshot;
    this.rule = rule;
    this.groups = groups;
    this.installed = installed;
    this.converged = converged;
    this.problem = problem;
  }

  EngineView unconverged(WeightRule newRule) {
    return new EngineView(snapshot, newRule, groups, installed, false, problem);
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** The weight rule in force or on its way. */
  public WeightRule rule() {
    return rule;
  }

  /** The groups wanted. */
  public List<GroupState> groups() {
    return groups;
  }

  /** Whether the switch has confirmed the group as wanted. */
  public boolean isInstalled(GroupState state) {
    SwitchTables tables = installed.get(state.switchId());
    SelectGroup held = tables == null ? null : tables.groups().get(state.group().id());
    return state.group().equals(held);
  }

  /** Whether every switch has confirmed all that the snapshot and the rule ask for. */
  public boolean converged() {
    return converged;
  }

  /** What keeps the engine from converging; empty if nothing does. */
  public String problem() {
    return problem;
  }
}
