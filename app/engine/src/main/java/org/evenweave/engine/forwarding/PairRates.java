package org.evenweave.engine.forwarding;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.evenweave.engine.paths.Routing;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * The throughput of each pair of switches with hosts: at what rate the traffic of this pair alone,
 * split as the switches realise their groups, fills the first link. Hosts' own links do not count.
 *
 * <p>O(pairs times the switches between them). {@link #changes} visits only the pairs that another
 * result of the same numbering concerns.
 */
public final class PairRates {
  private static final double[] WHOLE = {1};

  private final DesiredState desired;
  private final Fabric fabric;
  private final Routing routing;

  /** The switches with hosts, by number. */
  private final int[] endpoints;

  /** By destination and source, as in {@link #endpoints}. */
  private final double[][] bps;

  /** By destination, the way of each switch; null where it has none. */
  private final Way[][] ways;

  /** Of each switch: the shares of its groups. */
  private final Map<Integer, Map<IdealGroup, double[]>> shares = new HashMap<>();

  /** What a switch does with packets to a destination. */
  private static final class Way {
    final IdealGroup group;
    final double[] shares;

    Way(IdealGroup group, double[] shares) {
      this.group = group;
      this.shares = shares;
    }

    static boolean equal(Way a, Way b) {
      return a == b
          || (a != null
              && b != null
              && a.group.equals(b.group)
              && Arrays.equals(a.shares, b.shares));
    }
  }

  private PairRates(DesiredState desired) {
    this.desired = desired;
    routing = desired.routing();
    fabric = routing.snapshot().fabric();
    endpoints = routing.destinations();
    bps = new double[endpoints.length][endpoints.length];
    ways = new Way[endpoints.length][];
  }

  /** Computes all pairs. */
  public static PairRates of(DesiredState desired) {
    PairRates rates = new PairRates(desired);
    for (int d = 0; d < rates.endpoints.length; d++) {
      rates.ways[d] = rates.waysTo(rates.endpoints[d]);
      int[] order = rates.byFallingHops(rates.endpoints[d]);
      for (int s = 0; s < rates.endpoints.length; s++) {
        rates.bps[d][s] = rates.rate(rates.ways[d], s, d, order);
      }
    }
    return rates;
  }

  /** The switches with hosts, by number in the fabric, rising. */
  public int[] endpoints() {
    return endpoints.clone();
  }

  /**
   * Bits per second; 0 if there is no way.
   *
   * @param source an index in {@link #endpoints}, as is {@code destination}; not the same
   */
  public double bps(int source, int destination) {
    return bps[destination][source];
  }

  /** Takes a pair, by indices in {@link #endpoints}, and its rates. */
  public interface Visitor {
    void visit(int source, int destination, double beforeBps, double afterBps);
  }

  /**
   * Visits every pair whose way another result changes.
   *
   * @param after of the same numbering of switches and links
   */
  public void changes(DesiredState after, Visitor visitor) {
    if (routing.rule().isByPair() || after.routing().rule().isByPair()) {
      allChanges(of(after), visitor);
      return;
    }
    PairRates then = new PairRates(after);
    BitSet[] changed = changedSwitches(then);
    for (int d = 0; d < endpoints.length; d++) {
      if (!changed[d].isEmpty()) {
        visitChanges(then, d, changed[d], visitor);
      }
    }
  }

  /** Of groups for single pairs it is not known here what a change concerns. */
  private void allChanges(PairRates then, Visitor visitor) {
    for (int d = 0; d < endpoints.length; d++) {
      for (int s = 0; s < endpoints.length; s++) {
        if (bps[d][s] != then.bps[d][s]) {
          visitor.visit(s, d, bps[d][s], then.bps[d][s]);
        }
      }
    }
  }

  /** By destination, the switches that do something else with packets to it. */
  private BitSet[] changedSwitches(PairRates then) {
    BitSet[] changed = new BitSet[endpoints.length];
    Arrays.setAll(changed, d -> new BitSet());
    boolean isNear = then.routing.isMadeFrom(routing);
    for (int s = 0; s < fabric.switchCount(); s++) {
      boolean sameGroups = then.desired.groupsOf(s) == desired.groupsOf(s);
      if (isNear && sameGroups) {
        for (int destination : then.routing.changedDestinations(s)) {
          changed[Arrays.binarySearch(endpoints, destination)].set(s);
        }
      } else {
        for (int d = 0; d < endpoints.length; d++) {
          if (!Way.equal(ways[d][s], then.way(s, endpoints[d]))) {
            changed[d].set(s);
          }
        }
      }
    }
    return changed;
  }

  private void visitChanges(PairRates then, int d, BitSet changed, Visitor visitor) {
    then.ways[d] = ways[d].clone();
    changed.stream().forEach(s -> then.ways[d][s] = then.way(s, endpoints[d]));
    BitSet concerned = upstream(changed, ways[d]);
    concerned.or(upstream(changed, then.ways[d]));
    int[] order = then.byFallingHops(endpoints[d]);
    for (int s = 0; s < endpoints.length; s++) {
      if (s != d && concerned.get(endpoints[s])) {
        double now = bps[d][s];
        double later = then.rate(then.ways[d], s, d, order);
        visitor.visit(s, d, now, later);
      }
    }
  }

  /** The switches whose packets come to some switches, those included. */
  private BitSet upstream(BitSet switches, Way[] to) {
    BitSet found = (BitSet) switches.clone();
    Deque<Integer> open = new ArrayDeque<>();
    switches.stream().forEach(open::add);
    while (!open.isEmpty()) {
      int s = open.remove();
      for (int link : fabric.linksAt(s)) {
        int arc = fabric.to(2 * link) == s ? 2 * link : 2 * link + 1;
        int before = fabric.from(arc);
        if (!found.get(before) && to[before] != null && leadsAlong(to[before].group, arc)) {
          found.set(before);
          open.add(before);
        }
      }
    }
    return found;
  }

  private static boolean leadsAlong(IdealGroup group, int arc) {
    for (int i = 0; i < group.memberCount(); i++) {
      if (group.arc(i) == arc) {
        return true;
      }
    }
    return false;
  }

  private Way[] waysTo(int destination) {
    Way[] found = new Way[fabric.switchCount()];
    Arrays.setAll(found, s -> way(s, destination));
    return found;
  }

  private Way way(int s, int destination) {
    DestinationRoutes routes = routing.to(destination);
    IdealGroup group = routes == null ? null : routes.group(s);
    return group == null || group.memberCount() == 0 ? null : new Way(group, shares(s, group));
  }

  private double[] shares(int s, IdealGroup group) {
    return group.memberCount() == 1
        ? WHOLE
        : shares
            .computeIfAbsent(s, any -> new HashMap<>())
            .computeIfAbsent(group, any -> sharesOf(s, group));
  }

  /** As realised; as wanted by a switch that cannot be programmed now. */
  private double[] sharesOf(int s, IdealGroup group) {
    SwitchGroups groups = desired.groupsOf(s);
    int index = groups.indexOf(group);
    if (index < 0) {
      double sum = Arrays.stream(group.weights()).asDoubleStream().sum();
      return Arrays.stream(group.weights()).mapToDouble(weight -> weight / sum).toArray();
    }
    return Arrays.stream(group.ports(fabric))
        .mapToDouble(port -> groups.get(index).realisation.share(port).toDouble())
        .toArray();
  }

  /** Every next hop is nearer, so each switch comes before those that it sends to. */
  private int[] byFallingHops(int destination) {
    DestinationRoutes routes = routing.to(destination);
    return IntStream.range(0, fabric.switchCount())
        .filter(s -> routes.hops(s) > 0)
        .boxed()
        .sorted((a, b) -> Integer.compare(routes.hops(b), routes.hops(a)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private double rate(Way[] to, int source, int destination, int[] order) {
    int first = endpoints[source];
    if (source == destination || to[first] == null) {
      return 0;
    }
    double[] part = new double[fabric.switchCount()];
    part[first] = 1;
    double rate = Double.POSITIVE_INFINITY;
    for (int s : order) {
      if (part[s] > 0) {
        Way way = ofPair(to[s], s, source, destination);
        if (way == null) {
          return 0;
        }
        for (int i = 0; i < way.shares.length; i++) {
          double share = part[s] * way.shares[i];
          if (share > 0) {
            int arc = way.group.arc(i);
            part[fabric.to(arc)] += share;
            rate = Math.min(rate, fabric.capacityBps(arc) / share);
          }
        }
      }
    }
    return rate == Double.POSITIVE_INFINITY ? 0 : rate;
  }

  /** What a switch does with packets of a pair, which may have a group of its own. */
  private Way ofPair(Way ofDestination, int s, int source, int destination) {
    if (routing.pairs().at(s).isEmpty()) {
      return ofDestination;
    }
    IdealGroup group = desired.groupOfPair(s, endpoints[source], endpoints[destination]);
    return group.memberCount() == 0 ? null : new Way(group, shares(s, group));
  }
}
