package org.evenweave.wcmp.weights;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Routes and ideal weights of all switches towards many destinations, computed together, and
 * carried over from event to event. Immutable: an event makes a new table, which shares all that
 * did not change with the old.
 *
 * <p><b>Equivalent destinations.</b> A fat-tree for 100,000 servers (k = 74) has 2,738 destinations
 * and 6,845 switches with up to 37 member ports each: 700 million members if every group were
 * written down. But the 37 edge switches of a pod have the same neighbours over the same
 * capacities. Two such switches d and d' are equivalent. Exchanging them, and nothing else, maps
 * the fabric onto itself, so routes to d' are the routes to d with d and d' exchanged; and since
 * they differ only in what touches d or d', every other switch that is not their neighbour has the
 * very same group towards both. The remaining ones need no table at all:
 *
 * <ul>
 *   <li>a neighbour k of d is one hop away: its members are the links to d, weighed by their
 *       capacities, since e(d) is infinite;
 *   <li>a switch d' that is equivalent to d is two hops away through every neighbour k (equivalent
 *       switches are not neighbours: d would be its own neighbour), and C(d',k) = C(k,d) = e(k):
 *       its members are all its links, weighed by their capacities. Being two hops away with all
 *       neighbours at one, it is on no other switch's shortest path.
 * </ul>
 *
 * <p>So one computation with all destinations of a class at once serves all of them, and k = 74 has
 * 74 classes. In each, a switch costs one int (hops) and one reference to its group; equal groups
 * are one object. On a fabric without equivalent destinations, each destination is a class of its
 * own and the table takes 8 bytes for every switch and destination, plus the distinct groups.
 *
 * <p><b>By flow.</b> Where the rule {@linkplain WeightRule#isByFlow weighs by flow}, all that is
 * the frame: it has the hops, and the groups of switches that no flow passes. {@link
 * ConcurrentFlow} weighs the others of each class again.
 *
 * <p><b>Events.</b> {@link #update} finds the switches whose links changed, moves destinations that
 * are no longer (or are again) equivalent to other classes, and carries every class over with
 * {@link RouteRepair}. A link that goes down between an edge and an aggregation switch makes one
 * new class (its edge switch alone) and changes one switch in each other class.
 *
 * <p><b>Cost.</b> Full: O(classes x links). Event: O(classes x switches) to copy references, and
 * the links of switches that change, per class. By flow see {@link WeightRule#MAXIMUM_FLOW}.
 */
public final class RoutesTable {
  private final Fabric fabric;
  private final WeightRule asked;
  private final WeightRule rule;
  private final int[] destinations;

  /** By switch, where it is among the destinations, or -1. */
  private final int[] indexOfSwitch;

  private final Bundles[] bundles;

  /** Hop by hop: as they are carried over from event to event. */
  private final Map<Bundles, EquivalentDestinations> classes;

  /** The same as they are asked for. */
  private final WeighedClasses weighed;

  private final EquivalentDestinations[] routesOfDestination;
  private final IdealGroup[] groupOfAllLinks;

  private RoutesTable(
      Fabric fabric,
      WeightRule asked,
      WeightRule rule,
      int[] destinations,
      int[] indexOfSwitch,
      Bundles[] bundles,
      Map<Bundles, EquivalentDestinations> classes,
      WeighedClasses weighed,
      IdealGroup[] groupOfAllLinks) {
    this.fabric = fabric;
    this.asked = asked;
    this.rule = rule;
    this.destinations = destinations;
    this.indexOfSwitch = indexOfSwitch;
    this.bundles = bundles;
    this.classes = classes;
    this.weighed = weighed;
    this.groupOfAllLinks = groupOfAllLinks;
    routesOfDestination = new EquivalentDestinations[destinations.length];
    for (EquivalentDestinations routes : weighed.parts()) {
      for (int d : routes.destinations) {
        routesOfDestination[indexOfSwitch[d]] = routes;
      }
    }
  }

  /** Routes to every switch that has a subnet. */
  public static RoutesTable compute(Fabric fabric, WeightRule rule) {
    int[] destinations = new int[fabric.subnetCount()];
    Arrays.setAll(destinations, fabric::subnetSwitch);
    return compute(fabric, rule, destinations);
  }

  /**
   * Routes to some switches.
   *
   * @param asked {@link WeightRule#AUTOMATIC} makes its choice; {@link #rule} has the outcome
   * @param destinations switch numbers, in any order, repeated or not
   */
  public static RoutesTable compute(Fabric fabric, WeightRule asked, int... destinations) {
    WeightRule rule = asked.in(fabric);
    int[] distinct = Arrays.stream(destinations).sorted().distinct().toArray();
    for (int d : distinct) {
      if (d < 0 || d >= fabric.switchCount()) {
        throw new IllegalArgumentException(
            "destination " + d + " is not a switch, 0 to " + (fabric.switchCount() - 1));
      }
    }
    Bundles[] bundles = Bundles.ofAll(fabric);
    Map<Bundles, IntList> members = new LinkedHashMap<>();
    for (int d : distinct) {
      members.computeIfAbsent(bundles[d], links -> new IntList()).add(d);
    }
    RouteRepair repair = new RouteRepair(fabric, bundles, bundles, new int[0], rule);
    EquivalentDestinations nowhere = EquivalentDestinations.toNowhere(fabric.switchCount());
    Map<Bundles, EquivalentDestinations> classes = new LinkedHashMap<>();
    members.forEach((links, same) -> classes.put(links, repair.repair(nowhere, same.toArray())));
    return new RoutesTable(
        fabric,
        asked,
        rule,
        distinct,
        indexOfSwitch(distinct, fabric.switchCount()),
        bundles,
        classes,
        WeighedClasses.of(classes.values(), flow(fabric, rule, bundles)),
        new IdealGroup[bundles.length]);
  }

  private static int[] indexOfSwitch(int[] destinations, int switchCount) {
    int[] index = new int[switchCount];
    Arrays.fill(index, -1);
    for (int i = 0; i < destinations.length; i++) {
      index[destinations[i]] = i;
    }
    return index;
  }

  /** By which a rule weighs; null if it does not. */
  private static ConcurrentFlow flow(Fabric fabric, WeightRule rule, Bundles[] bundles) {
    return rule.isByFlow() ? new ConcurrentFlow(fabric, bundles) : null;
  }

  /** The fabric these routes are for. */
  public Fabric fabric() {
    return fabric;
  }

  /** The rule that was asked for. */
  public WeightRule asked() {
    return asked;
  }

  /** The rule by which they were made: what {@link WeightRule#in} has of the one asked for. */
  public WeightRule rule() {
    return rule;
  }

  /** The destinations, rising; a copy. */
  public int[] destinations() {
    return destinations.clone();
  }

  /** Where a switch is among the {@link #destinations}, or -1. */
  public int indexOf(int s) {
    return indexOfSwitch[s];
  }

  /** How many classes of equivalent destinations there are. */
  int classCount() {
    return classes.size();
  }

  /**
   * The routes to one destination: a light view, made in O(1).
   *
   * @throws IllegalArgumentException if it is not one of {@link #destinations}
   */
  public DestinationRoutes to(int destination) {
    int index = indexOf(destination);
    if (index < 0) {
      throw new IllegalArgumentException(
          "switch " + destination + " is not a destination of this table");
    }
    return new EquivalentDestinationRoutes(this, destination, routesOfDestination[index]);
  }

  /**
   * The table after an event, and what changed.
   *
   * @param next a fabric of the same numbering as {@link #fabric}
   */
  public RoutesChange update(Fabric next) {
    return update(next, false);
  }

  /**
   * The same without computing flows, where weights are by flow: those that the event concerns are
   * outstanding, for {@link #completed}. Until then each switch towards their destinations has the
   * group that it had, if its next hops and their effective capacities are the same, and else one
   * by {@linkplain WeightRule#EFFECTIVE_CAPACITY effective capacity}.
   *
   * @param next a fabric of the same numbering as {@link #fabric}
   */
  public RoutesChange updateWithoutFlows(Fabric next) {
    return update(next, true);
  }

  /** Whether no flow is outstanding. */
  public boolean isComplete() {
    return weighed.isComplete();
  }

  /**
   * This table with the flows that are outstanding, and what they change.
   *
   * @param cancelled whether the result is not needed any more; queried before each flow
   * @return null if it was given up
   */
  public RoutesChange completed(BooleanSupplier cancelled) {
    WeighedClasses complete = weighed.completed(flow(fabric, rule, bundles), cancelled);
    if (complete == null) {
      return null;
    }
    RoutesTable table =
        new RoutesTable(
            fabric,
            asked,
            rule,
            destinations,
            indexOfSwitch,
            bundles,
            classes,
            complete,
            groupOfAllLinks);
    return new RoutesChange(this, table, table.changesSince(this, new IdentityHashMap<>()));
  }

  private RoutesChange update(Fabric next, boolean flowsLater) {
    int[] arcs =
        Arrays.stream(next.linksChangedSince(fabric))
            .flatMap(link -> Arrays.stream(new int[] {2 * link, 2 * link + 1}))
            .toArray();
    int[] ends = Arrays.stream(arcs).map(fabric::from).sorted().distinct().toArray();
    Bundles[] newBundles = bundles.clone();
    IdealGroup[] newGroupOfAllLinks = groupOfAllLinks.clone();
    for (int s : ends) {
      newBundles[s] = new Bundles(next, s, bundles[s]);
      newGroupOfAllLinks[s] = null;
    }
    IdentityHashMap<EquivalentDestinations, ClassChange> changeOf = new IdentityHashMap<>();
    Map<Bundles, EquivalentDestinations> newClasses = new LinkedHashMap<>();
    RouteRepair repair = new RouteRepair(next, bundles, newBundles, arcs, rule);
    membersAfter(ends, newBundles)
        .forEach(
            (links, members) -> {
              EquivalentDestinations old = classes.get(links);
              EquivalentDestinations base = old != null ? old : classes.get(bundles[members[0]]);
              EquivalentDestinations routes = repair.repair(base, members);
              newClasses.put(links, routes);
              changeOf.put(routes, ClassChange.among(repair.suspects(), base, routes));
            });
    RoutesTable table =
        new RoutesTable(
            next,
            asked,
            rule,
            destinations,
            indexOfSwitch,
            newBundles,
            newClasses,
            weighed.after(
                fabric, arcs, newClasses.values(), flow(next, rule, newBundles), flowsLater),
            newGroupOfAllLinks);
    return new RoutesChange(this, table, table.changesSince(this, changeOf));
  }

  /** Which destinations are equivalent after an event at the switches {@code ends}. */
  private Map<Bundles, int[]> membersAfter(int[] ends, Bundles[] newBundles) {
    Map<Bundles, int[]> members = new LinkedHashMap<>();
    Map<Bundles, IntList> joining = new LinkedHashMap<>();
    classes.forEach((links, routes) -> members.put(links, routes.destinations));
    for (int d : ends) {
      if (indexOf(d) >= 0 && !newBundles[d].equals(bundles[d])) {
        members.computeIfPresent(bundles[d], (links, same) -> without(d, same));
        joining.computeIfAbsent(newBundles[d], links -> new IntList()).add(d);
      }
    }
    joining.forEach((links, same) -> members.merge(links, same.toArray(), RoutesTable::merged));
    return members;
  }

  private static int[] without(int d, int[] members) {
    return members.length == 1
        ? null
        : Arrays.stream(members).filter(other -> other != d).toArray();
  }

  private static int[] merged(int[] a, int[] b) {
    return IntStream.concat(Arrays.stream(a), Arrays.stream(b)).sorted().toArray();
  }

  /** What an event changed, aligned with {@link #destinations}; null where nothing. */
  private ClassChange[] changesSince(
      RoutesTable before, IdentityHashMap<EquivalentDestinations, ClassChange> changeOf) {
    IdentityHashMap<EquivalentDestinations, Map<EquivalentDestinations, ClassChange>> ofMoved =
        new IdentityHashMap<>();
    ClassChange[] changes = new ClassChange[destinations.length];
    for (int i = 0; i < changes.length; i++) {
      EquivalentDestinations old = before.routesOfDestination[i];
      EquivalentDestinations now = routesOfDestination[i];
      if (i > 0 && now == routesOfDestination[i - 1] && old == before.routesOfDestination[i - 1]) {
        changes[i] = changes[i - 1];
        continue;
      }
      ClassChange change = changeOf.get(now);
      if (change == null || change.before != old) {
        change =
            ofMoved
                .computeIfAbsent(old, routes -> new IdentityHashMap<>())
                .computeIfAbsent(now, routes -> ClassChange.between(old, now));
      }
      changes[i] = change.isEmpty() ? null : change;
    }
    return changes;
  }

  Bundles bundles(int s) {
    return bundles[s];
  }

  /**
   * The group of a switch towards those equivalent to it. Made at the first call; threads may race.
   */
  IdealGroup groupOfAllLinks(int s) {
    if (groupOfAllLinks[s] == null) {
      groupOfAllLinks[s] = groupOfLinks(bundles[s].arcs, bundles[s].capacityBpsOfArc);
    }
    return groupOfAllLinks[s];
  }

  /** The group of a switch towards its neighbour {@code d}. */
  IdealGroup groupOfLinksTo(int s, int d) {
    Bundles links = bundles[s];
    int size = 0;
    for (int neighbour : links.neighbourOfArc) {
      size += neighbour == d ? 1 : 0;
    }
    int[] arcs = new int[size];
    long[] capacityBps = new long[size];
    int count = 0;
    for (int i = 0; count < size; i++) {
      if (links.neighbourOfArc[i] == d) {
        arcs[count] = links.arcs[i];
        capacityBps[count++] = links.capacityBpsOfArc[i];
      }
    }
    return groupOfLinks(arcs, capacityBps);
  }

  private IdealGroup groupOfLinks(int[] arcs, long[] capacityBps) {
    long[] weights = new long[arcs.length];
    // All of a bundle, whatever it is, can be carried on: t / C = 1.
    rule.weigh(arcs.length, capacityBps, capacityBps, capacityBps, weights);
    return new IdealGroup(arcs, weights, 0);
  }
}
