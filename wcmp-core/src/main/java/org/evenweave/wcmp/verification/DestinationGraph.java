package org.evenweave.wcmp.verification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The possible paths of packets to one prefix: for each switch the arcs of its rule, and whether
 * packets can loop.
 *
 * <p>Loops are found by peeling: a switch all of whose next hops have been peeled is peeled too,
 * beginning with the destination and with switches that forward nowhere. What cannot be peeled lies
 * on a loop or leads into one. The order of peeling, reversed, is a topological order in which
 * traffic can be split in one pass. O(switches + members).
 */
final class DestinationGraph {
  private static final int[] NONE = {};

  /** The arcs of each switch's rule; a member port without a link is {@link #NO_LINK}. */
  final int[][] arcs;

  /** The rule of each switch, null where it has none or needs none. */
  final MultipathRule[] rules;

  /** Switches from which no packet can loop, next hops before those that use them. */
  final int[] nextHopsFirst;

  /** As {@link Fabric#outArcAt} has it. */
  static final int NO_LINK = -1;

  DestinationGraph(ForwardingState state, int destination, Ipv4Prefix prefix) {
    Fabric fabric = state.fabric();
    int n = fabric.switchCount();
    arcs = new int[n][];
    rules = new MultipathRule[n];
    for (int s = 0; s < n; s++) {
      rules[s] = s == destination ? null : state.lookup(s, prefix);
      arcs[s] = rules[s] == null ? NONE : arcsOf(fabric, s, rules[s]);
    }
    nextHopsFirst = peel(fabric);
  }

  private static int[] arcsOf(Fabric fabric, int s, MultipathRule rule) {
    int[] found = new int[rule.memberCount()];
    Arrays.setAll(found, i -> fabric.outArcAt(s, rule.port(i)));
    return found;
  }

  private int[] peel(Fabric fabric) {
    int n = arcs.length;
    int[] unpeeled = new int[n];
    List<List<Integer>> users = new ArrayList<>();
    for (int s = 0; s < n; s++) {
      users.add(new ArrayList<>());
    }
    Deque<Integer> ready = new ArrayDeque<>();
    for (int s = 0; s < n; s++) {
      for (int arc : arcs[s]) {
        if (arc != NO_LINK) {
          unpeeled[s]++;
          users.get(fabric.to(arc)).add(s);
        }
      }
      if (unpeeled[s] == 0) {
        ready.add(s);
      }
    }
    int[] order = new int[n];
    int count = 0;
    while (!ready.isEmpty()) {
      int s = ready.remove();
      order[count++] = s;
      for (int user : users.get(s)) {
        if (--unpeeled[user] == 0) {
          ready.add(user);
        }
      }
    }
    return Arrays.copyOf(order, count);
  }
}
