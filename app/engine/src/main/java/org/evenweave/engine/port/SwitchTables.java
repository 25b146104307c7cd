package org.evenweave.engine.port;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
