package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.PortGuard;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;
import org.evenweave.wcmp.weights.PairGroup;

/**
 * Turns routes and ideal weights into the tables each switch should hold.
 *
 * <p>Towards each destination a switch has either one next-hop port, and then a plain rule, or
 * several, and then a group. Destinations to which it has the same next hops in the same ideal
 * weights share one group ({@link SharedGroup}), which takes its entries once: an edge switch of a
 * fat-tree of k-port switches has one group instead of k^2/2 - 1. How a group is held depends on
 * the switch ({@link SwitchTarget}). In Open vSwitch its slots are apportioned to its ports with
 * the least oversubscription (Equation 3.4 at the exact size of the table), or within a limit
 * (Equation 3.3), and laid out near to what is installed, so that as few flows as possible change
 * path. In hardware it is reduced, and fitted with the others if the table is too small for all.
 *
 * <p>Given an earlier result, a switch of which nothing changed keeps its tables, and one of which
 * only some routes changed is changed in these ({@link SwitchUpdate}); all others are compiled in
 * full ({@link SwitchCompiler}).
 *
 * <p>Where pairs of switches have groups of their own ({@link SwitchPairs}), a switch that cannot
 * hold all of them has none ({@link PairFaults}).
 */
public final class TableCompiler {
  private final Routing routing;
  private final Fabric fabric;
  private final SwitchTraits traits;
  private final RoutedPrefixes prefixes;
  private final BucketAllocator allocator;
  private final BitSet routedSubnets;
  private final SwitchCompiler switches;

  private TableCompiler(
      Routing routing,
      Ratio limit,
      LeaveOut leaveOut,
      SwitchTraits traits,
      DesiredState earlier,
      boolean isStrict) {
    this.routing = routing;
    this.traits = traits;
    fabric = routing.snapshot().fabric();
    prefixes = RoutedPrefixes.of(fabric, earlier == null ? null : earlier.prefixes());
    boolean keepsAnswers =
        earlier != null
            && earlier.limit().equals(limit)
            && earlier.allocator().leaveOut().equals(leaveOut);
    allocator = keepsAnswers ? earlier.allocator() : new BucketAllocator(limit, leaveOut);
    routedSubnets = new BitSet(fabric.subnetCount());
    for (int i = 0; i < fabric.subnetCount(); i++) {
      routedSubnets.set(i, routing.snapshot().forwards(fabric.subnetSwitch(i)));
    }
    switches = new SwitchCompiler(routing, prefixes, allocator, routedSubnets, traits, isStrict);
  }

  /**
   * Compiles everything, with shares as near to the ideal weights as the tables allow.
   *
   * @param routing what is wanted
   * @param installed what the switches hold now; their group ids and slot layouts are kept
   * @throws CannotFitException if a switch's groups do not fit its multipath table
   */
  public static DesiredState compile(
      Routing routing, Map<String, SwitchTables> installed, SwitchTraits traits) {
    return compile(routing, Ratio.ONE, LeaveOut.NEVER, installed, traits, null);
  }

  /**
   * The same, sooner where an earlier result is near: a switch of which neither the routes nor the
   * hosts nor the tables have changed since gets the tables it got then.
   *
   * @param limit on the oversubscription of groups, at least 1; 1 asks for the nearest shares
   * @param leaveOut whether groups may leave ports out, of switches that do not say so themselves
   * @param traits of the switches; their standing rules are always the same
   * @param earlier any result, or null
   */
  public static DesiredState compile(
      Routing routing,
      Ratio limit,
      LeaveOut leaveOut,
      Map<String, SwitchTables> installed,
      SwitchTraits traits,
      DesiredState earlier) {
    TableCompiler compiler = new TableCompiler(routing, limit, leaveOut, traits, earlier, true);
    return compiler.compile(installed, earlier, false);
  }

