package org.evenweave.wcmp.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Weighs routes by {@link WeightRule#MAXIMUM_FLOW}, class by class of equivalent destinations; see
 * {@link RoutesTable}.
 *
 * <p>{@link BalancedFlow} is unique, so what maps the fabric and its sources onto itself maps it
 * onto itself. Hence one destination stands for all that are equivalent and sources like it, and
 * each of them is sent to by the others as they send to the one. Switches that no flow passes keep
 * their groups by effective capacity, so that a packet which arrives there is still forwarded.
 */
final class ConcurrentFlow {
  private final Bundles[] bundles;

  private final BitSet sources;

  private final GroupPool pool = new GroupPool();

  ConcurrentFlow(Fabric fabric, Bundles[] bundles) {
    this.bundles = bundles;
    sources = sources(fabric);
  }

  /** The switches that send: those with prefixes; in a fabric without any, the S1 switches. */
  static BitSet sources(Fabric fabric) {
    BitSet sources = new BitSet();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      sources.set(fabric.subnetSwitch(subnet));
    }
    for (int s = 0; s < fabric.switchCount() && fabric.subnetCount() == 0; s++) {
      sources.set(s, fabric.stage(s) == 1);
    }
    return sources;
  }

  /**
   * @param routes to equivalent destinations, by effective capacity
   * @return the same by flow: for all of them together, or for those that are sources and those
   *     that are not
   */
  List<EquivalentDestinations> over(EquivalentDestinations routes) {
    List<EquivalentDestinations> weighed = new ArrayList<>();
    for (IntPredicate alike : List.<IntPredicate>of(sources::get, d -> !sources.get(d))) {
      int[] destinations = Arrays.stream(routes.destinations).filter(alike).toArray();
      if (destinations.length > 0) {
        weighed.add(
            new EquivalentDestinations(destinations, routes.hops, groups(routes, destinations)));
      }
    }
    return weighed;
  }

  private PagedGroups groups(EquivalentDestinations routes, int[] destinations) {
    int representative = destinations[0];
    DestinationFlow flow = new DestinationFlow(bundles, sources, routes.hops, representative);
    PagedGroups.Editor groups = new PagedGroups.Editor(routes.groups);
    for (int i = 0; i < flow.switches().size(); i++) {
      int s = flow.switches().get(i);
      IdealGroup group = routes.hops[s] == 1 ? null : flow.group(s, s, pool);
      if (group != null) {
        groups.set(s, group);
      }
    }
    if (destinations.length > 1) {
      groups.set(representative, flow.group(representative, destinations[1], pool));
    }
    return groups.done();
  }
}
