package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.IdealGroup;

/** Compiles one switch's tables from its routes to all destinations. */
final class SwitchCompiler {
  final Routing routing;
  final Fabric fabric;
  final RoutedPrefixes prefixes;
  private final Realiser realiser;
  private final BitSet routedSubnets;
  private final Function<String, IntStream> groupIds;
  private final int[] destinations;

  /** By destination, the group that its prefixes get; of the switch being compiled. */
  private final SharedGroup[] groupOf;

  /** The tables of a switch, and its groups as compiled. */
  static final class Result {
    final SwitchTables tables;
    final SwitchGroups groups;

    Result(SwitchTables tables, SwitchGroups groups) {
      this.tables = tables;
      this.groups = groups;
    }
  }

  /**
   * @param routedSubnets those of switches that take part in forwarding
   * @param groupIds as {@link org.evenweave.engine.port.SouthboundPort#groupIds}
   */
  SwitchCompiler(
      Routing routing,
      RoutedPrefixes prefixes,
      Realiser realiser,
      BitSet routedSubnets,
      Function<String, IntStream> groupIds) {
    this.routing = routing;
    this.prefixes = prefixes;
    this.realiser = realiser;
    this.routedSubnets = routedSubnets;
    this.groupIds = groupIds;
    fabric = routing.snapshot().fabric();
    destinations = routing.destinations();
    groupOf = new SharedGroup[destinations.length];
  }

  /**
   * @param before what the switch holds
   * @param otherRules those that do not depend on routes
   * @throws CannotFitException if the groups do not fit the switch's multipath table
   */
  Result compile(int s, SwitchTables before, boolean seeded, List<FlowRule> otherRules) {
    SwitchTables.Editor editor = new SwitchTables.Editor(prefixes.index());
    List<SharedGroup> groups = share(s, before, editor);
    int[] slots = slots(s, groups);
    GroupIds ids = groupIds(s, before, usersOfRouted(before));
    List<Realiser.Answer> answers = new ArrayList<>();
    List<SelectGroup> wanted = new ArrayList<>();
    for (int g = 0; g < slots.length; g++) {
      answers.add(realise(s, groups.get(g).ideal, slots[g], ids.installedFor(groups.get(g))));
      wanted.add(answers.get(g).buckets);
    }
    int[] idOf = ids.assign(groups, wanted);
    List<SwitchGroups.Entry> entries = new ArrayList<>();
    Map<SharedGroup, Integer> idOfGroup = new HashMap<>();
    for (int g = 0; g < slots.length; g++) {
      SelectGroup group = answers.get(g).group(idOf[g]);
      editor.put(group);
      idOfGroup.put(groups.get(g), idOf[g]);
      entries.add(
          new SwitchGroups.Entry(
              groups.get(g).ideal, groups.get(g).prefixCount, answers.get(g).realisation, group));
    }
    for (int i = 0; i < destinations.length; i++) {
      if (groupOf[i] != null) {
        int id = idOfGroup.get(groupOf[i]);
        for (int subnet : prefixes.subnetsOf(destinations[i])) {
          editor.putRoute(prefixes.index(), prefixes.number(subnet), prefixes.toGroup(subnet, id));
        }
      }
    }
    otherRules.forEach(editor::put);
    return new Result(editor.done(), new SwitchGroups(entries, seeded));
  }

  /** Finds the groups of a switch, and puts the rules that need none. */
  private List<SharedGroup> share(int s, SwitchTables before, SwitchTables.Editor editor) {
    Map<IdealGroup, SharedGroup> shared = new LinkedHashMap<>();
    for (int i = 0; i < destinations.length; i++) {
      DestinationRoutes routes = routing.to(destinations[i]);
      IdealGroup ideal = routes.group(s);
      groupOf[i] = null;
      if (ideal.memberCount() > 1) {
        groupOf[i] = shared.computeIfAbsent(ideal, SharedGroup::new);
        join(groupOf[i], routes, s, before);
      } else if (ideal.memberCount() == 1) {
        int port = fabric.port(ideal.arc(0));
        for (int subnet : prefixes.subnetsOf(destinations[i])) {
          editor.putRoute(prefixes.index(), prefixes.number(subnet), prefixes.toPort(subnet, port));
        }
      }
    }
    return new ArrayList<>(shared.values());
  }

  /** Adds a destination to a group of a switch. */
  void join(SharedGroup group, DestinationRoutes routes, int s, SwitchTables before) {
    int[] subnets = prefixes.subnetsOf(routes.destination());
    group.add(subnets.length, routes.hops(s));
    for (int subnet : subnets) {
      FlowRule rule = installed(before, subnet);
      if (rule != null
          && rule.action() == FlowRule.Action.ROUTE_TO_GROUP
          && routedSubnets.get(subnet)
          && before.group(rule.groupId()) != null) {
        group.use(rule.groupId(), 1);
      }
    }
  }

  /** The installed rule that routes a subnet's prefix, or null. */
  FlowRule installed(SwitchTables tables, int subnet) {
    return tables.routeTo(prefixes.index(), prefixes.number(subnet), prefixes.prefix(subnet));
  }

  /** How many prefixes that are still routed use each installed group. */
  private IntUnaryOperator usersOfRouted(SwitchTables before) {
    Map<Integer, Integer> leaving = new HashMap<>();
    before.forEachRoute(
        rule -> {
          int subnet = prefixes.subnetOf(rule.prefix());
          if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP
              && (subnet < 0 || !routedSubnets.get(subnet))) {
            leaving.merge(rule.groupId(), 1, Integer::sum);
          }
        });
    return id -> before.usersOf(id) - leaving.getOrDefault(id, 0);
  }

  GroupIds groupIds(int s, SwitchTables before, IntUnaryOperator usersOf) {
    return new GroupIds(before, usersOf, () -> groupIds.apply(fabric.switchId(s)));
  }

  /** A group in so many slots, laid out near to the installed one that it replaces, if any. */
  Realiser.Answer realise(int s, IdealGroup ideal, int slots, SelectGroup installed) {
    SlotLayout layout = TableCompiler.layoutAt(fabric.stage(s));
    return realiser.realise(ideal.ports(fabric), ideal.weights(), layout, slots, installed);
  }

  private int[] slots(int s, List<SharedGroup> shared) {
    List<long[]> weights = new ArrayList<>();
    shared.forEach(group -> weights.add(group.ideal.weights()));
    return SlotBudget.slots(fabric.switchId(s), weights, fabric.tableEntries(s), limit());
  }

  /** Whether so many groups of a switch all get the most slots there are. */
  boolean allGetMostSlots(int s, int groupCount) {
    return limit().equals(Ratio.ONE)
        && (long) SlotBudget.MAX_SLOTS * groupCount <= fabric.tableEntries(s);
  }

  private Ratio limit() {
    return realiser.limit();
  }
}
