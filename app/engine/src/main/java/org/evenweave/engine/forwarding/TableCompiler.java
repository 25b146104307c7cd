package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * Turns routes and ideal weights into the tables each switch should hold.
 *
 * <p>Towards each destination a switch has either one next-hop port, and then a plain rule, or
 * several, and then a group. Destinations to which it has the same next hops in the same ideal
 * weights share one group ({@link SharedGroup}), which takes its entries once: an edge switch of a
 * fat-tree of k-port switches has one group instead of k^2/2 - 1. A group's slots are apportioned
 * to its ports with the least oversubscription (Equation 3.4 at the exact size of the table), or
 * within a limit (Equation 3.3), and laid out near to what is installed, so that as few flows as
 * possible change path.
 */
public final class TableCompiler {
  private final Routing routing;
  private final Fabric fabric;
  private final Ratio limit;
  private final Function<String, IntStream> groupIds;
  private final Collection<FlowRule> standing;
  private final Realiser realiser;
  private final List<List<Ipv4Prefix>> prefixesOf;
  private final Map<Ipv4Prefix, String> keyOf = new HashMap<>();
  private final Set<Ipv4Prefix> staying = new HashSet<>();

  private TableCompiler(
      Routing routing,
      Ratio limit,
      Function<String, IntStream> groupIds,
      Collection<FlowRule> standing) {
    this.routing = routing;
    this.limit = limit;
    this.groupIds = groupIds;
    this.standing = standing;
    fabric = routing.snapshot().fabric();
    realiser = new Realiser(limit);
    prefixesOf = new ArrayList<>();
    for (int s = 0; s < fabric.switchCount(); s++) {
      prefixesOf.add(new ArrayList<>());
    }
    for (int i = 0; i < fabric.subnetCount(); i++) {
      prefixesOf.get(fabric.subnetSwitch(i)).add(fabric.subnetPrefix(i));
      keyOf.put(fabric.subnetPrefix(i), fabric.subnetPrefix(i).toString());
      if (routing.snapshot().forwards(fabric.subnetSwitch(i))) {
        staying.add(fabric.subnetPrefix(i));
      }
    }
  }

  /**
   * Compiles everything, with shares as near to the ideal weights as the tables allow.
   *
   * @param routing what is wanted
   * @param installed what the switches hold now; their group ids and slot layouts are kept
   * @param seedsHash whether a switch's groups have a hash of its own, over UDP ports too
   * @throws CannotFitException if a switch's groups do not fit its multipath table
   */
  public static DesiredState compile(
      Routing routing, Map<String, SwitchTables> installed, Predicate<String> seedsHash) {
    return compile(
        routing,
        Ratio.ONE,
        installed,
        seedsHash,
        id -> SouthboundPort.anyGroupId(),
        List.of(),
        null);
  }

  /**
   * The same, sooner where an earlier result is near: a switch of which neither the routes nor the
   * hosts nor the tables have changed since gets the tables it got then.
   *
   * @param limit on the oversubscription of groups, at least 1; 1 asks for the nearest shares
   * @param groupIds as {@link SouthboundPort#groupIds}
   * @param standing as {@link SouthboundPort#standingRules}; always the same
   * @param earlier any result, or null
   */
  public static DesiredState compile(
      Routing routing,
      Ratio limit,
      Map<String, SwitchTables> installed,
      Predicate<String> seedsHash,
      Function<String, IntStream> groupIds,
      Collection<FlowRule> standing,
      DesiredState earlier) {
    return compile(routing, limit, installed, seedsHash, groupIds, standing, earlier, false);
  }

