package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.Limits;

/**
 * The tables between those installed and those wanted, where the plan from the one to the other
 * would exceed the limits of a switch on the way: new groups come before old ones go, and a group
 * that grows may come before one that shrinks.
 *
 * <p>In the stage every group that is not wanted any more is gone, groups that shrink have shrunk,
 * and of the new and the growing ones there are as many as there is room for beside all that is
 * installed. Destinations of the others use an existing group that has only next hops of theirs, or
 * else a plain rule to one of these, for the time of one plan. What is there then is part of what
 * is wanted, or smaller, so the next plan has room for the rest.
 *
 * <p>All next hops of a stage are next hops of the routes wanted, so {@link UpdatePlan}'s argument
 * holds for both plans.
 */
final class TableStage {
  private final SwitchTables before;
  private final SwitchTables wanted;
  private final SwitchTables.Editor editor;
  private final Routes routes;

  /** Groups that the stage has as they are wanted, or as they are installed. */
  private final Set<Integer> usable = new TreeSet<>();

  /** The entries of a group. */
  private final ToIntFunction<SelectGroup> entriesOf;

  private long roomForGroups;
  private long roomForEntries;

  /** The next hops of a switch. */
  interface Routes {
    /** The ports by which packets to a prefix may leave. */
    int[] ports(Ipv4Prefix prefix);

    /** The one of these for a plain rule. */
    int plainPort(Ipv4Prefix prefix);
  }

  private TableStage(
      SwitchTables before,
      SwitchTables wanted,
      Limits limits,
      ToIntFunction<SelectGroup> entriesOf,
      Routes routes) {
    this.entriesOf = entriesOf;
    this.before = before;
    this.wanted = wanted;
    this.routes = routes;
    editor = new SwitchTables.Editor(wanted);
    roomForGroups = (long) limits.groups() - before.groupCount();
    roomForEntries = limits.entries() - entries(before, entriesOf);
  }

  /**
   * @param before what the switch holds
   * @param wanted within the limits
   * @param entriesOf the entries that a group takes
   * @return null if the plan that leads from the one to the other keeps to the limits, or no stage
   *     would help
   */
  static SwitchTables between(
      SwitchTables before,
      SwitchTables wanted,
      Limits limits,
      ToIntFunction<SelectGroup> entriesOf,
      Routes routes) {
    if (limits.groups() == Fabric.UNLIMITED && limits.entries() == Fabric.UNLIMITED) {
      return null;
    }
    long added = wanted.groups().keySet().stream().filter(id -> before.group(id) == null).count();
    long growth = entries(wanted, group -> Math.max(0, growth(before, group, entriesOf)));
    boolean groupsFit = added == 0 || before.groupCount() + added <= limits.groups();
    boolean entriesFit = growth == 0 || entries(before, entriesOf) + growth <= limits.entries();
    if (groupsFit && entriesFit) {
      return null;
    }
    SwitchTables stage = new TableStage(before, wanted, limits, entriesOf, routes).made();
    return stage.equals(before) ? null : stage;
  }

  private static long entries(SwitchTables tables, ToIntFunction<SelectGroup> counted) {
    return tables.groups().values().stream().mapToLong(counted::applyAsInt).sum();
  }

  /** How many more entries a group takes than what is installed of it. */
  private static int growth(
      SwitchTables before, SelectGroup group, ToIntFunction<SelectGroup> entriesOf) {
    SelectGroup old = before.group(group.id());
    return entriesOf.applyAsInt(group) - (old == null ? 0 : entriesOf.applyAsInt(old));
  }

  private SwitchTables made() {
    for (SelectGroup group : wanted.groups().values()) {
      int growth = growth(before, group, entriesOf);
      SelectGroup old = before.group(group.id());
      int more = old == null ? 1 : 0;
      if (growth <= 0 || (growth <= roomForEntries && more <= roomForGroups)) {
        roomForEntries -= Math.max(0, growth);
        roomForGroups -= more;
        usable.add(group.id());
      } else if (old == null) {
        editor.removeGroup(group.id());
      } else {
        keep(old);
      }
    }
    wanted.forEachRoute(this::route);
    wanted.forEachPair(this::routePair);
    return editor.done();
  }

  /** Keeps what is installed of a group that is to grow, without what is no next hop any more. */
  private void keep(SelectGroup old) {
    Set<Integer> allowed = new HashSet<>();
    Arrays.stream(old.memberPorts()).forEach(allowed::add);
    wanted.forEachRoute(
        rule -> {
          if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && rule.groupId() == old.id()) {
            allowed.retainAll(boxed(routes.ports(rule.prefix())));
          }
        });
    if (allowed.size() == old.memberCount()) {
      editor.put(old);
      usable.add(old.id());
    } else if (allowed.isEmpty() || old.isLarge()) {
      editor.removeGroup(old.id());
    } else {
      editor.put(without(old, allowed));
    }
  }

  private static SelectGroup without(SelectGroup old, Set<Integer> allowed) {
    if (old.isSlotTable()) {
      int[] left = allowed.stream().sorted().mapToInt(Integer::intValue).toArray();
      int[] slots = old.ports();
      int next = 0;
      for (int i = 0; i < slots.length; i++) {
        slots[i] = allowed.contains(slots[i]) ? slots[i] : left[next++ % left.length];
      }
      return SelectGroup.ofSlots(old.id(), slots);
    }
    int[] kept =
        IntStream.range(0, old.bucketCount()).filter(i -> allowed.contains(old.port(i))).toArray();
    return new SelectGroup(
        old.id(),
        IntStream.of(kept).map(old::port).toArray(),
        IntStream.of(kept).map(old::weight).toArray());
  }

  private void route(FlowRule rule) {
    if (rule.action() != FlowRule.Action.ROUTE_TO_GROUP || mayUse(rule)) {
      return;
    }
    Set<Integer> ports = new HashSet<>(boxed(routes.ports(rule.prefix())));
    SelectGroup best = null;
    for (int id : usable) {
      SelectGroup group = editor.group(id);
      if (mayBeJoined(group)
          && ports.containsAll(boxed(group.memberPorts()))
          && (best == null || group.memberCount() > best.memberCount())) {
        best = group;
      }
    }
    editor.put(
        best != null
            ? FlowRule.routeToGroup(rule.prefix(), best.id())
            : FlowRule.routeToPort(rule.prefix(), routes.plainPort(rule.prefix())));
  }

  /** Whether rules that nobody planned for may move to a group in the plan that changes it. */
  private boolean mayBeJoined(SelectGroup group) {
    SelectGroup old = before.group(group.id());
    return old == null || GroupChange.mayBeJoined(old, group);
  }

  /** A pair without a rule follows that of its destination. */
  private void routePair(FlowRule rule) {
    if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && !usable.contains(rule.groupId())) {
      editor.remove(rule);
    }
  }

  /** Whether the group of a rule is there, and does not change under a rule that moves to it. */
  private boolean mayUse(FlowRule rule) {
    FlowRule old = before.routeTo(rule.prefix());
    return usable.contains(rule.groupId())
        || (editor.group(rule.groupId()) != null && rule.equals(old));
  }

  private static List<Integer> boxed(int[] ports) {
    return Arrays.stream(ports).boxed().collect(Collectors.toList());
  }
}
