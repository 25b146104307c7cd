package org.evenweave.engine.forwarding;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PrefixIndex;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * Decides whether packets to one prefix, from any switch, can loop or get lost while every switch
 * may have either of two tables, or the rules of one and the groups of the other: the search of
 * {@link PlanVerifier}.
 *
 * <p>A depth-first search from the next hops that switches gain, along all that a switch may use;
 * one that leads back to a switch which the search has not left yet closes a loop. O(switches
 * reached + their ports), where a switch whose rules for several prefixes lead to the same group
 * works out once what that means ({@link PacketSteps}). All arrays are by switch and serve one
 * search after the other.
 */
final class PacketWalk {
  private final Routing routing;
  private final Fabric fabric;
  private final PrefixIndex index;
  private final RoutedPrefixes prefixes;
  private final SwitchTables[] first;
  private final SwitchTables[] before;
  private final SwitchTables[] after;

  private int destination;
  private int prefixNumber;
  private Ipv4Prefix prefix;
  private DestinationRoutes routes;

  /** In the present search, switches have the mark {@link #entered} or {@link #left}. */
  private final int[] mark;

  private int entered = 1;
  private int left = 2;

  /** The switches that the search is in, and how far it is among the next hops of each. */
  private final int[] path;

  private final int[][] nextHops;
  private final int[] position;

  /** By switch, what it may do with packets to the latest prefix, or null. */
  private final PacketSteps[] latest;

  /**
   * By switch, the same of all prefixes so far with the tables that it has there, by {@link
   * PacketSteps#hash}; null where there is only the latest.
   */
  private final List<Map<Integer, PacketSteps>> known;

  /** For the search against the packets' way: who has the mark {@link #visit} has been visited. */
  private final int[] visited;

  private int visit;

  /**
   * @param first every switch's tables, by its number, when the plan began
   * @param before those now, with which packets fare no worse than with the first
   * @param after the other tables that it may have
   */
  PacketWalk(
      Routing routing,
      RoutedPrefixes prefixes,
      SwitchTables[] first,
      SwitchTables[] before,
      SwitchTables[] after) {
    this.routing = routing;
    this.prefixes = prefixes;
    this.first = first;
    this.before = before;
    this.after = after;
    index = prefixes.index();
    fabric = routing.snapshot().physical();
    mark = new int[fabric.switchCount()];
    path = new int[mark.length];
    nextHops = new int[mark.length][];
    position = new int[mark.length];
    visited = new int[mark.length];
    latest = new PacketSteps[mark.length];
    known = new ArrayList<>(Collections.nCopies(mark.length, null));
  }

