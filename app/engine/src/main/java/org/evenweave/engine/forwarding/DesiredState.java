package org.evenweave.engine.forwarding;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.reduction.Ratio;

/** What every switch's tables should hold for one {@link Routing}. Immutable. */
public final class DesiredState {
  private final Routing routing;
  private final Ratio limit;
  private final Map<String, SwitchTables> tables;
  private final Map<String, List<GroupState>> groupsOf;

  DesiredState(
      Routing routing,
      Ratio limit,
      Map<String, SwitchTables> tables,
      Map<String, List<GroupState>> groupsOf) {
    this.routing = routing;
    this.limit = limit;
    this.tables = tables;
    this.groupsOf = groupsOf;
  }

  public Routing routing() {
    return routing;
  }

  /** The limit on the oversubscription of groups that was asked for. */
  public Ratio limit() {
    return limit;
  }

  /** By switch id; every switch that is present in the snapshot is there. */
  public Map<String, SwitchTables> tables() {
    return tables;
  }

  /** All groups, by switch; those that destinations share are there once. */
  public List<GroupState> groups() {
    return groupsOf.values().stream().flatMap(List::stream).collect(Collectors.toList());
  }

  /** The groups of one switch; none for one that is not present. */
  public List<GroupState> groupsAt(String switchId) {
    return groupsOf.getOrDefault(switchId, List.of());
  }
}