  /**
   * The same.
   *
   * @param keepsCutOff whether a switch that has no route to a prefix keeps the rule it has: it may
   *     lead on through a switch that is held, which nobody else should use
   */
  public static DesiredState compile(
      Routing routing,
      Ratio limit,
      Map<String, SwitchTables> installed,
      Predicate<String> seedsHash,
      Function<String, IntStream> groupIds,
      Collection<FlowRule> standing,
      DesiredState earlier,
      boolean keepsCutOff) {
    Map<String, SwitchTables> tables = new TreeMap<>();
    Map<String, List<GroupState>> groupsOf = new TreeMap<>();
    TableCompiler compiler = new TableCompiler(routing, limit, groupIds, standing);
    Fabric fabric = compiler.fabric;
    for (int s = 0; s < fabric.switchCount(); s++) {
      String switchId = fabric.switchId(s);
      if (!routing.snapshot().isPresent(s)) {
        continue;
      }
      SwitchTables before = installed.getOrDefault(switchId, SwitchTables.EMPTY);
      boolean seeded = seedsHash.test(switchId);
      if (earlier != null && compiler.isStill(earlier, s, before, seeded)) {
        tables.put(switchId, before);
        groupsOf.put(switchId, earlier.groupsAt(switchId));
        continue;
      }
      List<GroupState> groups = new ArrayList<>();
      SwitchTables after = compiler.tables(s, before, seeded, groups);
      after = keepsCutOff ? compiler.withCutOff(s, before, after) : after;
      // The very object tells the next compilation, and the planner, that nothing is to be done.
      tables.put(switchId, after.equals(before) ? before : after);
      groupsOf.put(switchId, groups);
    }
    return new DesiredState(routing, limit, tables, groupsOf);
  }

  /** Whether a switch would get what it got earlier, and has it. */
  private boolean isStill(DesiredState earlier, int s, SwitchTables before, boolean seeded) {
    String switchId = fabric.switchId(s);
    Snapshot then = earlier.routing().snapshot();
    return routing.agreesAt(s, earlier.routing())
        && limit.equals(earlier.limit())
        && earlier.tables().get(switchId) == before
        && earlier.groupsAt(switchId).stream().allMatch(group -> group.spreadsUdp() == seeded)
        && routing.snapshot().hostsAt(switchId).equals(then.hostsAt(switchId));
  }

