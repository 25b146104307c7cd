package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.evenweave.engine.nib.PortGuard;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.ReplicatedTable;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.IdealGroup;
import org.evenweave.wcmp.weights.PairGroup;

/** Compiles one switch's tables from its routes to all destinations. */
final class SwitchCompiler {
  final Routing routing;
  final Fabric fabric;
  final RoutedPrefixes prefixes;
  private final BucketAllocator allocator;
  private final BitSet routedSubnets;
  private final SwitchTraits traits;
  private final int[] destinations;

  /** Whether what cannot be done within all limits is an error, or done as well as it can be. */
  private final boolean isStrict;

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
   * @param isStrict whether destinations that no group can serve within the limits of a switch are
   *     an error; otherwise they have plain rules, and the fault is in the {@link SwitchGroups}
   */
  SwitchCompiler(
      Routing routing,
      RoutedPrefixes prefixes,
      BucketAllocator allocator,
      BitSet routedSubnets,
      SwitchTraits traits,
      boolean isStrict) {
    this.isStrict = isStrict;
    this.routing = routing;
    this.prefixes = prefixes;
    this.allocator = allocator;
    this.routedSubnets = routedSubnets;
    this.traits = traits;
    fabric = routing.snapshot().fabric();
    destinations = routing.destinations();
    groupOf = new SharedGroup[destinations.length];
  }

  /** Which sources may send at the ports of a switch; none are checked where it cannot. */
  PortGuard guard(int s) {
    return guard(s, routing.snapshot());
  }

  /** The same of another snapshot that is numbered alike. */
  PortGuard guard(int s, Snapshot snapshot) {
    String switchId = fabric.switchId(s);
    return traits.looksUpAgain(switchId) ? snapshot.guardAt(switchId) : PortGuard.NONE;
  }

  /**
   * @param before what the switch holds
   * @param otherRules those that do not depend on routes
   * @param pairs for which the switch is to have groups
   * @throws CannotFitException if the groups do not fit the switch's multipath table, or there are
   *     too many rules for pairs
   */
  Result compile(
      int s,
      SwitchTables before,
      boolean seeded,
      List<FlowRule> otherRules,
      List<PairGroup> pairs) {
    SwitchTables.Editor editor = new SwitchTables.Editor(prefixes.index());
    SwitchPairs ofPairs = new SwitchPairs(routing, prefixes, s, pairs);
    Map<IdealGroup, SharedGroup> shared = share(s, before, editor);
    ofPairs.share(shared, before, editor);
    GroupIds ids = groupIds(s, before, usersOfRouted(before));
    WithinLimits within = withinLimits(s, new ArrayList<>(shared.values()), ids, !pairs.isEmpty());
    List<SharedGroup> groups = within.sharing().groups();
    List<BucketAllocator.GroupLayout> layouts = within.layouts();
    List<SelectGroup> wanted = new ArrayList<>();
    layouts.forEach(layout -> wanted.add(layout.buckets));
    int[] idOf = ids.assign(groups, wanted);
    List<SwitchGroups.Entry> entries = new ArrayList<>();
    Map<SharedGroup, Integer> idOfGroup = new HashMap<>();
    for (int g = 0; g < idOf.length; g++) {
      SelectGroup group = layouts.get(g).group(idOf[g]);
      editor.put(group);
      idOfGroup.put(groups.get(g), idOf[g]);
      for (IdealGroup served : groups.get(g).served) {
        entries.add(
            new SwitchGroups.Entry(
                served,
                groups.get(g).prefixCount,
                layouts.get(g).realisation,
                group,
                groups.get(g).ideal,
                groups.get(g).served.size() > 1));
      }
    }
    Set<IdealGroup> alone = new HashSet<>();
    within.sharing().alone().forEach(left -> alone.add(left.ideal));
    for (int i = 0; i < destinations.length; i++) {
      if (groupOf[i] != null) {
        SharedGroup group = within.sharing().servedBy(groupOf[i]);
        int port = group == null ? plainPort(groupOf[i].ideal, destinations[i]) : 0;
        for (int subnet : prefixes.subnetsOf(destinations[i])) {
          editor.putRoute(
              prefixes.index(),
              prefixes.number(subnet),
              group == null
                  ? prefixes.toPort(subnet, port)
                  : prefixes.toGroup(subnet, idOfGroup.get(group)));
        }
      }
    }
    ofPairs.putRules(shared, idOfGroup, editor);
    otherRules.forEach(editor::put);
    return new Result(
        editor.done(),
        new SwitchGroups(
            entries,
            alone,
            seeded,
            target(s),
            minNextHops(s),
            limits(s),
            within.cost(),
            within.fault()));
  }

