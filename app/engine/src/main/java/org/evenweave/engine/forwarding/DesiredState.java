package org.evenweave.engine.forwarding;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;

/** What every switch's tables should hold for one {@link Routing}. */
public final class DesiredState {
  private final Routing routing;
  private final Map<String, SwitchTables> tables;
  private final List<GroupState> groups;

  DesiredState(Routing routing, Map<String, SwitchTables> tables, List<GroupState> groups) {
    this.routing = routing;
    this.tables = tables;
    this.groups = List.copyOf(groups);
  }

  public Routing routing() {
    return routing;
  }

  /** By switch id; every switch of the snapshot is there. */
  public Map<String, SwitchTables> tables() {
    return tables;
  }

  /** All groups, by switch and destination. */
  public List<GroupState> groups() {
    return groups;
  }
}
