package org.evenweave.engine.forwarding;

import java.util.Arrays;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PrefixIndex;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * Whether packets to one prefix can loop or get lost while every switch may have either of two
 * tables, or the rules of one and the groups of the other: the search of {@link PlanVerifier}.
 *
 * <p>A depth-first search from the next hops that switches gain, along all that a switch may use;
 * one that leads back to a switch which the search has not left yet closes a loop. O(switches
 * reached + their ports). All arrays are by switch and serve one search after the other.
 */
final class PacketWalk {
  private static final int[] NONE = {};

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

  /** The switches that the search is in, and where it is among the next hops of each. */
  private final int[] path;

  private final int[] position;
  private final int[] end;

  /** The next hops of the switches of the path, one after the other. */
  private int[] nextHops = new int[1024];

  private int nextHopCount;

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
    position = new int[mark.length];
    end = new int[mark.length];
    visited = new int[mark.length];
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
      int[] old = ports(before[s], before[s]);
      if (old.length > 0 && mayHaveNone(s, old) && !mayLose(s)) {
        return false;
      }
      if (mark[s] < entered) {
        int[] gained = SortedPorts.without(anyPorts(s, old), old);
        if (gained.length > 0 && !isSafeFrom(s, gained)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Searches along next hops that a switch gains. What its packets meet along the others is no
   * worse than before; a switch that sends to it by a next hop gained has all of them searched.
   */
  private boolean isSafeFrom(int start, int[] gained) {
    int depth = 0;
    nextHopCount = 0;
    if (!enter(start, depth, gained)) {
      return false;
    }
    while (depth >= 0) {
      if (position[depth] == end[depth]) {
        mark[path[depth]] = left;
        nextHopCount = depth == 0 ? 0 : end[depth - 1];
        depth--;
        continue;
      }
      int next = nextHops[position[depth]++];
      if (mark[next] == entered) {
        return false;
      }
      if (mark[next] != left && next != destination) {
        int[] old = ports(before[next], before[next]);
        if ((mayHaveNone(next, old) && !mayLose(next))
            || !enter(next, ++depth, anyPorts(next, old))) {
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
   * @param ports those of its ports to search along
   * @return false if packets may be lost there, at a port without a link
   */
  private boolean enter(int s, int depth, int[] ports) {
    mark[s] = entered;
    path[depth] = s;
    position[depth] = nextHopCount;
    int found = addNextHops(s, ports);
    end[depth] = nextHopCount;
    return found == ports.length || mayLoseAt(s, ports);
  }

  /** Adds the switches behind the ports; returns how many of the ports have a link that is up. */
  private int addNextHops(int s, int[] ports) {
    if (nextHopCount + ports.length > nextHops.length) {
      nextHops = Arrays.copyOf(nextHops, 2 * nextHopCount + ports.length);
    }
    int firstAdded = nextHopCount;
    int degree = fabric.outDegree(s);
    for (int i = 0, arc = 0; i < ports.length && arc < degree; arc++) {
      int port = fabric.port(fabric.outArc(s, arc));
      while (i < ports.length && ports[i] < port) {
        i++;
      }
      if (i < ports.length && ports[i] == port) {
        nextHops[nextHopCount++] = fabric.to(fabric.outArc(s, arc));
        i++;
      }
    }
    return nextHopCount - firstAdded;
  }

  /** Whether it is no fault of the plan that packets find no rule at a switch. */
  private boolean mayLose(int s) {
    return !hasPath(s) || (ports(first[s], first[s]).length == 0 && wasReached(s));
  }

  /** The same of each of its ports that has no link. */
  private boolean mayLoseAt(int s, int[] ports) {
    if (!hasPath(s)) {
      return true;
    }
    int[] others = SortedPorts.without(ports, ports(first[s], first[s]));
    int kept = nextHopCount;
    boolean othersHaveLinks = addNextHops(s, others) == others.length;
    nextHopCount = kept;
    return othersHaveLinks && wasReached(s);
  }

  /**
   * Whether packets from a switch with hosts could come to a switch when the plan began: a search
   * against their way, which ends at the first such switch.
   */
  private boolean wasReached(int s) {
    visit++;
    visited[s] = visit;
    int[] toVisit = new int[16];
    int count = 0;
    toVisit[count++] = s;
    while (count > 0) {
      int to = toVisit[--count];
      if (prefixes.subnetsOf(to).length > 0) {
        return true;
      }
      for (int i = 0; i < fabric.outDegree(to); i++) {
        int arc = fabric.outArc(to, i);
        int from = fabric.to(arc);
        if (visited[from] != visit && from != destination) {
          int[] ports = ports(first[from], first[from]);
          if (Arrays.binarySearch(ports, fabric.port(arc ^ 1)) >= 0) {
            visited[from] = visit;
            if (count == toVisit.length) {
              toVisit = Arrays.copyOf(toVisit, 2 * count);
            }
            toVisit[count++] = from;
          }
        }
      }
    }
    return false;
  }

  private boolean hasPath(int s) {
    return routes.hops(s) >= 0;
  }

  /**
   * Whether packets find no rule in a state that the switch may be in. An old rule goes with its
   * group. A new rule whose group is missing is refused, which leaves the old one.
   *
   * @param old the ports that it used before
   */
  private boolean mayHaveNone(int s, int[] old) {
    return old.length == 0
        || (before[s] != after[s]
            && (ports(after[s], after[s]).length == 0 || ports(before[s], after[s]).length == 0));
  }

  /** The distinct ports that it may use in any of these states, rising. */
  private int[] anyPorts(int s, int[] old) {
    if (before[s] == after[s]) {
      return old;
    }
    int[] any = SortedPorts.union(old, ports(after[s], after[s]));
    any = SortedPorts.union(any, ports(before[s], after[s]));
    return SortedPorts.union(any, ports(after[s], before[s]));
  }

  /** The distinct ports by which packets may leave, rising; none without a rule or its group. */
  private int[] ports(SwitchTables rules, SwitchTables groups) {
    FlowRule rule = rules.routeTo(index, prefixNumber, prefix);
    return rule == null ? NONE : groups.outPorts(rule);
  }
}