  /**
   * The groups of a switch within its limits.
   *
   * @throws CannotFitException where they do not fit, and this is strict or it may be because of
   *     groups for pairs
   */
  private WithinLimits withinLimits(
      int s, List<SharedGroup> wanted, GroupIds ids, boolean hasPairs) {
    return new WithinLimits(
        fabric.switchId(s),
        limits(s),
        minNextHops(s),
        wanted,
        groups -> realise(s, groups, ids),
        ideal -> ideal.ports(fabric),
        hasPairs,
        isStrict);
  }

  /**
   * The port of the plain rule to a destination that no group serves: one of the largest weight.
   * Destinations take turns, so that not all of them take the same.
   */
  int plainPort(IdealGroup ideal, int destination) {
    long largest = Arrays.stream(ideal.weights()).max().getAsLong();
    int[] best =
        IntStream.range(0, ideal.memberCount())
            .filter(i -> ideal.weight(i) == largest)
            .map(ideal::arc)
            .toArray();
    return fabric.port(best[destination % best.length]);
  }

  /** How much the tables of a switch hold, as configured and by what it says itself. */
  Limits limits(int s) {
    return fabric.limits(s).and(traits.limits(fabric.switchId(s)));
  }

  /** Finds the groups of a switch, and puts the rules that need none. */
  private Map<IdealGroup, SharedGroup> share(
      int s, SwitchTables before, SwitchTables.Editor editor) {
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
    return shared;
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
    Consumer<FlowRule> countIfLeaving =
        rule -> {
          int subnet = prefixes.subnetOf(rule.prefix());
          if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP
              && (subnet < 0 || !routedSubnets.get(subnet))) {
            leaving.merge(rule.groupId(), 1, Integer::sum);
          }
        };
    before.forEachRoute(countIfLeaving);
    before.forEachPair(countIfLeaving);
    return id -> before.usersOf(id) - leaving.getOrDefault(id, 0);
  }

  GroupIds groupIds(int s, SwitchTables before, IntUnaryOperator usersOf) {
    return new GroupIds(before, usersOf, () -> traits.groupIds(fabric.switchId(s)));
  }

  /** How a switch holds groups: as configured, or as it says itself. */
  SwitchTarget target(int s) {
    SwitchTarget configured = fabric.target(s);
    return configured != null ? configured : traits.target(fabric.switchId(s));
  }

  /** How many member ports of a switch's groups cannot be left out. */
  int minNextHops(int s) {
    LeaveOut configured = fabric.leaveOut(s);
    return (configured != null ? configured : allocator.leaveOut()).minNextHops();
  }

  /**
   * Which groups of a switch may be large tables: all where the fabric file says so, and by itself
   * where a limit is asked that 256 slots may exceed; else those that need one.
   */
  private SlotBudget.LargeTables largeTables(int s) {
    SwitchTarget configured = fabric.target(s);
    if (configured == SwitchTarget.OVS_LARGE_TABLES) {
      return SlotBudget.LargeTables.WHERE_NEARER;
    }
    if (configured != null || !traits.mayChooseLargeTables(fabric.switchId(s))) {
      return SlotBudget.LargeTables.NEVER;
    }
    return limit().equals(Ratio.ONE)
        ? SlotBudget.LargeTables.WHERE_NEEDED
        : SlotBudget.LargeTables.WHERE_NEARER;
  }

  /** Whether so many groups of a switch all get what each would get alone. */
  boolean isRoomForAny(int s, int groupCount) {
    Limits limits = limits(s);
    if (groupCount > limits.groups()) {
      return false;
    }
    if (target(s).isWeighted()) {
      int most = target(s).countsBuckets() ? fabric.outDegree(s) : ReplicatedTable.MOST_PER_GROUP;
      return (long) most * groupCount <= limits.entries();
    }
    return target(s) == SwitchTarget.OVS_UNIT_BUCKETS
        && limit().equals(Ratio.ONE)
        && SlotBudget.MAX_SLOTS <= limits.groupEntries()
        && (long) SlotBudget.MAX_SLOTS * groupCount <= limits.entries();
  }

  /** Whether a group gets all that it can use where {@link #isRoomForAny}. */
  boolean isOfOneTable(int s, IdealGroup ideal) {
    return target(s).isWeighted()
        ? Math.min(ideal.memberCount(), minNextHops(s)) <= mostPorts(s)
        : ideal.memberCount() <= SlotBudget.MAX_SLOTS;
  }

  /** A group of a switch where {@link #isRoomForAny}, which {@link #isOfOneTable}. */
  BucketAllocator.GroupLayout realiseAlone(int s, IdealGroup ideal, SelectGroup installed) {
    return target(s).isWeighted()
        ? allocator.weighted(
            ideal.ports(fabric),
            allocator
                .fit(
                    List.of(new SharedGroup(ideal)),
                    target(s),
                    limits(s).withEntries(Fabric.UNLIMITED),
                    minNextHops(s))
                .get(0))
        : realise(s, ideal, SlotBudget.MAX_SLOTS, installed);
  }

  /** The groups of a switch, which share its multipath table; aligned. */
  private List<BucketAllocator.GroupLayout> realise(int s, List<SharedGroup> groups, GroupIds ids) {
    List<BucketAllocator.GroupLayout> layouts = new ArrayList<>();
    if (target(s).isWeighted()) {
      List<int[]> weights = weights(s, groups);
      for (int g = 0; g < groups.size(); g++) {
        layouts.add(allocator.weighted(groups.get(g).ideal.ports(fabric), weights.get(g)));
      }
      return layouts;
    }
    int[] slots =
        SlotBudget.slots(
            fabric.switchId(s), groups, limits(s), limit(), largeTables(s), minNextHops(s));
    for (int g = 0; g < groups.size(); g++) {
      SharedGroup group = groups.get(g);
      layouts.add(realise(s, group.ideal, slots[g], ids.installedFor(group)));
    }
    return layouts;
  }

  /** A group in so many slots, laid out near to the installed one that it replaces, if any. */
  private BucketAllocator.GroupLayout realise(
      int s, IdealGroup ideal, int slots, SelectGroup installed) {
    SlotLayout layout = TableCompiler.layoutAt(fabric.stage(s));
    return allocator.realise(
        ideal.ports(fabric), ideal.weights(), layout, slots, minNextHops(s), installed);
  }

  /** The most ports that a weighted group of a switch can have. */
  private int mostPorts(int s) {
    Limits limits = limits(s);
    return Math.min(limits.groupEntries(), limits.of(Limits.Kind.MAX_TOTAL_WEIGHT));
  }

  private List<int[]> weights(int s, List<SharedGroup> groups) {
    Limits limits = limits(s);
    int least =
        groups.stream()
            .mapToInt(g -> Math.min(g.ideal.memberCount(), minNextHops(s)))
            .max()
            .orElse(0);
    if (least > mostPorts(s)) {
      throw least > limits.groupEntries()
          ? CannotFitException.groupTooSmall(fabric.switchId(s), least, limits.groupEntries())
          : CannotFitException.totalWeightTooSmall(fabric.switchId(s), least, mostPorts(s));
    }
    try {
      return allocator.fit(groups, target(s), limits, minNextHops(s));
    } catch (TableTooSmallException e) {
      throw CannotFitException.tableTooSmall(
          fabric.switchId(s), groups.size(), e.leastEntries(), limits.entries());
    }
  }

  private Ratio limit() {
    return allocator.limit();
  }
}
