package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TablesDifference;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The changes that lead from the tables installed to the tables desired, in rounds. All switches
 * carry out a round side by side; the next begins when every switch has confirmed.
 *
 * <p><b>Order.</b> Towards each destination, a switch changes only after all switches nearer to it
 * on the <em>new</em> routes have changed: round r holds what is r hops away. New groups come
 * before, in round 0, where nothing uses them yet; what nothing uses any more is deleted last.
 * Rules to a prefix that has left the fabric go in round 0, since their packets have nowhere to go.
 * A group that only takes fewer table entries, for the same ports, makes room before all else, and
 * one that only takes more comes last, so that a full table holds the intermediate states.
 *
 * <p><b>Why no packet loops or is lost on the way.</b> Look at one destination between any two
 * changes. The switches that have changed are closed under new next hops: whatever such a switch
 * forwards stays on the new routes, which lead strictly nearer, and arrives. A switch that has not
 * changed uses its old rule. The old rules among themselves do not loop, so a packet either arrives
 * over old rules or meets a changed switch, and arrives from there. Hence if the old state lost no
 * packet, no intermediate state does; if a failure made it lose some, each change only reduces the
 * loss.
 *
 * <p><b>What need not wait.</b> A switch that only removes next hops forwards to some of its old
 * ones, and counts as not changed until its round is over. So it does that at once: groups in round
 * 0, rules in round 1, when the groups are there that they move to. The same goes for a switch that
 * changes weights alone, where no switch gains next hops: else what the weights count on may not be
 * there yet.
 *
 * <p><b>What waits longer.</b> A switch may confirm a change and yet decide by its old tables for
 * some time, from a cache. So what makes packets come to changed switches, where they have another
 * way to go, begins only when these had time to settle ({@link #waitsBefore}), and so does the
 * deletion of what no rule uses any more.
 *
 * <p>A rule that refuses sources at a port comes last and goes first: until then the port may be an
 * end of a link, or lack a rule that lets its hosts' packets pass.
 *
 * <p>Destinations that share a group change together where {@link GroupChange} shows that they may;
 * otherwise they share nothing that changes, and need no order among each other.
 *
 * <p>A switch may have rules for single sources beside the one for all packets to a destination.
 * All of them lead strictly nearer to it, so what is said here of a switch's next hops holds for
 * those of all its rules to the destination taken together; {@link PlanVerifier} takes them
 * together too. A rule for a source is taken out in the round of its distance, as the last change
 * of a switch: its packets follow the other rule then, which may have been losing packets before.
 *
 * <p>Nothing here asks where the old rules come from, only that they do not loop, which every step
 * preserves. So a plan may also begin where another ended early, or where a switch refused some of
 * a round's operations and carried out the others: towards every destination it then has its old
 * next hops, its new ones, or some of either ({@link GroupChange}).
 *
 * <p>The number of rounds is at most the diameter of the fabric plus three.
 */
final class UpdatePlan {
  /** Stands for the distance of a prefix that is not in the fabric, or not any more. */
  private static final int NOT_ROUTED = -1;

  /** Expected of a switch in a round: most get one rule or one group. */
  private static final int OPERATIONS = 2;

  /** Of a round's map: the switches that change, which may be thousands, fit without a rehash. */
  private final int mapCapacity;

  private List<Map<String, List<SwitchOperation>>> rounds = new ArrayList<>();
  private final Map<String, List<SwitchOperation>> unusedFlows = new LinkedHashMap<>();
  private final Map<String, List<SwitchOperation>> unusedGroups = new LinkedHashMap<>();
  private final Map<String, List<SwitchOperation>> growing = new LinkedHashMap<>();
  private final Map<String, List<SwitchOperation>> shrinking = new LinkedHashMap<>();

  /** Add the changes of weights alone, once it is known whether there are others. */
  private final List<Runnable> reweights = new ArrayList<>();

  /** Add the removals of rules for pairs, after all other changes of their rounds. */
  private final List<Runnable> pairRemovals = new ArrayList<>();

  /** Rounds that send packets to switches to which they need not go. */
  private final BitSet gaining = new BitSet();

  private boolean gainsAny;

  /** Whether packets have nowhere to go until the plan is carried out. */
  private boolean isUrgent;

  /** The first of the rounds that delete what no rule uses any more. */
  private int cleanup;

  private int groupChanges;
  private int flowChanges;

  private UpdatePlan(int switches) {
    mapCapacity = switches * 4 / 3 + 1;
  }

  private static int countChanges(SwitchTables[] before, DesiredState desired) {
    int count = 0;
    for (int s = 0; s < before.length; s++) {
      SwitchTables after = desired.tablesAt(s);
      count += after != null && after != before[s] ? 1 : 0;
    }
    return count;
  }

  /** Plans the change from {@code installed} to {@code desired}. */
  static UpdatePlan between(Map<String, SwitchTables> installed, DesiredState desired) {
    return between(installed, desired, Set.of());
  }

  /**
   * The same.
   *
   * @param outdated switches that are to put their rules into another form; one that does not
   *     change otherwise is asked for no changes at the end
   */
  static UpdatePlan between(
      Map<String, SwitchTables> installed, DesiredState desired, Set<String> outdated) {
    Map<String, List<SwitchOperation>> reforming = new LinkedHashMap<>();
    Fabric fabric = desired.routing().snapshot().fabric();
    Fabric physical = desired.routing().snapshot().physical();
    SwitchTables[] before = InstalledTables.inOrder(installed, fabric);
    UpdatePlan plan = new UpdatePlan(countChanges(before, desired));
    for (int s = 0; s < before.length; s++) {
      SwitchTables after = desired.tablesAt(s);
      if (after != null && after != before[s]) {
        int from = s;
        plan.addSwitch(
            fabric.switchId(s),
            before[s],
            after,
            prefix -> hops(desired, from, prefix),
            port -> physical.outArcAt(from, port) >= 0);
      }
      if (after != null && !outdated.isEmpty() && outdated.contains(fabric.switchId(s))) {
        reforming.put(fabric.switchId(s), List.of());
      }
    }
    plan.closeRounds();
    reforming.keySet().removeAll(plan.switchIds());
    if (!reforming.isEmpty()) {
      plan.rounds.add(reforming);
    }
    return plan;
  }

  /** Plans changes that need no order between switches. */
  static UpdatePlan inOneRound(
      Map<String, SwitchTables> installed, Map<String, SwitchTables> desired) {
    UpdatePlan plan = new UpdatePlan(desired.size());
    new TreeMap<>(desired)
        .forEach(
            (switchId, after) ->
                plan.addSwitch(
                    switchId,
                    installed.getOrDefault(switchId, SwitchTables.EMPTY),
                    after,
                    prefix -> NOT_ROUTED,
                    port -> true));
    plan.closeRounds();
    return plan;
  }

  private void closeRounds() {
    shrinking.forEach((switchId, list) -> operations(0, switchId).addAll(0, list));
    reweights.forEach(Runnable::run);
    pairRemovals.forEach(Runnable::run);
    growing.forEach((switchId, list) -> list.forEach(each -> addTo(unusedGroups, switchId, each)));
    List<Map<String, List<SwitchOperation>>> all = rounds;
    BitSet allGaining = (BitSet) gaining.clone();
    rounds = new ArrayList<>();
    gaining.clear();
    for (int r = 0; r < all.size(); r++) {
      if (!all.get(r).isEmpty()) {
        gaining.set(rounds.size(), allGaining.get(r));
        rounds.add(all.get(r));
      }
    }
    cleanup = rounds.size();
    Stream.of(unusedFlows, unusedGroups).filter(round -> !round.isEmpty()).forEach(rounds::add);
  }

  /** Links from a switch to the switch that has a prefix, or {@link #NOT_ROUTED}. */
  private static int hops(DesiredState desired, int s, Ipv4Prefix prefix) {
    int subnet = desired.prefixes().subnetOf(prefix);
    return subnet < 0 || !desired.routedSubnets().get(subnet)
        ? NOT_ROUTED
        : Math.max(
            desired
                .routing()
                .to(desired.routing().snapshot().fabric().subnetSwitch(subnet))
                .hops(s),
            0);
  }

  private void addSwitch(
      String switchId,
      SwitchTables before,
      SwitchTables after,
      ToIntFunction<Ipv4Prefix> hopsTo,
      IntPredicate leadsOn) {
    TablesDifference.ofFlows(
        before,
        after,
        (old, rule) -> {
          if (rule == null && after.hasMatchOf(old)) {
            return; // Another kind of rule takes its place.
          }
          if (isRefusal(rule)) {
            addTo(unusedFlows, switchId, SwitchOperation.putFlow(rule));
          } else if (rule == null && isRefusal(old)) {
            add(0, switchId, SwitchOperation.deleteFlow(old));
          } else if (rule != null) {
            addRule(before, old, after, rule, switchId, roundOf(rule, hopsTo), leadsOn);
          } else if (old.isOfPair()) {
            removePair(old, before, after, switchId, roundOf(old, hopsTo), leadsOn);
          } else if (old.isRoute() && hopsTo.applyAsInt(old.prefix()) == NOT_ROUTED) {
            add(0, switchId, SwitchOperation.deleteFlow(old));
          } else {
            addTo(unusedFlows, switchId, SwitchOperation.deleteFlow(old));
          }
          flowChanges++;
        });
    TablesDifference.ofGroups(
        before,
        after,
        (old, group) -> {
          if (old == null) {
            addFirst(0, switchId, SwitchOperation.addGroup(group));
          } else if (group == null) {
            addTo(unusedGroups, switchId, SwitchOperation.deleteGroup(old));
          } else if (old.hasSamePortsAs(group) && old.totalWeight() != group.totalWeight()) {
            addTo(
                group.totalWeight() < old.totalWeight() ? shrinking : growing,
                switchId,
                SwitchOperation.modifyGroup(old, group));
          } else {
            IntSummaryStatistics distances = distancesOfUsers(group.id(), after, hopsTo);
            int round = GroupChange.round(old, group, distances.getMin(), distances.getMax());
            SwitchOperation operation = SwitchOperation.modifyGroup(old, group);
            if (!old.hasPortsOf(group)) {
              gain(round, old.memberPorts(), leadsOn);
              addFirst(round, switchId, operation);
            } else if (group.hasPortsOf(old)) {
              reweights.add(() -> addFirst(gainsAny ? round : 0, switchId, operation));
            } else {
              addFirst(0, switchId, operation);
            }
          }
          groupChanges++;
        });
  }

  private static boolean isRefusal(FlowRule rule) {
    return rule != null && rule.match() == FlowRule.Match.REFUSED_SOURCE;
  }

  /** Adds a rule in the round of its distance, or earlier if it gives up next hops only. */
  private void addRule(
      SwitchTables before,
      FlowRule same,
      SwitchTables after,
      FlowRule rule,
      String switchId,
      int round,
      IntPredicate leadsOn) {
    SwitchOperation operation = SwitchOperation.putFlow(rule);
    // A pair without a rule has been following the one for its destination.
    FlowRule old = same == null && rule.isOfPair() ? before.routeTo(rule.prefix()) : same;
    if (!rule.isRoute() || old == null || !old.isRoute()) {
      gainsAny |= rule.isRoute();
      add(round, switchId, operation);
      return;
    }
    int[] then = before.outPorts(old);
    int[] now = after.outPorts(rule);
    int early = Math.min(round, 1);
    if (now.length == 0 || !SortedPorts.containsAll(then, now)) {
      gain(round, then, leadsOn);
      add(round, switchId, operation);
    } else if (then.length == now.length) {
      reweights.add(() -> add(gainsAny ? round : early, switchId, operation));
    } else {
      add(early, switchId, operation);
    }
  }

  private void removePair(
      FlowRule pair,
      SwitchTables before,
      SwitchTables after,
      String switchId,
      int round,
      IntPredicate leadsOn) {
    FlowRule other = after.routeTo(pair.prefix());
    int[] then = before.outPorts(pair);
    if (other != null && !SortedPorts.containsAll(then, after.outPorts(other))) {
      gain(round, then, leadsOn);
    }
    pairRemovals.add(() -> add(round, switchId, SwitchOperation.deleteFlow(pair)));
  }

  /**
   * @param before the ports by which packets leave now
   */
  private void gain(int round, int[] before, IntPredicate leadsOn) {
    gainsAny = true;
    isUrgent = isUrgent || !anyLeadsOn(before, leadsOn);
    gaining.set(round);
  }

  private static boolean anyLeadsOn(int[] ports, IntPredicate leadsOn) {
    for (int port : ports) {
      if (leadsOn.test(port)) {
        return true;
      }
    }
    return false;
  }

  /** Of the rules that use a group; 0 for one without, which no packet meets. */
  private static IntSummaryStatistics distancesOfUsers(
      int groupId, SwitchTables tables, ToIntFunction<Ipv4Prefix> hopsTo) {
    IntSummaryStatistics distances = new IntSummaryStatistics();
    Consumer<FlowRule> addIfUser =
        rule -> {
          if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && rule.groupId() == groupId) {
            distances.accept(roundOf(rule, hopsTo));
          }
        };
    tables.forEachRoute(addIfUser);
    tables.forEachPair(addIfUser);
    if (distances.getCount() == 0) {
      distances.accept(0);
    }
    return distances;
  }

  /** A rule that routes belongs to the round of its distance; every other rule to the first. */
  private static int roundOf(FlowRule rule, ToIntFunction<Ipv4Prefix> hopsTo) {
    return rule.isRoute() ? Math.max(hopsTo.applyAsInt(rule.prefix()), 0) : 0;
  }

  private List<SwitchOperation> operations(int round, String switchId) {
    while (rounds.size() <= round) {
      rounds.add(new LinkedHashMap<>(mapCapacity));
    }
    return rounds.get(round).computeIfAbsent(switchId, id -> new ArrayList<>(OPERATIONS));
  }

  private void add(int round, String switchId, SwitchOperation operation) {
    operations(round, switchId).add(operation);
  }

  private static void addTo(
      Map<String, List<SwitchOperation>> round, String switchId, SwitchOperation operation) {
    round.computeIfAbsent(switchId, id -> new ArrayList<>(OPERATIONS)).add(operation);
  }

  /** A group goes before the rules that use it. */
  private void addFirst(int round, String switchId, SwitchOperation operation) {
    operations(round, switchId).add(0, operation);
  }

  /** For each round, the operations by switch id. */
  List<Map<String, List<SwitchOperation>>> rounds() {
    return Collections.unmodifiableList(rounds);
  }

  /** The switches that change. */
  Set<String> switchIds() {
    Set<String> ids = new HashSet<>();
    rounds.forEach(round -> ids.addAll(round.keySet()));
    return ids;
  }

  int roundCount() {
    return rounds.size();
  }

  /** The operations of a round, by switch id. */
  Map<String, List<SwitchOperation>> round(int r) {
    return rounds.get(r);
  }

  /**
   * Whether a round is to begin only when the switches changed before it had time to settle: it
   * sends packets to them that are not lost until then. If any are, nothing waits.
   */
  boolean waitsBefore(int r) {
    return r >= cleanup || (gaining.get(r) && !isUrgent);
  }

  /** The round before which all packets go as desired; what follows only deletes. */
  int inForce() {
    return growing.isEmpty() ? cleanup : rounds.size();
  }

  /** Groups added, changed or deleted. */
  int groupChanges() {
    return groupChanges;
  }

  /** Rules put or deleted. */
  int flowChanges() {
    return flowChanges;
  }
}
