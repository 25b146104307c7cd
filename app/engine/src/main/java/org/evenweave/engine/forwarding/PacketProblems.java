package org.evenweave.engine.forwarding;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * What can happen to packets to one prefix while every switch may have either of two tables, or the
 * rules of one and the groups of the other, in words: what {@link PlanVerifier} says of a plan that
 * {@link PacketWalk} does not find safe.
 *
 * <p>Loops are found by peeling, as {@link org.evenweave.wcmp.verification.Verifier} does: a switch
 * all of whose next hops have been peeled is peeled too, beginning with those that have none; what
 * cannot be peeled is on a loop or leads into one. O(switches reached + their next hops).
 */
final class PacketProblems {
  private static final int[] NONE = {};

  private final Fabric fabric;
  private final int destination;
  private final Ipv4Prefix prefix;
  private final DestinationRoutes routes;
  private final SwitchTables[] before;
  private final SwitchTables[] after;

  /** The arcs of every switch that packets leave, and the switches that they come to. */
  private final Map<Integer, int[]> arcsOf = new HashMap<>();

  private final Set<Integer> reached = new HashSet<>();
  private final Deque<Integer> toVisit = new ArrayDeque<>();
  private final Set<String> problems = new TreeSet<>();

  /**
   * @param subnet of the snapshot's fabric
   * @param before one of every switch's tables, by its number
   * @param after the other
   */
  PacketProblems(Routing routing, int subnet, SwitchTables[] before, SwitchTables[] after) {
    fabric = routing.snapshot().physical();
    destination = fabric.subnetSwitch(subnet);
    prefix = fabric.subnetPrefix(subnet);
    routes = routing.to(destination);
    this.before = before;
    this.after = after;
  }

  /** What can happen to packets from the switches with hosts, in words; empty if nothing bad. */
  Set<String> find() {
    for (int i = 0; i < fabric.subnetCount(); i++) {
      reach(fabric.subnetSwitch(i));
    }
    visitAll();
    findLoops();
    return problems;
  }

  private void reach(int s) {
    if (s != destination && reached.add(s)) {
      toVisit.push(s);
    }
  }

  private void visitAll() {
    while (!toVisit.isEmpty()) {
      int s = toVisit.pop();
      int[][] states = states(s);
      if (anyHasNone(states) && hasPath(s)) {
        problems.add(at("black-hole", s, "no rule matches"));
      }
      if (!arcsOf.containsKey(s)) {
        follow(s, union(states));
      }
    }
  }

  private void follow(int s, int[] ports) {
    int[] arcs = new int[ports.length];
    int count = 0;
    for (int port : ports) {
      int arc = fabric.outArcAt(s, port);
      if (arc >= 0) {
        arcs[count++] = arc;
        reach(fabric.to(arc));
      } else if (hasPath(s)) {
        problems.add(at("black-hole", s, "port " + port + " has no link"));
      }
    }
    arcsOf.put(s, count == arcs.length ? arcs : Arrays.copyOf(arcs, count));
  }

  /** Adds every switch that cannot be peeled to the problems. */
  private void findLoops() {
    Map<Integer, Integer> unpeeled = new HashMap<>();
    Map<Integer, Deque<Integer>> usersOf = new HashMap<>();
    Deque<Integer> ready = new ArrayDeque<>();
    arcsOf.forEach(
        (s, arcs) -> {
          int nextHops = 0;
          for (int arc : arcs) {
            if (fabric.to(arc) != destination) {
              usersOf.computeIfAbsent(fabric.to(arc), t -> new ArrayDeque<>()).add(s);
              nextHops++;
            }
          }
          unpeeled.put(s, nextHops);
          if (nextHops == 0) {
            ready.add(s);
          }
        });
    while (!ready.isEmpty()) {
      int s = ready.remove();
      unpeeled.remove(s);
      for (int user : usersOf.getOrDefault(s, new ArrayDeque<>())) {
        if (unpeeled.merge(user, -1, Integer::sum) == 0) {
          ready.add(user);
        }
      }
    }
    unpeeled.keySet().forEach(s -> problems.add(at("loop", s, "packets can pass here again")));
  }

  private String at(String kind, int s, String detail) {
    return kind + " at " + fabric.switchId(s) + " to " + prefix + ": " + detail;
  }

  private boolean hasPath(int s) {
    return routes.hops(s) >= 0;
  }

  /**
   * The distinct ports by which packets may leave in each state that the switch may be in, from
   * anywhere and from each source with a rule of its own; none where they find no rule.
   */
  private int[][] states(int s) {
    return Stream.concat(Arrays.stream(statesOfPrefix(s)), statesOfPairs(s)).toArray(int[][]::new);
  }

  private Stream<int[]> statesOfPairs(int s) {
    Collection<FlowRule> old = before[s].pairsTo(prefix);
    if (before[s] == after[s]) {
      return old.stream().map(before[s]::outPorts);
    }
    Collection<FlowRule> now = after[s].pairsTo(prefix);
    return Stream.of(
            old.stream().map(before[s]::outPorts),
            old.stream().map(after[s]::outPorts),
            now.stream().map(after[s]::outPorts),
            now.stream().map(before[s]::outPorts).filter(ports -> ports.length > 0))
        .flatMap(each -> each);
  }

  /**
   * The same from anywhere, the old state first. An old rule goes with its group. A new rule whose
   * group is missing is refused, which leaves the old one.
   */
  private int[][] statesOfPrefix(int s) {
    int[] old = ports(before[s], before[s]);
    if (before[s] == after[s]) {
      return new int[][] {old};
    }
    int[] newRule = ports(after[s], before[s]);
    return new int[][] {
      old,
      ports(after[s], after[s]),
      ports(before[s], after[s]),
      newRule.length == 0 ? old : newRule
    };
  }

  private static boolean anyHasNone(int[][] states) {
    return Arrays.stream(states).anyMatch(ports -> ports.length == 0);
  }

  private static int[] union(int[][] states) {
    return Arrays.stream(states).reduce(PacketProblems::union).orElse(NONE);
  }

  /** The distinct ports by which packets may leave, rising; none without a rule or its group. */
  private int[] ports(SwitchTables rules, SwitchTables groups) {
    FlowRule rule = rules.routeTo(prefix);
    return rule == null ? NONE : groups.outPorts(rule);
  }

  private static boolean containsAll(int[] rising, int[] ports) {
    for (int port : ports) {
      if (Arrays.binarySearch(rising, port) < 0) {
        return false;
      }
    }
    return true;
  }

  private static int[] union(int[] a, int[] b) {
    if (containsAll(a, b)) {
      return a;
    }
    int[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return Arrays.stream(both).sorted().distinct().toArray();
  }
}
