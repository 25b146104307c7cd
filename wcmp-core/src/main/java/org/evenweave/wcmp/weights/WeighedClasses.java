package org.evenweave.wcmp.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The classes of a {@link RoutesTable} with the requested weights. With weights by maximum flow, a
 * class may consist of several parts. After an event its flow may not have been computed yet. Until
 * then a switch keeps its group if its next hops and their effective capacities are unchanged;
 * otherwise it has a group by effective capacity. Immutable.
 */
final class WeighedClasses {
  /** One class. */
  private static final class Entry {
    final EquivalentDestinations hopByHop;
    final List<EquivalentDestinations> parts;
    final boolean outstanding;

    Entry(
        EquivalentDestinations hopByHop, List<EquivalentDestinations> parts, boolean outstanding) {
      this.hopByHop = hopByHop;
      this.parts = parts;
      this.outstanding = outstanding;
    }
  }

  private final Map<EquivalentDestinations, Entry> entryOf = new IdentityHashMap<>();

  private WeighedClasses() {}

  private void add(Entry entry) {
    entryOf.put(entry.hopByHop, entry);
  }

  /** All weighed; by flow if there is one. */
  static WeighedClasses of(Collection<EquivalentDestinations> classes, ConcurrentFlow flow) {
    WeighedClasses weighed = new WeighedClasses();
    classes.forEach(routes -> weighed.add(computed(routes, flow)));
    return weighed;
  }

  private static Entry computed(EquivalentDestinations routes, ConcurrentFlow flow) {
    return new Entry(routes, flow == null ? List.of(routes) : flow.over(routes), false);
  }

  /**
   * The same after an event. What the event does not concern is taken over.
   *
   * @param before the fabric before
   * @param changedArcs both arcs of every link that changed
   * @param classes after the event
   * @param flow after the event; null where weights are not by flow
   * @param flowsLater whether flows that the event concerns stay outstanding
   */
  WeighedClasses after(
      Fabric before,
      int[] changedArcs,
      Collection<EquivalentDestinations> classes,
      ConcurrentFlow flow,
      boolean flowsLater) {
    WeighedClasses next = new WeighedClasses();
    for (EquivalentDestinations routes : classes) {
      Entry known = entryOf.get(routes);
      if (known != null && (flow == null || isUnaffected(routes, before, changedArcs))) {
        next.add(known);
      } else if (flow != null && flowsLater) {
        next.add(new Entry(routes, untilComputed(routes, before.switchCount()), true));
      } else {
        next.add(computed(routes, flow));
      }
    }
    return next;
  }

  /**
   * Whether no shortest path of a class has a link that changed: they have one only where hops
   * differ at its ends, and flow depends on nothing else.
   */
  private static boolean isUnaffected(
      EquivalentDestinations routes, Fabric fabric, int[] changedArcs) {
    return Arrays.stream(changedArcs)
        .allMatch(arc -> routes.hops[fabric.from(arc)] == routes.hops[fabric.to(arc)]);
  }

  /**
   * A part for the destinations of each part before, with its groups where these are still right.
   */
  private List<EquivalentDestinations> untilComputed(
      EquivalentDestinations routes, int switchCount) {
    List<EquivalentDestinations> parts = new ArrayList<>();
    int left = routes.destinations.length;
    for (Entry entry : entryOf.values()) {
      for (EquivalentDestinations part :
          left == 0 ? List.<EquivalentDestinations>of() : entry.parts) {
        int[] destinations =
            Arrays.stream(part.destinations)
                .filter(d -> Arrays.binarySearch(routes.destinations, d) >= 0)
                .toArray();
        if (destinations.length > 0) {
          left -= destinations.length;
          PagedGroups groups = kept(entry.hopByHop, part, routes, switchCount);
          parts.add(new EquivalentDestinations(destinations, routes.hops, groups));
        }
      }
    }
    return parts;
  }

  private static PagedGroups kept(
      EquivalentDestinations hopByHopBefore,
      EquivalentDestinations before,
      EquivalentDestinations hopByHop,
      int switchCount) {
    PagedGroups.Editor groups = new PagedGroups.Editor(hopByHop.groups);
    for (int s = 0; s < switchCount; s++) {
      if (groups.get(s) != null
          && hopByHop.isCommon(s)
          && hopByHopBefore.isCommon(s)
          && Objects.equals(hopByHopBefore.groups.get(s), groups.get(s))) {
        groups.set(s, before.groups.get(s));
      }
    }
    return groups.done();
  }

  /**
   * The same with the flows that are outstanding.
   *
   * @param givenUp asked before each flow: whether nobody wants the answer any more
   * @return null if it was given up
   */
  WeighedClasses completed(ConcurrentFlow flow, BooleanSupplier givenUp) {
    WeighedClasses complete = new WeighedClasses();
    for (Entry entry : entryOf.values()) {
      if (entry.outstanding && givenUp.getAsBoolean()) {
        return null;
      }
      complete.add(entry.outstanding ? computed(entry.hopByHop, flow) : entry);
    }
    return complete;
  }

  /** Whether no flow is outstanding. */
  boolean isComplete() {
    return entryOf.values().stream().noneMatch(entry -> entry.outstanding);
  }

  /** All parts of all classes; each destination is in one. */
  Iterable<EquivalentDestinations> parts() {
    List<EquivalentDestinations> parts = new ArrayList<>();
    entryOf.values().forEach(entry -> parts.addAll(entry.parts));
    return parts;
  }
}
