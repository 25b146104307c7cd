package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;
import org.evenweave.wcmp.weights.PairGroup;

/** The desired tables of every switch for one {@link Routing}. Immutable. */
public final class DesiredState {
  private final Routing routing;
  private final Fabric fabric;
  private final Ratio limit;
  private final RoutedPrefixes prefixes;
  private final BucketAllocator allocator;
  private final long groupNanos;
  private final BitSet routedSubnets;
  private final SwitchTables[] tables;
  private final SwitchGroups[] groups;

  /** The switches whose {@link SwitchGroups#hasExceptions}. */
  private final BitSet exceptions;

  private final SortedMap<String, String> beyondRules;
  private final PairFaults pairFaults;

  /** Made when somebody asks for it; threads may race to it. */
  private Map<String, SwitchTables> tablesById;

  /**
   * @param routedSubnets those of switches that take part in forwarding
   * @param tables by switch number, null for one that cannot be programmed; aligned with {@code
   *     groups}
   * @param exceptions the switches whose {@link SwitchGroups#hasExceptions}
   * @param beyondRules as {@link #beyondRules} returns it
   */
  DesiredState(
      Routing routing,
      RoutedPrefixes prefixes,
      BucketAllocator allocator,
      BitSet routedSubnets,
      SwitchTables[] tables,
      SwitchGroups[] groups,
      BitSet exceptions,
      SortedMap<String, String> beyondRules,
      PairFaults pairFaults) {
    this.routing = routing;
    this.fabric = routing.snapshot().fabric();
    this.limit = allocator.limit();
    this.prefixes = prefixes;
    this.allocator = allocator;
    this.groupNanos = allocator.takeNanos();
    this.routedSubnets = routedSubnets;
    this.tables = tables;
    this.groups = groups;
    this.exceptions = exceptions;
    this.beyondRules = beyondRules;
    this.pairFaults = pairFaults;
  }

  public Routing routing() {
    return routing;
  }

  /** The limit on the oversubscription of groups that was asked for. */
  public Ratio limit() {
    return limit;
  }

  /** The part of the compilation's time that it took to lay out groups. */
  public long groupNanos() {
    return groupNanos;
  }

  RoutedPrefixes prefixes() {
    return prefixes;
  }

  BucketAllocator allocator() {
    return allocator;
  }

  BitSet routedSubnets() {
    return routedSubnets;
  }

  /** The tables of a switch by number; null if it cannot be programmed. */
  SwitchTables tablesAt(int s) {
    return tables[s];
  }

  /** The tables of a switch; null if it cannot be programmed. */
  SwitchTables tables(String switchId) {
    int s = fabric.indexOf(switchId);
    return s < 0 ? null : tables[s];
  }

  PairFaults pairFaults() {
    return pairFaults;
  }

  /**
   * Where pairs of switches use their destinations' groups although the strategy gives them some of
   * their own; a sentence for each reason.
   */
  public List<String> pairsLeftOut() {
    return pairFaults.sentences();
  }

  /**
   * The ports that groups leave out, and the largest share that one of them is of a group's
   * capacity.
   */
  public Map<SwitchPort, Double> portsLeftOut() {
    Map<SwitchPort, Double> leftOut = new TreeMap<>();
    exceptions.stream()
        .forEach(
            s ->
                groups[s]
                    .leftOut(fabric)
                    .forEach(
                        (port, share) ->
                            leftOut.put(new SwitchPort(fabric.switchId(s), port), share)));
    return leftOut;
  }

  /** The groups that a switch has for pairs. */
  private List<PairGroup> pairsAt(int s) {
    return pairFaults.isAt(s) ? List.of() : routing.pairs().at(s);
  }

  /** What a switch does with packets of a pair, by ideal weights; empty if it has no route. */
  public IdealGroup groupOfPair(int s, int source, int destination) {
    for (PairGroup pair : pairsAt(s)) {
      if (pair.source() == source && pair.destination() == destination) {
        return pair.group();
      }
    }
    return routing.to(destination).group(s);
  }

  SwitchGroups groupsOf(int s) {
    return groups[s] == null ? SwitchGroups.NONE : groups[s];
  }

  /**
   * The port by which packets leave a switch towards a destination although it has several next
   * hops, because no group can serve it within the switch's limits; -1 if one does.
   */
  public int plainPort(int s, int destination) {
    if (!groupsOf(s).isAlone(routing.to(destination).group(s))) {
      return -1;
    }
    int[] ports = tables[s].outPorts(prefixes.prefix(prefixes.subnetsOf(destination)[0]));
    return ports.length == 1 ? ports[0] : -1;
  }

