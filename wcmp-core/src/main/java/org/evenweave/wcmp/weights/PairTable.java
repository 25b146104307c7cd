package org.evenweave.wcmp.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The groups that pairs of switches with prefixes have of their own by maximum flow over shortest
 * paths ({@link PairRule#SHORTEST_PATHS}), where these differ from the groups that their
 * destinations have for all sources. Immutable.
 *
 * <p>Pairs at most two links apart have none: no two next hops share a link further on, and weights
 * by effective capacity are those of the maximum flow.
 *
 * <p><b>Cost.</b> The flows of all other pairs, on all processors there are; there and back take
 * one. After an event, of those on whose shortest paths a link changed.
 */
public final class PairTable {
  /** With more switches with prefixes, no pair has a group of its own. */
  public static final int MOST_SWITCHES = 128;

  private static final int NEAR = 2;

  /** Of a strategy without such groups. */
  public static final PairTable EMPTY = new PairTable(null, List.of(), 0);

  private final RoutesTable routes;

  /** Of each two destinations the groups there and back; by the first's and the second's index. */
  private final List<List<PairGroup>> ofPair;

  private final List<List<PairGroup>> atSwitch;
  private final int count;

  private PairTable(RoutesTable routes, List<List<PairGroup>> ofPair, int switches) {
    this.routes = routes;
    this.ofPair = ofPair;
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

  /**
   * The groups of all pairs of destinations.
   *
   * @param routes to destinations, whose groups these may differ from
   */
  public static PairTable compute(RoutesTable routes) {
    return compute(routes, pair -> null);
  }

  /**
   * The same for the routes after an event.
   *
   * @param next made of these routes by {@link RoutesTable#update}
   */
  public PairTable update(RoutesTable next) {
    if (routes == null) {
      return compute(next);
    }
    int[] links = next.fabric().linksChangedSince(routes.fabric());
    int[] ends = routes.destinations();
    return compute(
        next,
        pair -> {
          int a = ends[pair / ends.length];
          int b = ends[pair % ends.length];
          return isOnTheWay(routes, a, b, links) || isOnTheWay(next, a, b, links)
              ? null
              : ofPair.get(pair);
        });
  }

  /** Finds what is known of a pair, or null. */
  @FunctionalInterface
  private interface Known {
    List<PairGroup> of(int pair);
  }

  private static PairTable compute(RoutesTable routes, Known known) {
    int[] ends = routes.destinations();
    if (ends.length > MOST_SWITCHES) {
      return new PairTable(routes, List.of(), routes.fabric().switchCount());
    }
    List<List<PairGroup>> ofPair = new ArrayList<>();
    IntPredicate isOrdered = pair -> pair / ends.length < pair % ends.length;
    IntStream.range(0, ends.length * ends.length)
        .parallel()
        .mapToObj(
            pair -> {
              List<PairGroup> groups = isOrdered.test(pair) ? known.of(pair) : List.of();
              return groups == null
                  ? groups(routes, ends[pair / ends.length], ends[pair % ends.length])
                  : groups;
            })
        .forEachOrdered(ofPair::add);
    return new PairTable(routes, ofPair, routes.fabric().switchCount());
  }

  private static List<PairGroup> groups(RoutesTable routes, int a, int b) {
    if (routes.to(b).hops(a) <= NEAR) {
      return List.of();
    }
    List<PairGroup> groups = new ArrayList<>();
    for (PairRoutes pair : PairRule.SHORTEST_PATHS.routesBothWays(routes.fabric(), a, b)) {
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

  /** Whether one of the links is on a shortest path between two destinations. */
  private static boolean isOnTheWay(RoutesTable routes, int a, int b, int[] links) {
    Fabric fabric = routes.fabric();
    DestinationRoutes toA = routes.to(a);
    DestinationRoutes toB = routes.to(b);
    return Arrays.stream(links)
        .anyMatch(
            link -> {
              int u = fabric.from(2 * link);
              int v = fabric.to(2 * link);
              return joins(toA.hops(u), toB.hops(v), toB.hops(a))
                  || joins(toA.hops(v), toB.hops(u), toB.hops(a));
            });
  }

  private static boolean joins(int before, int after, int whole) {
    return before >= 0 && after >= 0 && before + 1 + after == whole;
  }

  /** The same without the pairs of some destinations. */
  public PairTable without(Set<Integer> destinations) {
    Predicate<PairGroup> stays = group -> !destinations.contains(group.destination());
    List<List<PairGroup>> left = new ArrayList<>();
    for (List<PairGroup> pair : ofPair) {
      List<PairGroup> some = new ArrayList<>(pair);
      some.removeIf(stays.negate());
      left.add(some);
    }
    return new PairTable(routes, left, atSwitch.size());
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
