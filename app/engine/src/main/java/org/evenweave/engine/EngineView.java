package org.evenweave.engine;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.weights.WeightRule;

/** An immutable picture of the engine, for those who ask. */
public final class EngineView {
  private final long revision;
  private final EngineConfig configuration;
  private final Snapshot snapshot;
  private final DesiredState desired;
  private final Map<String, SwitchTables> installed;
  private final boolean converged;
  private final String problem;

  EngineView(
      long revision,
      EngineConfig configuration,
      Snapshot snapshot,
      DesiredState desired,
      Map<String, SwitchTables> installed,
      boolean converged,
      String problem) {
    this.revision = revision;
    this.configuration = configuration;
    this.snapshot = snapshot;
    this.desired = desired;
    this.installed = installed;
    this.converged = converged;
    this.problem = problem;
  }

  EngineView unconverged(EngineConfig newConfiguration) {
    return new EngineView(
        revision + 1, newConfiguration, snapshot, desired, installed, false, problem);
  }

  /** Rises with every picture. */
  public long revision() {
    return revision;
  }

  /** The configuration in force or on its way. */
  public EngineConfig configuration() {
    return configuration;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** The weight rule in force or on its way. */
  public WeightRule rule() {
    return configuration.weightRule();
  }

  /** What the switches should hold; null before anything was computed. */
  public DesiredState desired() {
    return desired;
  }

  /** The groups wanted. */
  public List<GroupState> groups() {
    return desired == null ? List.of() : desired.groups();
  }

  /** What the switches hold, by switch id, as far as it is known. */
  public Map<String, SwitchTables> installed() {
    return installed;
  }

  /** Whether the switch has confirmed the group as wanted. */
  public boolean isInstalled(GroupState state) {
    SwitchTables tables = installed.get(state.switchId());
    SelectGroup held = tables == null ? null : tables.groups().get(state.group().id());
    return state.group().equals(held);
  }

  /** Whether every switch has confirmed all that the snapshot and the configuration ask for. */
  public boolean converged() {
    return converged;
  }

  /** What keeps the engine from converging; empty if nothing does. */
  public String problem() {
    return problem;
  }
}
