package org.evenweave.engine.interference;

import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.SwitchTables;

/** What all switches hold and where their ports lead; tables are indexed when they are needed. */
final class NetworkRules {
  private final FabricPorts ports;
  private final Map<String, SwitchTables> own;
  private final Map<String, ForeignTables> foreign;
  private final Map<String, SwitchRules> rules = new HashMap<>();

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

  SwitchRules rules(String switchId) {
    return rules.computeIfAbsent(
        switchId,
        id ->
            new SwitchRules(
                own.getOrDefault(id, SwitchTables.EMPTY),
                foreign.getOrDefault(id, ForeignTables.NONE)));
  }
}
