package org.evenweave.wcmp.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The groups that pairs of switches with prefixes have of their own by maximum flow over shortest
 * paths ({@link PairRule#SHORTEST_PATHS}), where these differ from the groups that their
 * destinations have for all sources. Immutable.
 *
 * <p>Pairs at most two links apart have none: no two next hops share a link further on, and weights
 * by effective capacity are those of the maximum flow.
 *
 * <p><b>In two steps.</b> {@link #update} gives a table at once, in which the flow of each pair on
 * whose shortest paths a link changed is outstanding. Such a pair has the groups that it had, if
 * all of them still lead strictly nearer to the destination over links that are up, and none
 * otherwise. {@link #completed} computes these flows.
 *
 * <p><b>Cost.</b> Of an update, a few comparisons for each pair. Of completion, the flows that are
 * outstanding, on all processors there are; there and back take one.
 */
public final class PairTable {
  /** With more switches with prefixes, no pair has a group of its own. */
  public static final int MOST_SWITCHES = 128;

  private static final int NEAR = 2;

  /** Of a strategy without such groups. */
  public static final PairTable EMPTY = new PairTable(null, List.of(), new BitSet(), 0);

  private final RoutesTable routes;

  /** Of each two destinations the groups there and back; by the first's and the second's index. */
  private final List<List<PairGroup>> ofPair;

  /** The pairs whose flow has not been computed for these routes. */
  private final BitSet outstanding;

  private final List<List<PairGroup>> atSwitch;
  private final int count;

  private PairTable(
      RoutesTable routes, List<List<PairGroup>> ofPair, BitSet outstanding, int switches) {
    this.routes = routes;
    this.ofPair = ofPair;
    this.outstanding = outstanding;
    atSwitch = new ArrayList<>();
    for (int s = 0; s < switches; s++) {
      atSwitch.add(new ArrayList<>());
    }
    int groups = 0;
    for (List<PairGroup> pair : ofPair) {
      pair.forEach(group -> atSwitch.get(group.at()).add(group));
      groups += pair.size();
    }
    atSwitch.forEach(
        list ->
            list.sort(
                Comparator.comparingInt(PairGroup::destination)
                    .thenComparingInt(PairGroup::source)));
    count = groups;
  }

  private PairTable(RoutesTable routes, List<List<PairGroup>> ofPair, BitSet outstanding) {
    this(routes, ofPair, outstanding, routes.fabric().switchCount());
  }

  /**
   * The groups of all pairs of destinations.
   *
   * @param routes to destinations, whose groups these may differ from
   */
  public static PairTable compute(RoutesTable routes) {
    return outstanding(routes).completed(() -> false);
  }

  /** A table in which no flow has been computed yet. */
  public static PairTable outstanding(RoutesTable routes) {
    int count = routes.destinations().length;
    if (count > MOST_SWITCHES) {
      return new PairTable(routes, List.of(), new BitSet());
    }
    BitSet all = new BitSet();
    for (int a = 0; a < count; a++) {
      all.set(a * count + a + 1, (a + 1) * count);
    }
    return new PairTable(routes, Collections.nCopies(count * count, List.of()), all);
  }

  /**
   * The table for the routes after an event, without computing a flow.
   *
   * @param next made of these routes by {@link RoutesTable#update}
   */
  public PairTable update(RoutesTable next) {
    if (routes == null || isTooLarge()) {
      return outstanding(next);
    }
    int[] links = next.fabric().linksChangedSince(routes.fabric());
    int[] ends = routes.destinations();
    DestinationRoutes[] before = toAll(ends, routes);
    DestinationRoutes[] after = toAll(ends, next);
    BitSet changed = (BitSet) outstanding.clone();
    List<List<PairGroup>> kept = new ArrayList<>(ofPair);
    for (int a = 0; a < ends.length; a++) {
      for (int b = a + 1; b < ends.length; b++) {
        int pair = a * ends.length + b;
        if (outstanding.get(pair)
            || isOnTheWay(next.fabric(), before[a], before[b], links)
            || isOnTheWay(next.fabric(), after[a], after[b], links)) {
          changed.set(pair);
          kept.set(pair, stillRight(ofPair.get(pair), next));
        }
      }
    }
    return new PairTable(next, kept, changed);
  }

  /**
   * The table for a fabric of another numbering, without computing a flow: all are outstanding.
   * Groups that are still right there stay, known by their switches' ids and their ports.
   */
  public PairTable carriedOver(RoutesTable next) {
    PairTable table = outstanding(next);
    if (routes == null || table.isComplete()) {
      return table;
    }
    List<List<PairGroup>> kept = new ArrayList<>(table.ofPair);
    for (List<PairGroup> pair : ofPair) {
      List<PairGroup> groups = new ArrayList<>();
      pair.forEach(group -> groups.add(renumbered(group, next)));
      if (!groups.isEmpty() && !groups.contains(null)) {
        int a = next.indexOf(groups.get(0).source());
        int b = next.indexOf(groups.get(0).destination());
        int index = Math.min(a, b) * next.destinations().length + Math.max(a, b);
        kept.set(index, stillRight(groups, next));
      }
    }
    return new PairTable(next, kept, table.outstanding);
  }

  /** The same group in another fabric, or null if a switch or port of it is not there. */
  private PairGroup renumbered(PairGroup pair, RoutesTable next) {
    Fabric before = routes.fabric();
    Fabric after = next.fabric();
    int at = after.indexOf(before.switchId(pair.at()));
    int source = after.indexOf(before.switchId(pair.source()));
    int destination = after.indexOf(before.switchId(pair.destination()));
    if (at < 0
        || source < 0
        || destination < 0
        || next.indexOf(source) < 0
        || next.indexOf(destination) < 0) {
      return null;
    }
    int[] arcs = new int[pair.group().memberCount()];
    int count = 0;
    for (int i = 0; i < after.outDegree(at) && count < arcs.length; i++) {
      int arc = after.outArc(at, i);
      if (after.port(arc) == before.port(pair.group().arc(count))) {
        arcs[count++] = arc;
      }
    }
    return count < arcs.length
        ? null
        : new PairGroup(at, source, destination, new IdealGroup(arcs, pair.group().weights(), 0));
  }

  private static DestinationRoutes[] toAll(int[] ends, RoutesTable routes) {
    return Arrays.stream(ends).mapToObj(routes::to).toArray(DestinationRoutes[]::new);
  }

  /** The groups of the directions of which all lead strictly nearer. */
  private static List<PairGroup> stillRight(List<PairGroup> groups, RoutesTable routes) {
    Set<Integer> wrong = new HashSet<>();
    for (PairGroup pair : groups) {
      if (!leadsNearer(pair, routes)) {
        wrong.add(pair.destination());
      }
    }
    return wrong.isEmpty() ? groups : without(groups, wrong);
  }

  private static boolean leadsNearer(PairGroup pair, RoutesTable routes) {
    Fabric fabric = routes.fabric();
    DestinationRoutes to = routes.to(pair.destination());
    for (int i = 0; i < pair.group().memberCount(); i++) {
      int arc = pair.group().arc(i);
      int left = to.hops(fabric.to(arc));
      if (!fabric.isUp(arc >> 1) || left < 0 || left != to.hops(pair.at()) - 1) {
        return false;
      }
    }
    return true;
  }

  /** Whether one of the links is on a shortest path between two destinations. */
  private static boolean isOnTheWay(
      Fabric fabric, DestinationRoutes toA, DestinationRoutes toB, int[] links) {
    int whole = toB.hops(toA.destination());
    for (int link : links) {
      int u = fabric.from(2 * link);
      int v = fabric.to(2 * link);
      if (joins(toA.hops(u), toB.hops(v), whole) || joins(toA.hops(v), toB.hops(u), whole)) {
        return true;
      }
    }
    return false;
  }

  private static boolean joins(int before, int after, int whole) {
    return before >= 0 && after >= 0 && before + 1 + after == whole;
  }

  /** Whether no flow is outstanding. */
  public boolean isComplete() {
    return outstanding.isEmpty();
  }

  /**
   * This table with the flows that are outstanding.
   *
   * @param givenUp asked before each flow, on any thread: whether nobody wants the answer any more
   * @return null if it was given up
   */
  public PairTable completed(BooleanSupplier givenUp) {
    int[] ends = isComplete() ? new int[0] : routes.destinations();
    int[] pairs = outstanding.stream().toArray();
    List<List<PairGroup>> computed =
        Arrays.stream(pairs)
            .parallel()
            .mapToObj(
                pair ->
                    givenUp.getAsBoolean()
                        ? List.<PairGroup>of()
                        : groups(routes, ends[pair / ends.length], ends[pair % ends.length]))
            .collect(Collectors.toList());
    if (givenUp.getAsBoolean()) {
      return null;
    }
    List<List<PairGroup>> all = new ArrayList<>(ofPair);
    for (int i = 0; i < pairs.length; i++) {
      all.set(pairs[i], computed.get(i));
    }
    return new PairTable(routes, all, new BitSet(), atSwitch.size());
  }

  private static List<PairGroup> groups(RoutesTable routes, int a, int b) {
    if (routes.to(b).hops(a) <= NEAR) {
      return List.of();
    }
    int[] hops = new int[routes.fabric().switchCount()];
    Arrays.setAll(hops, routes.to(b)::hops);
    List<PairGroup> groups = new ArrayList<>();
    for (PairRoutes pair : PairRule.SHORTEST_PATHS.routesBothWays(routes.fabric(), a, b, hops)) {
      DestinationRoutes shared = routes.to(pair.destination());
      for (int s = 0; s < routes.fabric().switchCount(); s++) {
        IdealGroup own = pair.routes().group(s);
        if (own.memberCount() > 0 && !own.equals(shared.group(s))) {
          groups.add(new PairGroup(s, pair.source(), pair.destination(), own));
        }
      }
    }
    return List.copyOf(groups);
  }

  /** The same without the pairs of some destinations. */
  public PairTable without(Set<Integer> destinations) {
    List<List<PairGroup>> left = new ArrayList<>();
    ofPair.forEach(pair -> left.add(without(pair, destinations)));
    return new PairTable(routes, left, outstanding, atSwitch.size());
  }

  private static List<PairGroup> without(List<PairGroup> groups, Set<Integer> destinations) {
    return groups.stream()
        .filter(group -> !destinations.contains(group.destination()))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Whether there were too many switches with prefixes to give pairs groups of their own. */
  public boolean isTooLarge() {
    return routes != null && routes.destinations().length > MOST_SWITCHES;
  }

  /** How many groups there are. */
  public int count() {
    return count;
  }

  /** The groups of a switch by destination and source; not to be changed. */
  public List<PairGroup> at(int s) {
    return atSwitch.isEmpty() ? List.of() : atSwitch.get(s);
  }
}