  /**
   * Whether no packet to a subnet can fare worse with the tables after than with the first: get
   * lost where none was lost, or loop where none could loop before.
   *
   * @param changed the switches whose tables differ, as far as the prefix is concerned
   * @return true only if that is so; false if it may not be
   */
  boolean isNoWorseAfter(int subnet, int[] changed) {
    destination = fabric.subnetSwitch(subnet);
    prefixNumber = prefixes.number(subnet);
    prefix = prefixes.prefix(subnet);
    routes = routing.to(destination);
    entered += 2;
    left += 2;
    for (int s : changed) {
      if (s == destination) {
        continue;
      }
      PacketSteps steps = steps(s);
      if (!steps.hadNone && steps.mayHaveNone && !mayLose(s)) {
        return false;
      }
      if (mark[s] < entered && steps.gainsAny() && !isSafeFrom(s, steps.gained())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Searches along next hops that a switch gains. What its packets meet along the others is no
   * worse than before; a switch that sends to it by a next hop gained has all of them searched.
   */
  private boolean isSafeFrom(int start, PacketSteps.Ways gained) {
    int depth = 0;
    if (!enter(start, depth, gained)) {
      return false;
    }
    while (depth >= 0) {
      if (position[depth] == nextHops[depth].length) {
        mark[path[depth--]] = left;
        continue;
      }
      int next = nextHops[depth][position[depth]++];
      if (mark[next] == entered) {
        return false;
      }
      if (mark[next] != left && next != destination) {
        PacketSteps steps = steps(next);
        if ((steps.mayHaveNone && !mayLose(next)) || !enter(next, ++depth, steps.any())) {
          return false;
        }
      }
    }
    mark[start] = 0;
    return true;
  }

  /**
   * Goes on to a switch.
   *
   * @param ways those to search along
   * @return false if packets may be lost there, at a port without a link
   */
  private boolean enter(int s, int depth, PacketSteps.Ways ways) {
    mark[s] = entered;
    path[depth] = s;
    nextHops[depth] = ways.nextHops;
    position[depth] = 0;
    return ways.deadPorts.length == 0 || mayLoseAt(s, ways.deadPorts);
  }

  /** Whether it is no fault of the plan that packets find no rule at a switch. */
  private boolean mayLose(int s) {
    return !hasPath(s) || (portsAtFirst(s).length == 0 && wasReached(s));
  }

  /** The same of these of its ports that have no link. */
  private boolean mayLoseAt(int s, int[] deadPorts) {
    return !hasPath(s) || (SortedPorts.containsAll(portsAtFirst(s), deadPorts) && wasReached(s));
  }

  /**
   * Whether packets from a switch with hosts could come to a switch when the plan began: a search
   * against their way, which ends at the first such switch.
   */
  private boolean wasReached(int s) {
    visit++;
    visited[s] = visit;
    Deque<Integer> toVisit = new ArrayDeque<>(List.of(s));
    while (!toVisit.isEmpty()) {
      int to = toVisit.pop();
      if (prefixes.subnetsOf(to).length > 0) {
        return true;
      }
      for (int i = 0; i < fabric.outDegree(to); i++) {
        int arc = fabric.outArc(to, i);
        int from = fabric.to(arc);
        if (visited[from] != visit
            && from != destination
            && Arrays.binarySearch(portsAtFirst(from), fabric.port(arc ^ 1)) >= 0) {
          visited[from] = visit;
          toVisit.push(from);
        }
      }
    }
    return false;
  }

  private boolean hasPath(int s) {
    return routes.hops(s) >= 0;
  }

  private int[] portsAtFirst(int s) {
    return first[s].pairCount() == 0
        ? PacketSteps.ports(rule(first[s]), first[s])
        : first[s].outPorts(prefix);
  }

  private FlowRule rule(SwitchTables tables) {
    return tables.routeTo(index, prefixNumber, prefix);
  }

  /** What a switch may do with packets to the prefix; most often it is as for the one before. */
  private PacketSteps steps(int s) {
    FlowRule old = rule(before[s]);
    FlowRule now = before[s] == after[s] ? old : rule(after[s]);
    Collection<FlowRule> oldPairs = before[s].pairsTo(prefix);
    Collection<FlowRule> newPairs = after[s].pairsTo(prefix);
    if (!oldPairs.isEmpty() || !newPairs.isEmpty()) {
      return new PacketSteps(fabric, s, before[s], after[s], old, now, oldPairs, newPairs);
    }
    if (latest[s] == null || !latest[s].areOf(before[s], after[s], old, now)) {
      latest[s] = knownSteps(s, old, now);
    }
    return latest[s];
  }

  private PacketSteps knownSteps(int s, FlowRule old, FlowRule now) {
    PacketSteps last = latest[s];
    if (last == null || !last.areOf(before[s], after[s])) {
      known.set(s, null);
      return new PacketSteps(fabric, s, before[s], after[s], old, now);
    }
    Map<Integer, PacketSteps> ofSwitch = known.get(s);
    if (ofSwitch == null) {
      ofSwitch = new HashMap<>();
      ofSwitch.put(last.hash(), last);
      known.set(s, ofSwitch);
    }
    int hash = PacketSteps.hash(old, now);
    PacketSteps steps = ofSwitch.get(hash);
    if (steps == null || !steps.areOf(before[s], after[s], old, now)) {
      steps = new PacketSteps(fabric, s, before[s], after[s], old, now);
      ofSwitch.put(hash, steps);
    }
    return steps;
  }
}
