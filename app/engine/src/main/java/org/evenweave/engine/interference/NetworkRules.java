package org.evenweave.engine.interference;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.SwitchTables;

/** The tables of all switches and the peers of their ports; a table is indexed on first use. */
final class NetworkRules {
  /**
   * Fields that say who sent a packet. Of the engine's rules, only those that drop or answer what
   * no host may or need send examine them, unless they route pairs.
   */
  private static final List<Integer> SENDERS =
      List.of(HeaderField.ETH_SRC, HeaderField.VLAN_VID, HeaderField.IPV4_SRC);

  private final FabricPorts ports;
  private final Map<String, SwitchTables> own;
  private final Map<String, ForeignTables> foreign;
  private final Map<String, SwitchRules> rules = new HashMap<>();

  private final boolean writesFields;
  private final List<Integer> immaterial;

  /**
   * @param own by switch id
   * @param foreign by switch id; may lack switches
   */
  NetworkRules(
      FabricPorts ports, Map<String, SwitchTables> own, Map<String, ForeignTables> foreign) {
    this.ports = ports;
    this.own = own;
    this.foreign = foreign;
    writesFields = actions().anyMatch(action -> action.kind() == ForeignAction.Kind.SET_FIELD);
    immaterial =
        SENDERS.stream()
            .filter(field -> !isExaminedByOthers(field))
            .filter(
                field ->
                    field != HeaderField.IPV4_SRC
                        || own.values().stream().noneMatch(NetworkRules::routesPairs))
            .collect(Collectors.toUnmodifiableList());
  }

  private static boolean routesPairs(SwitchTables tables) {
    return tables.pairCount() > 0;
  }

  private boolean isExaminedByOthers(int field) {
    return rulesOfOthers().anyMatch(rule -> rule.match().constrains(field))
        || actions()
            .anyMatch(
                action ->
                    action.kind() == ForeignAction.Kind.SET_FIELD && action.number() == field);
  }

  private Stream<ForeignRule> rulesOfOthers() {
    return foreign.values().stream().flatMap(tables -> tables.rules().stream());
  }

  /** All actions of others' rules and of their groups' buckets. */
  private Stream<ForeignAction> actions() {
    Stream<ForeignAction> ofRules =
        rulesOfOthers()
            .flatMap(rule -> Stream.concat(rule.applied().stream(), rule.written().stream()));
    Stream<ForeignAction> ofGroups =
        foreign.values().stream()
            .flatMap(tables -> tables.groups().values().stream())
            .flatMap(group -> group.buckets().stream())
            .flatMap(bucket -> bucket.actions().stream());
    return Stream.concat(ofRules, ofGroups);
  }

  FabricPorts ports() {
    return ports;
  }

  /** Whether it is known what a switch holds. */
  boolean knows(String switchId) {
    return own.containsKey(switchId);
  }

  /** Whether any rule or group of others writes header fields. */
  boolean writesFields() {
    return writesFields;
  }

  SwitchRules rules(String switchId) {
    return rules.computeIfAbsent(
        switchId,
        id ->
            new SwitchRules(
                own.getOrDefault(id, SwitchTables.EMPTY),
                foreign.getOrDefault(id, ForeignTables.NONE),
                immaterial));
  }
}