  /**
   * The same for a fabric in operation: what the limits of a switch do not allow is done as well as
   * they do ({@link DesiredState#beyondLimits}). That is always possible: a switch that can have no
   * group at all has plain rules ({@link WithinLimits}), and pairs have no groups where they do not
   * fit ({@link PairFaults}).
   *
   * @param keepsCutOff whether a switch that has no route to a prefix keeps the rule it has: it may
   *     lead on through a switch that is held, which nobody else should use
   */
  public static DesiredState compile(
      Routing routing,
      Ratio limit,
      LeaveOut leaveOut,
      Map<String, SwitchTables> installed,
      SwitchTraits traits,
      DesiredState earlier,
      boolean keepsCutOff) {
    TableCompiler compiler = new TableCompiler(routing, limit, leaveOut, traits, earlier, false);
    return compiler.compile(installed, earlier, keepsCutOff);
  }

  private DesiredState compile(
      Map<String, SwitchTables> installed, DesiredState earlier, boolean keepsCutOff) {
    SwitchTables[] tables = new SwitchTables[fabric.switchCount()];
    SwitchGroups[] groups = new SwitchGroups[fabric.switchCount()];
    BitSet exceptions = new BitSet();
    SortedMap<String, String> beyondRules = new TreeMap<>();
    PairFaults faults = new PairFaults(fabric, routing.pairs());
    boolean routesAreNear =
        earlier != null
            && earlier.prefixes() == prefixes
            && earlier.allocator() == allocator
            && routing.isMadeFrom(earlier.routing());
    boolean mayUpdate =
        routesAreNear && !keepsCutOff && earlier.routedSubnets().equals(routedSubnets);
    SwitchUpdate update = mayUpdate ? new SwitchUpdate(switches, earlier) : null;
    BitSet withOtherHosts = routesAreNear ? withOtherHosts(earlier) : new BitSet();
    SwitchTables[] held = InstalledTables.inOrder(installed, fabric);
    for (int s = 0; s < tables.length; s++) {
      if (!routing.snapshot().isPresent(s)) {
        continue;
      }
      String switchId = fabric.switchId(s);
      SwitchTables before = held[s];
      boolean seeded = traits.seedsHash(switchId);
      SwitchTarget target = switches.target(s);
      boolean isNear =
          routesAreNear
              && earlier.tablesAt(s) == before
              && earlier.groupsOf(s).seeded == seeded
              && earlier.groupsOf(s).target == target
              && !earlier.groupsOf(s).isStage
              && earlier.groupsOf(s).minNextHops == switches.minNextHops(s)
              && earlier.groupsOf(s).limits.equals(switches.limits(s));
      boolean hasOtherHosts = withOtherHosts.get(s);
      List<PairGroup> pairs = routing.pairs().at(s);
      boolean hasOtherPairs = isNear && !pairs.equals(earlier.routing().pairs().at(s));
      SwitchCompiler.Result result = null;
      if (isNear && !routing.changedAt(s) && !hasOtherHosts && !hasOtherPairs) {
        result = new SwitchCompiler.Result(before, earlier.groupsOf(s));
        faults.keep(s, earlier.pairFaults());
      } else if (isNear && mayUpdate && !hasOtherPairs && pairs.isEmpty()) {
        result = update.of(s, before, hasOtherHosts);
      }
      if (result == null) {
        result = compile(s, before, seeded, faults);
        result = keepsCutOff ? withCutOff(before, result) : result;
        result = stage(s, before, result);
      }
      // The very object tells the next compilation, and the planner, that nothing is to be done.
      tables[s] = result.tables.equals(before) ? before : result.tables;
      groups[s] = result.groups;
      exceptions.set(s, groups[s].hasExceptions());
      // Merging is what takes long: what was said of the very tables holds.
      String beyond =
          isNear && tables[s] == before
              ? earlier.beyondRules().get(switchId)
              : RuleLimit.exceeded(switchId, tables[s], groups[s].limits.rules());
      if (beyond != null) {
        beyondRules.put(switchId, beyond);
      }
    }
    return new DesiredState(
        routing,
        prefixes,
        allocator,
        routedSubnets,
        tables,
        groups,
        exceptions,
        Collections.unmodifiableSortedMap(beyondRules),
        faults);
  }