  /** With the installed rules to prefixes that the switch has no route to, and their groups. */
  private SwitchTables withCutOff(int s, SwitchTables before, SwitchTables after) {
    Map<Integer, SelectGroup> groups = new HashMap<>(after.groups());
    Map<String, FlowRule> flows = new HashMap<>(after.flows());
    for (Ipv4Prefix prefix : staying) {
      FlowRule rule = before.flows().get(keyOf.get(prefix));
      if (rule != null && before.outPorts(rule).length > 0 && !flows.containsKey(rule.key())) {
        flows.put(rule.key(), rule);
        SelectGroup group = before.groups().get(rule.groupId());
        if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP) {
          groups.putIfAbsent(group.id(), group);
        }
      }
    }
    return new SwitchTables(groups, flows);
  }

  private SwitchTables tables(int s, SwitchTables before, boolean seeded, List<GroupState> states) {
    Map<String, FlowRule> flows = new HashMap<>();
    Map<Integer, SelectGroup> groups = new HashMap<>();
    Map<IdealGroup, SharedGroup> shared = new LinkedHashMap<>();
    standing.forEach(rule -> put(flows, rule));
    for (int destination : routing.destinations()) {
      DestinationRoutes routes = routing.to(destination);
      IdealGroup ideal = routes.group(s);
      if (ideal.memberCount() > 1) {
        shared.computeIfAbsent(ideal, SharedGroup::new).add(routes, s, prefixesOf.get(destination));
      } else if (ideal.memberCount() == 1) {
        int port = fabric.port(ideal.arc(0));
        prefixesOf
            .get(destination)
            .forEach(prefix -> put(flows, FlowRule.routeToPort(prefix, port)));
      }
    }
    for (GroupState state : groups(s, List.copyOf(shared.values()), before, seeded, flows)) {
      groups.put(state.group().id(), state.group());
      states.add(state);
    }
    edgeRules(routing.snapshot(), s, prefixesOf.get(s)).forEach(rule -> put(flows, rule));
    return new SwitchTables(groups, flows);
  }

  /**
   * The rules of a switch that concern its own hosts only.
   *
   * @param prefixes those of the switch
   */
  static List<FlowRule> edgeRules(Snapshot snapshot, int s, List<Ipv4Prefix> prefixes) {
    List<FlowRule> rules = new ArrayList<>();
    if (!prefixes.isEmpty()) {
      rules.add(FlowRule.arpToController());
      prefixes.forEach(prefix -> rules.add(FlowRule.prefixToController(prefix)));
    }
    for (Host host : snapshot.hostsAt(snapshot.fabric().switchId(s))) {
      rules.add(FlowRule.deliver(host.address(), host.port(), Gateway.MAC, host.mac()));
      for (Ipv4Prefix prefix : prefixes) {
        if (prefix.contains(host.address())) {
          rules.add(answerTo(host, prefix.gateway()));
        }
      }
    }
    return rules;
  }

  /** The groups of a switch; the rules that use them are added to {@code flows}. */
  private List<GroupState> groups(
      int s,
      List<SharedGroup> shared,
      SwitchTables before,
      boolean seeded,
      Map<String, FlowRule> flows) {
    SlotLayout layout = layoutAt(fabric.stage(s));
    int[] slots = slots(s, shared);
    GroupIds ids = new GroupIds(before, groupIds.apply(fabric.switchId(s)), staying::contains);
    List<SelectGroup> installed = new ArrayList<>();
    List<Realisation> realisations = new ArrayList<>();
    List<int[]> slotPorts = new ArrayList<>();
    for (int g = 0; g < slots.length; g++) {
      IdealGroup ideal = shared.get(g).ideal;
      SelectGroup old = ids.installedFor(shared.get(g).prefixes);
      Realisation realisation =
          realiser.realise(ideal.ports(fabric), ideal.weights(), layout, slots[g], old);
      installed.add(old);
      realisations.add(realisation);
      slotPorts.add(realisation.bucketPorts());
    }
    int[] idOf = ids.assign(shared, installed, slotPorts);
    List<GroupState> states = new ArrayList<>();
    for (int g = 0; g < slots.length; g++) {
      SelectGroup group = SelectGroup.ofSlots(idOf[g], slotPorts.get(g));
      states.add(state(s, shared.get(g), realisations.get(g), seeded, group));
      for (Ipv4Prefix prefix : shared.get(g).prefixes) {
        FlowRule old = before.flows().get(keyOf.get(prefix));
        // Most rules stay; the very objects are found equal at once.
        put(flows, isToGroup(old, idOf[g]) ? old : FlowRule.routeToGroup(prefix, idOf[g]));
      }
    }
    return states;
  }

  /** Tiers alternate, so that no switch meets the layout it was itself chosen by. */
  static SlotLayout layoutAt(int stage) {
    return stage % 2 == 1 ? SlotLayout.INTERLEAVED : SlotLayout.CONTIGUOUS;
  }

  private int[] slots(int s, List<SharedGroup> shared) {
    List<long[]> weights = new ArrayList<>();
    shared.forEach(group -> weights.add(group.ideal.weights()));
    return SlotBudget.slots(fabric.switchId(s), weights, fabric.tableEntries(s), limit);
  }

  private GroupState state(
      int s, SharedGroup shared, Realisation realisation, boolean seeded, SelectGroup group) {
    IdealGroup ideal = shared.ideal;
    String[] via = new String[ideal.memberCount()];
    Arrays.setAll(via, i -> fabric.switchId(fabric.to(ideal.arc(i))));
    List<String> destinations = new ArrayList<>();
    shared.destinations.forEach(d -> destinations.add(fabric.switchId(d)));
    return new GroupState(
        fabric.switchId(s),
        destinations,
        via,
        ideal.ports(fabric),
        ideal.weights(),
        realisation,
        seeded,
        group);
  }

  private static FlowRule answerTo(Host host, int gateway) {
    return FlowRule.answerArp(gateway, Gateway.MAC, host.address(), host.mac(), host.port());
  }

  private static boolean isToGroup(FlowRule rule, int groupId) {
    return rule != null
        && rule.action() == FlowRule.Action.ROUTE_TO_GROUP
        && rule.groupId() == groupId;
  }

  private static void put(Map<String, FlowRule> flows, FlowRule rule) {
    flows.put(rule.key(), rule);
  }
}
