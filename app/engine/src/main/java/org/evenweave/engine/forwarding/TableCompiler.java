package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.realisation.GroupRequest;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * Turns routes and ideal weights into the tables each switch should hold.
 *
 * <p>Towards each destination a switch has either one next-hop port, and then a plain rule, or
 * several, and then one group that all prefixes of the destination share. A group's slots are
 * apportioned to its ports with the least oversubscription (Equation 3.4 at the exact size of the
 * table) and laid out near to what is installed, so that as few flows as possible change path.
 */
public final class TableCompiler {
  private static final SwitchTarget TARGET = SwitchTarget.OVS_UNIT_BUCKETS;

  /** As near to the ideal weights as the slots allow, so that equal fabrics get equal shares. */
  private static final Ratio NEAREST = Ratio.ONE;

  private TableCompiler() {}

  /**
   * Compiles everything.
   *
   * @param routing what is wanted
   * @param installed what the switches hold now; their group ids and slot layouts are kept
   * @param seedsHash whether a switch's groups have a hash of its own, over UDP ports too
   * @throws CannotFitException if a switch's groups do not fit its multipath table
   */
  public static DesiredState compile(
      Routing routing, Map<String, SwitchTables> installed, Predicate<String> seedsHash) {
    return compile(routing, installed, seedsHash, null);
  }

  /**
   * The same, sooner where an earlier result is near: a switch of which neither the routes nor the
   * hosts nor the tables have changed since gets the tables it got then.
   *
   * @param earlier any result, or null
   */
  public static DesiredState compile(
      Routing routing,
      Map<String, SwitchTables> installed,
      Predicate<String> seedsHash,
      DesiredState earlier) {
    Map<String, SwitchTables> tables = new TreeMap<>();
    Map<String, List<GroupState>> groupsOf = new TreeMap<>();
    Fabric fabric = routing.snapshot().fabric();
    List<List<Ipv4Prefix>> prefixes = prefixesOf(fabric);
    for (int s = 0; s < fabric.switchCount(); s++) {
      String switchId = fabric.switchId(s);
      if (!routing.snapshot().isPresent(s)) {
        continue;
      }
      SwitchTables before = installed.getOrDefault(switchId, SwitchTables.EMPTY);
      boolean seeded = seedsHash.test(switchId);
      if (earlier != null && isStill(earlier, routing, s, before, seeded)) {
        tables.put(switchId, before);
        groupsOf.put(switchId, earlier.groupsAt(switchId));
        continue;
      }
      List<GroupState> groups = new ArrayList<>();
      SwitchTables after = tables(routing, s, prefixes, before, seeded, groups);
      // The very object tells the next compilation, and the planner, that nothing is to be done.
      tables.put(switchId, after.equals(before) ? before : after);
      groupsOf.put(switchId, groups);
    }
    return new DesiredState(routing, tables, groupsOf);
  }

  /** Whether a switch would get what it got earlier, and has it. */
  private static boolean isStill(
      DesiredState earlier, Routing routing, int s, SwitchTables before, boolean seeded) {
    String switchId = routing.snapshot().fabric().switchId(s);
    return routing.agreesAt(s, earlier.routing())
        && earlier.tables().get(switchId) == before
        && earlier.groupsAt(switchId).stream().allMatch(group -> group.spreadsUdp() == seeded)
        && routing
            .snapshot()
            .hostsAt(switchId)
            .equals(earlier.routing().snapshot().hostsAt(switchId));
  }

  private static List<List<Ipv4Prefix>> prefixesOf(Fabric fabric) {
    List<List<Ipv4Prefix>> prefixes = new ArrayList<>();
    for (int s = 0; s < fabric.switchCount(); s++) {
      prefixes.add(new ArrayList<>());
    }
    for (int i = 0; i < fabric.subnetCount(); i++) {
      prefixes.get(fabric.subnetSwitch(i)).add(fabric.subnetPrefix(i));
    }
    return prefixes;
  }

  private static SwitchTables tables(
      Routing routing,
      int s,
      List<List<Ipv4Prefix>> prefixes,
      SwitchTables before,
      boolean seeded,
      List<GroupState> allGroups) {
    Fabric fabric = routing.snapshot().fabric();
    Map<String, FlowRule> flows = new HashMap<>();
    Map<Integer, SelectGroup> groups = new HashMap<>();
    int slots = slotsPerGroup(routing, s);
    GroupIds ids = new GroupIds(before);
    for (int destination : routing.destinations()) {
      DestinationRoutes routes = routing.to(destination);
      List<Ipv4Prefix> towards = prefixes.get(routes.destination());
      if (routes.memberCount(s) > 1) {
        GroupState state = group(fabric, s, routes, slots, ids.idFor(towards), before, seeded);
        allGroups.add(state);
        groups.put(state.group().id(), state.group());
        towards.forEach(prefix -> put(flows, FlowRule.routeToGroup(prefix, state.group().id())));
      } else if (routes.memberCount(s) == 1) {
        int port = fabric.port(routes.arc(s, 0));
        towards.forEach(prefix -> put(flows, FlowRule.routeToPort(prefix, port)));
      }
    }
    if (!prefixes.get(s).isEmpty()) {
      put(flows, FlowRule.arpToController());
      prefixes.get(s).forEach(prefix -> put(flows, FlowRule.prefixToController(prefix)));
    }
    for (Host host : routing.snapshot().hostsAt(fabric.switchId(s))) {
      put(flows, FlowRule.deliver(host.address(), host.port(), Gateway.MAC, host.mac()));
    }
    return new SwitchTables(groups, flows);
  }

  private static int slotsPerGroup(Routing routing, int s) {
    int groups = 0;
    int widest = 0;
    for (int destination : routing.destinations()) {
      DestinationRoutes routes = routing.to(destination);
      groups += routes.memberCount(s) > 1 ? 1 : 0;
      widest = Math.max(widest, routes.memberCount(s));
    }
    Fabric fabric = routing.snapshot().fabric();
    return groups == 0
        ? 0
        : SlotBudget.slotsPerGroup(fabric.switchId(s), groups, widest, fabric.tableEntries(s));
  }

  private static GroupState group(
      Fabric fabric,
      int s,
      DestinationRoutes routes,
      int slots,
      int groupId,
      SwitchTables before,
      boolean seeded) {
    int[] ports = routes.ports(fabric, s);
    long[] weights = routes.weights(s);
    // Tiers alternate, so that no switch meets the layout it was itself chosen by.
    SlotLayout layout = fabric.stage(s) % 2 == 1 ? SlotLayout.INTERLEAVED : SlotLayout.CONTIGUOUS;
    SelectGroup old = before.groups().get(groupId);
    Realisation realisation =
        TARGET.ofSize(
            new GroupRequest(ports, weights, NEAREST, layout),
            slots,
            old == null ? null : TARGET.realise(old.ports(), old.weights()));
    String[] via = new String[ports.length];
    Arrays.setAll(via, i -> fabric.switchId(fabric.to(routes.arc(s, i))));
    return new GroupState(
        fabric.switchId(s),
        fabric.switchId(routes.destination()),
        via,
        ports,
        weights,
        realisation,
        seeded,
        SelectGroup.ofSlots(groupId, realisation.bucketPorts()));
  }

  private static void put(Map<String, FlowRule> flows, FlowRule rule) {
    flows.put(rule.key(), rule);
  }
}