  /** What comes before the tables wanted, where the plan that leads there would need more room. */
  private SwitchCompiler.Result stage(int s, SwitchTables before, SwitchCompiler.Result wanted) {
    TableStage.Routes nextHops =
        new TableStage.Routes() {
          @Override
          public int[] ports(Ipv4Prefix prefix) {
            return group(prefix).ports(fabric);
          }

          @Override
          public int plainPort(Ipv4Prefix prefix) {
            return switches.plainPort(group(prefix), destination(prefix));
          }

          private IdealGroup group(Ipv4Prefix prefix) {
            return routing.to(destination(prefix)).group(s);
          }

          private int destination(Ipv4Prefix prefix) {
            return fabric.subnetSwitch(prefixes.subnetOf(prefix));
          }
        };
    SwitchTables stage =
        TableStage.between(
            before,
            wanted.tables,
            switches.limits(s),
            group -> group.entries(switches.target(s)),
            nextHops);
    return stage == null ? wanted : new SwitchCompiler.Result(stage, wanted.groups.asStage());
  }

  /** Without rules for pairs, if the switch cannot hold all of them. */
  private SwitchCompiler.Result compile(
      int s, SwitchTables before, boolean seeded, PairFaults faults) {
    List<PairGroup> pairs = routing.pairs().at(s);
    if (!pairs.isEmpty()) {
      try {
        return switches.compile(s, before, seeded, otherRules(s, before), pairs);
      } catch (CannotFitException e) {
        faults.add(s, e);
      }
    }
    return switches.compile(s, before, seeded, otherRules(s, before), List.of());
  }

  /** The switches with other hosts or guards than for an earlier result, by number. */
  private BitSet withOtherHosts(DesiredState earlier) {
    BitSet switches = new BitSet();
    Snapshot then = earlier.routing().snapshot();
    Snapshot now = routing.snapshot();
    Stream.concat(
            now.switchesWithOtherHosts(then).stream(), now.switchesWithOtherGuards(then).stream())
        .mapToInt(fabric::indexOf)
        .filter(s -> s >= 0)
        .forEach(switches::set);
    return switches;
  }

  /** With the installed rules to prefixes that the switch has no route to, and their groups. */
  private SwitchCompiler.Result withCutOff(SwitchTables before, SwitchCompiler.Result result) {
    SwitchTables.Editor editor = new SwitchTables.Editor(result.tables);
    before.forEachRoute(
        rule -> {
          int subnet = prefixes.subnetOf(rule.prefix());
          if (subnet >= 0
              && routedSubnets.get(subnet)
              && before.outPorts(rule).length > 0
              && !result.tables.hasMatchOf(rule)) {
            editor.put(rule);
            if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP
                && result.tables.group(rule.groupId()) == null) {
              editor.put(before.group(rule.groupId()));
            }
          }
        });
    return new SwitchCompiler.Result(editor.done(), result.groups);
  }

  /** The rules of a switch that do not depend on routes. */
  private List<FlowRule> otherRules(int s, SwitchTables before) {
    List<FlowRule> rules = new ArrayList<>(traits.standingRules());
    List<Host> hosts = routing.snapshot().hostsAt(fabric.switchId(s));
    rules.addAll(EdgeRules.all(hosts, prefixes.prefixesOf(s)));
    PortGuard guard = switches.guard(s);
    rules.addAll(
        guard == PortGuard.UNKNOWN
            ? SourceGuardRules.heldIn(before)
            : SourceGuardRules.of(guard, hosts));
    return rules;
  }

  /** Tiers alternate, so that no switch meets the layout it was itself chosen by. */
  static SlotLayout layoutAt(int stage) {
    return stage % 2 == 1 ? SlotLayout.INTERLEAVED : SlotLayout.CONTIGUOUS;
  }
}
