package org.evenweave.engine.interference;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.SwitchTables;

/** The tables of all switches and the peers of their ports; a table is indexed on first use. */
final class NetworkRules {
  private final FabricPorts ports;
  private final Map<String, SwitchTables> own;
  private final Map<String, ForeignTables> foreign;
  private final Map<String, SwitchRules> rules = new HashMap<>();

  /** Null until somebody asks. */
  private Boolean writesFields;

  /**
   * @param own by switch id
   * @param foreign by switch id; may lack switches
   */
  NetworkRules(
      FabricPorts ports, Map<String, SwitchTables> own, Map<String, ForeignTables> foreign) {
    this.ports = ports;
    this.own = own;
    this.foreign = foreign;
  }

  FabricPorts ports() {
    return ports;
  }

  /** Whether it is known what a switch holds. */
  boolean knows(String switchId) {
    return own.containsKey(switchId);
  }

  /** Whether any rule of others writes header fields. */
  boolean writesFields() {
    if (writesFields == null) {
      writesFields =
          foreign.values().stream()
              .flatMap(tables -> tables.rules().stream())
              .flatMap(rule -> Stream.concat(rule.applied().stream(), rule.written().stream()))
              .anyMatch(action -> action.kind() == ForeignAction.Kind.SET_FIELD);
    }
    return writesFields;
  }

  SwitchRules rules(String switchId) {
    return rules.computeIfAbsent(
        switchId,
        id ->
            new SwitchRules(
                own.getOrDefault(id, SwitchTables.EMPTY),
                foreign.getOrDefault(id, ForeignTables.NONE)));
  }
}
