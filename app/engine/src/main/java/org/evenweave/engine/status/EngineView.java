package org.evenweave.engine.status;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.interference.ForeignReport;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.weights.WeightRule;

/** An immutable view of the engine, for REST, the CLI and metrics. */
public final class EngineView {
  private final long revision;
  private final EngineConfig configuration;
  private final Snapshot snapshot;
  private final DesiredState desired;
  private final Map<String, SwitchTables> installed;
  private final Map<String, Integer> mergedRuleCounts;
  private final FabricStatus status;
  private final String problem;
  private final Map<StageTimes.Stage, Long> stageNanos;
  private final ForeignReport foreign;

  EngineView(
      long revision,
      EngineConfig configuration,
      Snapshot snapshot,
      DesiredState desired,
      Map<String, SwitchTables> installed,
      Map<String, Integer> mergedRuleCounts,
      FabricStatus status,
      String problem,
      Map<StageTimes.Stage, Long> stageNanos,
      ForeignReport foreign) {
    this.revision = revision;
    this.configuration = configuration;
    this.snapshot = snapshot;
    this.desired = desired;
    this.installed = installed;
    this.mergedRuleCounts = mergedRuleCounts;
    this.status = status;
    this.problem = problem;
    this.stageNanos = stageNanos;
    this.foreign = foreign;
  }

  EngineView during(String change, EngineConfig newConfiguration) {
    return new EngineView(
        revision + 1,
        newConfiguration,
        snapshot,
        desired,
        installed,
        mergedRuleCounts,
        status.during(change),
        problem,
        stageNanos,
        foreign);
  }

  /**
   * The same while threads of the controller are stalled; its revision is negative, and differs
   * with the reasons.
   *
   * @param reasons a sentence on each
   */
  EngineView stalled(List<String> reasons) {
    return new EngineView(
        -1 - (revision << Integer.SIZE | Integer.toUnsignedLong(reasons.hashCode())),
        configuration,
        snapshot,
        desired,
        installed,
        mergedRuleCounts,
        status.stalled(reasons),
        problem,
        stageNanos,
        foreign);
  }

  /** Rises with every view. */
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

  /** How many groups are wanted. */
  public int groupCount() {
    return desired == null ? 0 : desired.groupCount();
  }

  /**
   * What the switches hold, by switch id, as far as it is known, with a rule for each prefix
   * whether they hold merged rules or not.
   */
  public Map<String, SwitchTables> installed() {
    return installed;
  }

  /** How many rules a switch holds; 0 if that is not known. */
  public int ruleCount(String switchId) {
    SwitchTables tables = installed.get(switchId);
    return mergedRuleCounts.getOrDefault(switchId, tables == null ? 0 : tables.flowCount());
  }

  /** How much the tables of a switch hold, as far as is known. */
  public Limits limits(String switchId) {
    return desired == null ? Limits.NONE : desired.limits(switchId);
  }

  /** How much is used of what may be limited in a switch; the largest where it is of a group. */
  public Map<Limits.Kind, Integer> use(String switchId) {
    Map<Integer, GroupState> groups = new HashMap<>();
    if (desired != null) {
      desired.groupsAt(switchId).forEach(state -> groups.put(state.group().id(), state));
    }
    Map<Limits.Kind, Integer> use = new EnumMap<>(Limits.Kind.class);
    use.put(Limits.Kind.ENTRIES, groups.values().stream().mapToInt(GroupState::entries).sum());
    use.put(Limits.Kind.GROUP_ENTRIES, largest(groups, GroupState::entries));
    use.put(Limits.Kind.GROUPS, groups.size());
    use.put(Limits.Kind.RULES, ruleCount(switchId));
    use.put(Limits.Kind.MAX_WEIGHT, largest(groups, state -> state.group().largestWeight()));
    use.put(Limits.Kind.MAX_TOTAL_WEIGHT, largest(groups, state -> state.group().totalWeight()));
    return use;
  }

  private static int largest(Map<Integer, GroupState> groups, ToIntFunction<GroupState> ofGroup) {
    return groups.values().stream().mapToInt(ofGroup).max().orElse(0);
  }

  /**
   * The group as the switch holds it by its latest confirmation or reading; null if it does not.
   */
  public SelectGroup held(GroupState state) {
    SwitchTables tables = installed.get(state.switchId());
    return tables == null ? null : tables.group(state.group().id());
  }

  /** Whether the fabric is as configured, and why not. */
  public FabricStatus status() {
    return status;
  }

  /** Whether all that is configured is there, and every switch has confirmed its changes. */
  public boolean converged() {
    return status.state() == FabricStatus.State.CONVERGED;
  }

  /** What the switches refuse or cannot hold; empty if nothing. */
  public String problem() {
    return problem;
  }

  /** What others' rules did to the fabric's traffic when they were read last. */
  public ForeignReport foreign() {
    return foreign;
  }

  /** How long each stage of the latest verified plan took, in nanoseconds; empty before one. */
  public Map<StageTimes.Stage, Long> stageNanos() {
    return stageNanos;
  }
}
