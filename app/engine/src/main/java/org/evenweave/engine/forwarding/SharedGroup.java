package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.IdealGroup;

/** The destinations to which one switch has the same next hops in the same ideal weights. */
final class SharedGroup {
  final IdealGroup ideal;
  final List<Integer> destinations = new ArrayList<>();
  final List<Ipv4Prefix> prefixes = new ArrayList<>();
  int nearest = Integer.MAX_VALUE;
  int farthest;

  SharedGroup(IdealGroup ideal) {
    this.ideal = ideal;
  }

  void add(DestinationRoutes routes, int s, List<Ipv4Prefix> itsPrefixes) {
    destinations.add(routes.destination());
    prefixes.addAll(itsPrefixes);
    nearest = Math.min(nearest, routes.hops(s));
    farthest = Math.max(farthest, routes.hops(s));
  }
}
