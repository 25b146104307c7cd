package org.evenweave.engine.port;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The groups and flow rules of one switch that are Evenweave's, as read back or as wanted. */
public final class SwitchTables {
  public static final SwitchTables EMPTY = new SwitchTables(Map.of(), Map.of());

  private final SortedMap<Integer, SelectGroup> groups;
  private final SortedMap<String, FlowRule> flows;

  /**
   * @param groups by group id
   * @param flows by {@link FlowRule#key}
   */
  public SwitchTables(Map<Integer, SelectGroup> groups, Map<String, FlowRule> flows) {
    this(new TreeMap<>(groups), new TreeMap<>(flows));
  }

  /** Keeps the maps, which nobody else may change. */
  private SwitchTables(TreeMap<Integer, SelectGroup> groups, TreeMap<String, FlowRule> flows) {
    this.groups = Collections.unmodifiableSortedMap(groups);
    this.flows = Collections.unmodifiableSortedMap(flows);
  }

  /** By group id, rising. */
  public Map<Integer, SelectGroup> groups() {
    return groups;
  }

  /** By {@link FlowRule#key}. */
  public Map<String, FlowRule> flows() {
    return flows;
  }

  /**
   * The distinct ports by which packets to a prefix may leave, rising; none without a rule that
   * forwards them, or without its group.
   */
  public int[] outPorts(Ipv4Prefix prefix) {
    FlowRule rule = flows.get(prefix.toString());
    return rule == null ? new int[0] : outPorts(rule);
  }

  /** The distinct ports by which packets may leave that match a rule, rising. */
  public int[] outPorts(FlowRule rule) {
    if (rule.action() == FlowRule.Action.ROUTE_TO_PORT) {
      return new int[] {rule.outPort()};
    }
    SelectGroup group =
        rule.action() == FlowRule.Action.ROUTE_TO_GROUP ? groups.get(rule.groupId()) : null;
    return group == null ? new int[0] : group.memberPorts();
  }

  /** Every port that a rule forwards routed packets to. */
  public Set<Integer> routedPorts() {
    Set<Integer> ports = new TreeSet<>();
    for (SelectGroup group : groups.values()) {
      Arrays.stream(group.memberPorts()).forEach(ports::add);
    }
    for (FlowRule rule : flows.values()) {
      if (rule.action() == FlowRule.Action.ROUTE_TO_PORT) {
        ports.add(rule.outPort());
      }
    }
    return ports;
  }

  /** These tables after more operations; deleting what is not there changes nothing. */
  public SwitchTables after(List<SwitchOperation> operations) {
    TreeMap<Integer, SelectGroup> newGroups = new TreeMap<>(groups);
    TreeMap<String, FlowRule> newFlows = new TreeMap<>(flows);
    for (SwitchOperation operation : operations) {
      perform(operation, newGroups, newFlows);
    }
    return new SwitchTables(newGroups, newFlows);
  }

  private static void perform(
      SwitchOperation operation,
      Map<Integer, SelectGroup> newGroups,
      Map<String, FlowRule> newFlows) {
    switch (operation.kind()) {
      case ADD_GROUP:
      case MODIFY_GROUP:
        newGroups.put(operation.group().id(), operation.group());
        break;
      case DELETE_GROUP:
        newGroups.remove(operation.group().id());
        break;
      case PUT_FLOW:
        newFlows.put(operation.flow().key(), operation.flow());
        break;
      case DELETE_FLOW:
        newFlows.remove(operation.flow().key());
        break;
      default:
        throw new AssertionError(operation.kind());
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SwitchTables
        && ((SwitchTables) other).groups.equals(groups)
        && ((SwitchTables) other).flows.equals(flows);
  }

  @Override
  public int hashCode() {
    return 31 * groups.hashCode() + flows.hashCode();
  }

  @Override
  public String toString() {
    return "groups " + groups.values() + " flows " + flows.values();
  }
}