  /**
   * Whether the tables of some switch are but a stage, because the plan that leads to what is
   * wanted would exceed its limits on the way: another plan is to follow.
   */
  public boolean isStage() {
    return exceptions.stream().anyMatch(s -> groups[s].isStage);
  }

  /**
   * What cannot be done within the limits of switches, and what is done instead, a sentence each.
   */
  public List<String> beyondLimits() {
    return exceptions.stream()
        .mapToObj(s -> groups[s].fault)
        .filter(fault -> !fault.isEmpty())
        .collect(Collectors.toList());
  }

  /** By switch that cannot hold the rules wanted even if these are merged, a sentence about it. */
  public SortedMap<String, String> beyondRules() {
    return beyondRules;
  }

  /** What it costs that destinations of a switch share groups; null where none do. */
  public SharingCost sharing(String switchId) {
    int s = fabric.indexOf(switchId);
    return s >= 0 && groupsOf(s).isShared ? groupsOf(s).sharing : null;
  }

  /** How much the tables of a switch hold as far as is known. */
  public Limits limits(String switchId) {
    int s = fabric.indexOf(switchId);
    return s < 0 ? Limits.NONE : groupsOf(s).limits;
  }

  /** How a switch holds its groups; null if it cannot be programmed. */
  public SwitchTarget target(String switchId) {
    int s = fabric.indexOf(switchId);
    if (s < 0) {
      return null;
    }
    return groupsOf(s).hasLarge ? SwitchTarget.OVS_LARGE_TABLES : groupsOf(s).target;
  }

  /** By switch id; every switch that is present in the snapshot is there. */
  public Map<String, SwitchTables> tables() {
    if (tablesById == null) {
      Map<String, SwitchTables> all = new TreeMap<>();
      for (int s = 0; s < tables.length; s++) {
        if (tables[s] != null) {
          all.put(fabric.switchId(s), tables[s]);
        }
      }
      tablesById = Collections.unmodifiableMap(all);
    }
    return tablesById;
  }

  /** How many groups there are in all switches together. */
  public int groupCount() {
    return Arrays.stream(tables).mapToInt(t -> t == null ? 0 : t.groups().size()).sum();
  }

  /**
   * All groups, by switch; those that destinations share are there once, and once more for each
   * other set of next hops and weights that they serve.
   */
  public List<GroupState> groups() {
    List<GroupState> all = new ArrayList<>();
    for (String switchId : tables().keySet()) {
      all.addAll(groupsAt(switchId));
    }
    return all;
  }

  /**
   * The groups of one switch, by the first of their destinations; none for one that is not present.
   */
  public List<GroupState> groupsAt(String switchId) {
    int s = fabric.indexOf(switchId);
    if (s < 0 || groups[s] == null) {
      return List.of();
    }
    Map<IdealGroup, List<String>> destinationsOf = new LinkedHashMap<>();
    Map<IdealGroup, List<PairGroup>> pairsOf = new LinkedHashMap<>();
    for (int destination : routing.destinations()) {
      IdealGroup ideal = routing.to(destination).group(s);
      if (ideal.memberCount() > 1) {
        destinationsOf
            .computeIfAbsent(ideal, group -> new ArrayList<>())
            .add(fabric.switchId(destination));
      }
    }
    for (PairGroup pair : pairsAt(s)) {
      if (pair.group().memberCount() > 1) {
        destinationsOf.computeIfAbsent(pair.group(), group -> new ArrayList<>());
        pairsOf.computeIfAbsent(pair.group(), group -> new ArrayList<>()).add(pair);
      }
    }
    List<GroupState> states = new ArrayList<>();
    destinationsOf.forEach(
        (ideal, destinations) -> {
          int index = groups[s].indexOf(ideal);
          if (index < 0) {
            return; // A plain rule serves it.
          }
          SwitchGroups.Entry entry = groups[s].get(index);
          states.add(state(s, entry, destinations, pairsOf.getOrDefault(ideal, List.of())));
        });
    return states;
  }

  private GroupState state(
      int s, SwitchGroups.Entry entry, List<String> destinations, List<PairGroup> pairs) {
    IdealGroup ideal = entry.ideal;
    String[] via = new String[ideal.memberCount()];
    Arrays.setAll(via, i -> fabric.switchId(fabric.to(ideal.arc(i))));
    return new GroupState(
        fabric.switchId(s),
        destinations,
        pairs.stream()
            .map(
                pair ->
                    List.of(fabric.switchId(pair.source()), fabric.switchId(pair.destination())))
            .collect(Collectors.toList()),
        via,
        ideal.ports(fabric),
        ideal.weights(),
        entry.realisation,
        entry.group.entries(groups[s].target),
        groups[s].seeded,
        entry.group,
        entry.common.ports(fabric));
  }
}
