package org.evenweave.wcmp.weights;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Carries the routes of one class of equivalent destinations over from a fabric to the same fabric
 * after an event.
 *
 * <p><b>Idea.</b> What a switch holds towards a destination depends only on its own links and on
 * the hops and effective capacities of its neighbours. So nothing can change but where one of these
 * changed, and changes spread along shortest paths only, away from the destination. Three waves
 * follow them, each by rising hops, each touching only switches that change and their neighbours:
 *
 * <ol>
 *   <li><em>Losing.</em> A switch that lost its last next hop has lost its hops, which may cost
 *       those behind it theirs (Ramalingam and Reps, J. Algorithms 21, 1996). Nearest first: when a
 *       switch is looked at, it is known which of its next hops have kept theirs, for these are
 *       nearer.
 *   <li><em>Finding.</em> Dijkstra's algorithm gives new hops to those that lost them, from the
 *       neighbours that did not, and better ones to those that a new link brings nearer.
 *   <li><em>Weighing.</em> A group is built again where hops changed, where a neighbour that is or
 *       was a next hop changed its hops, or where a changed link leads or led to a next hop. If the
 *       switch's effective capacity e changed too, a switch u behind it is concerned only if min(C,
 *       e) over the bundle C between them did, for u sees e through that minimum alone. Nearest
 *       first, so every e that a group is made from is final and each group is made once.
 * </ol>
 *
 * <p><b>Same result as from scratch.</b> Hops are the unique solution of the shortest-path
 * equations, which hold again at every switch after the first two waves: they held before, and
 * every switch where one could have been broken was looked at. Groups and effective capacities are
 * functions of hops, links and nearer effective capacities, so by induction over hops a switch that
 * the third wave did not look at has what it would get.
 *
 * <p>The start is no exception: routes to nowhere, carried over to a class that has gained all its
 * destinations, are the full computation, one breadth-first search and one look at every group.
 *
 * <p><b>Cost.</b> O(links of the switches that change or may have changed), plus O(switches) for a
 * copy of the array of hops if one changed.
 */
final class RouteRepair {
  private final Fabric fabric;
  private final Bundles[] bundlesBefore;
  private final Bundles[] bundles;
  private final int[] changedArcs;
  private final WeightRule rule;
  private final GroupMaker maker;
  private final LevelQueue queue;

  /** Switches whose hops changed, and those whose group was looked at; reused. */
  private final IntList moved = new IntList();

  private final IntList seen = new IntList();
  private final int[] lastSeen;
  private final long[] seenEffectiveBps;

  /** The group that each switch got last, for another class: often it is the same again. */
  private final IdealGroup[] lastGroup;

  private int turn;

  private EquivalentDestinations before;
  private int[] destinations;
  private int[] hops;
  private PagedGroups.Editor groups;

  /**
   * @param fabric after the event
   * @param bundlesBefore of all switches, before the event
   * @param bundles of all switches, after the event
   * @param changedArcs both arcs of every link that changed
   */
  RouteRepair(
      Fabric fabric,
      Bundles[] bundlesBefore,
      Bundles[] bundles,
      int[] changedArcs,
      WeightRule rule) {
    this.fabric = fabric;
    this.bundlesBefore = bundlesBefore;
    this.bundles = bundles;
    this.changedArcs = changedArcs;
    this.rule = rule;
    maker = new GroupMaker(rule);
    queue = new LevelQueue(bundles.length + 2);
    lastSeen = new int[bundles.length];
    seenEffectiveBps = new long[bundles.length];
    lastGroup = new IdealGroup[bundles.length];
  }

  /**
   * @param routes before the event, to equivalent destinations
   * @param newDestinations all the destinations that the result is for, equivalent after the event
   * @return {@code routes} itself if nothing changed
   */
  EquivalentDestinations repair(EquivalentDestinations routes, int[] newDestinations) {
    before = routes;
    destinations = newDestinations;
    hops = routes.hops;
    groups = new PagedGroups.Editor(routes.groups);
    moved.clear();
    seen.clear();
    turn++;
    lose();
    find();
    weigh();
    PagedGroups newGroups = groups.done();
    return hops == routes.hops
            && newGroups == routes.groups
            && Arrays.equals(destinations, routes.destinations)
        ? routes
        : new EquivalentDestinations(newDestinations, hops, newGroups);
  }

  /**
   * The switches whose groups may have changed in the last {@link #repair}: all that were looked
   * at, and the ends of changed links.
   */
  IntList suspects() {
    for (int arc : changedArcs) {
      int s = fabric.from(arc);
      if (lastSeen[s] != turn) {
        lastSeen[s] = turn;
        seen.add(s);
      }
    }
    return seen;
  }

  private void lose() {
    for (int d : before.destinations) {
      if (Arrays.binarySearch(destinations, d) < 0) {
        queue.add(0, d);
      }
    }
    for (int arc : changedArcs) {
      int s = fabric.from(arc);
      if (before.hops[s] > 0 && before.hops[fabric.to(arc)] == before.hops[s] - 1) {
        queue.add(before.hops[s], s);
      }
    }
    for (int s = queue.take(); s >= 0; s = queue.take()) {
      int level = before.hops[s];
      if (hops[s] < 0 || (level > 0 && hasNeighbourAt(s, level - 1))) {
        continue;
      }
      setHops(s, -1);
      for (int neighbour : bundles[s].neighbour) {
        if (hops[neighbour] == level + 1) {
          queue.add(level + 1, neighbour);
        }
      }
    }
  }

  private boolean hasNeighbourAt(int s, int level) {
    for (int neighbour : bundles[s].neighbour) {
      if (hops[neighbour] == level) {
        return true;
      }
    }
    return false;
  }

  private void find() {
    int lost = moved.size();
    for (int i = 0; i < lost; i++) {
      int s = moved.get(i);
      for (int neighbour : bundles[s].neighbour) {
        if (hops[neighbour] >= 0) {
          bringNearer(s, hops[neighbour] + 1);
        }
      }
    }
    for (int arc : changedArcs) {
      int s = fabric.from(arc);
      int neighbour = fabric.to(arc);
      if (hops[neighbour] >= 0 && bundles[s].leadsTo(neighbour)) {
        bringNearer(s, hops[neighbour] + 1);
      }
    }
    for (int d : destinations) {
      bringNearer(d, 0);
    }
    for (int s = queue.take(); s >= 0; s = queue.take()) {
      int level = queue.level();
      if (hops[s] == level) {
        for (int neighbour : bundles[s].neighbour) {
          bringNearer(neighbour, level + 1);
        }
      }
    }
  }

  private void bringNearer(int s, int level) {
    if (hops[s] < 0 || hops[s] > level) {
      setHops(s, level);
      queue.add(level, s);
    }
  }

  private void setHops(int s, int level) {
    if (hops == before.hops) {
      hops = hops.clone();
    }
    hops[s] = level;
    moved.add(s);
  }

  private void weigh() {
    for (int i = 0; i < moved.size(); i++) {
      int s = moved.get(i);
      if (hops[s] == before.hops[s]) {
        continue;
      }
      look(s);
      for (int neighbour : bundles[s].neighbour) {
        int level = hops[neighbour];
        if (level > 0 && (level - 1 == hops[s] || level - 1 == before.hops[s])) {
          look(neighbour);
        }
      }
    }
    for (int arc : changedArcs) {
      int s = fabric.from(arc);
      int neighbour = fabric.to(arc);
      if (hops[s] > 0
          && (hops[neighbour] == hops[s] - 1 || before.hops[neighbour] == before.hops[s] - 1)) {
        look(s);
      }
    }
    for (int s = queue.take(); s >= 0; s = queue.take()) {
      long effectiveBpsBefore = before.hops[s] == hops[s] ? effectiveBpsBefore(s) : -1;
      groups.set(s, hops[s] > 1 ? makeGroup(s) : null);
      seenEffectiveBps[s] = effectiveBps(s, hops[s], groups.get(s), bundles, destinations);
      if (effectiveBpsBefore >= 0 && effectiveBpsBefore != seenEffectiveBps[s]) {
        lookBehind(s, effectiveBpsBefore, seenEffectiveBps[s]);
      }
    }
  }

  /** Has the group of a switch made again when its turn comes. */
  private void look(int s) {
    if (lastSeen[s] != turn) {
      lastSeen[s] = turn;
      seen.add(s);
      queue.add(Math.max(hops[s], 0), s);
    }
  }

  private void lookBehind(int s, long effectiveBpsBefore, long effectiveBps) {
    Bundles own = bundles[s];
    for (int b = 0; b < own.neighbour.length; b++) {
      long capacityBps = own.capacityBps[b];
      if (hops[own.neighbour[b]] == hops[s] + 1
          && Math.min(capacityBps, effectiveBpsBefore) != Math.min(capacityBps, effectiveBps)) {
        look(own.neighbour[b]);
      }
    }
  }

  private IdealGroup makeGroup(int s) {
    Bundles links = bundles[s];
    int[] neighbours = links.neighbourOfArc;
    int nearer = hops[s] - 1;
    maker.start();
    for (int i = 0; i < neighbours.length; i++) {
      if (hops[neighbours[i]] == nearer) {
        maker.add(links, i, effectiveBps(neighbours[i]));
      }
    }
    IdealGroup group = groups.get(s);
    lastGroup[s] = maker.group(group != null ? group : lastGroup[s]);
    return lastGroup[s];
  }

  /** Of a switch whose turn is over. */
  private long effectiveBps(int s) {
    return lastSeen[s] == turn
        ? seenEffectiveBps[s]
        : effectiveBps(s, hops[s], groups.get(s), bundles, destinations);
  }

  private long effectiveBpsBefore(int s) {
    return effectiveBps(
        s, before.hops[s], before.groups.get(s), bundlesBefore, before.destinations);
  }

  private long effectiveBps(
      int s, int itsHops, IdealGroup itsGroup, Bundles[] itsBundles, int[] itsDestinations) {
    if (itsHops > 1) {
      return itsGroup.effectiveBps();
    }
    if (itsHops < 1) {
      return itsHops < 0 ? 0 : Long.MAX_VALUE;
    }
    return rule.effectiveBps(itsBundles[itsDestinations[0]].capacityBpsTo(s));
  }
}
