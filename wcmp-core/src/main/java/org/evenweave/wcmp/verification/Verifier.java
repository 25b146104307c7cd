package org.evenweave.wcmp.verification;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Checks a forwarding state against the fabric it is for.
 *
 * <p>For every destination prefix (and for every longer prefix that some rule singles out within
 * it): no packet can loop, and none that has a path is dropped, from any switch that has hosts and
 * from any switch such packets pass. For every group: its realised shares are within the limit of
 * the ideal weights (Equation 3.2 over the members that it has). For every switch: its groups fit
 * its table. O(destinations * (switches + members)).
 */
public final class Verifier {
  private final ForwardingState state;
  private final Fabric fabric;
  private final List<Violation> violations = new ArrayList<>();

  private Verifier(ForwardingState state) {
    this.state = state;
    this.fabric = state.fabric();
  }

  /** Checks reachability, loops and table sizes; shares may be any. */
  public static List<Violation> verify(ForwardingState state) {
    return verify(state, (IntFunction<DestinationRoutes>) null, null);
  }

  /**
   * Checks everything. Rules for single sources may have any shares, and are taken together with
   * all others for the same prefix: {@link ForwardingState#ofAllSources}.
   *
   * @param ideal the rule that gives the ideal weights
   * @param maxOversubscription what a port's realised share may be at most, over its ideal share
   * @return what is wrong, in a fixed order; empty if nothing is
   */
  public static List<Violation> verify(
      ForwardingState state, WeightRule ideal, Ratio maxOversubscription) {
    return verify(state, to -> ideal.routes(state.fabric(), to), maxOversubscription);
  }

  /**
   * Checks everything.
   *
   * @param ideal by destination the routes with the ideal weights; null to leave shares unchecked
   * @param maxOversubscription what a port's realised share may be at most, over its ideal share
   * @return what is wrong, in a fixed order; empty if nothing is
   */
  public static List<Violation> verify(
      ForwardingState state, IntFunction<DestinationRoutes> ideal, Ratio maxOversubscription) {
    Verifier verifier = new Verifier(state);
    verifier.checkTables();
    for (int subnet = 0; subnet < verifier.fabric.subnetCount(); subnet++) {
      verifier.checkSubnet(subnet, ideal, maxOversubscription);
    }
    if (state.hasRulesForSources()) {
      verifier.addWithAllSources();
    }
    return verifier.violations;
  }

  private void addWithAllSources() {
    Set<String> known = violations.stream().map(Verifier::place).collect(Collectors.toSet());
    verify(state.ofAllSources()).stream()
        .filter(violation -> !known.contains(place(violation)))
        .forEach(violations::add);
  }

  private static String place(Violation violation) {
    return violation.kind() + " " + violation.switchId() + " " + violation.destination();
  }

  private void checkTables() {
    for (int s = 0; s < fabric.switchCount(); s++) {
      long entries = state.entriesInUse(s);
      if (entries > fabric.tableEntries(s)) {
        report(
            Violation.Kind.TABLE_OVERFLOW,
            s,
            "",
            "groups take " + entries + " multipath table entries of " + fabric.tableEntries(s));
      }
    }
  }

  private void checkSubnet(
      int subnet, IntFunction<DestinationRoutes> ideal, Ratio maxOversubscription) {
    int destination = fabric.subnetSwitch(subnet);
    DestinationRoutes reference =
        ideal == null ? WeightRule.EQUAL.routes(fabric, destination) : ideal.apply(destination);
    for (Ipv4Prefix prefix : classesWithin(subnet)) {
      DestinationGraph graph = checkPrefix(destination, prefix, reference);
      if (ideal != null) {
        checkShares(graph, prefix, reference, maxOversubscription);
      }
    }
  }

  private DestinationGraph checkPrefix(
      int destination, Ipv4Prefix prefix, DestinationRoutes reference) {
    DestinationGraph graph = new DestinationGraph(state, destination, prefix);
    boolean[] carries = carriers(graph);
    checkLoops(graph, carries, prefix);
    checkBlackHoles(graph, carries, destination, prefix, reference);
    return graph;
  }

  /** The subnet's prefix and all longer ones within it that some rule treats apart. */
  private TreeSet<Ipv4Prefix> classesWithin(int subnet) {
    Ipv4Prefix prefix = fabric.subnetPrefix(subnet);
    TreeSet<Ipv4Prefix> classes = new TreeSet<>();
    classes.add(prefix);
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (MultipathRule rule : state.rules(s)) {
        if (rule.prefix().length() > prefix.length() && subnetOf(rule.prefix()) == subnet) {
          classes.add(rule.prefix());
        }
      }
    }
    return classes;
  }

  /** The subnet that a prefix is part of, the longest where they overlap; -1 for none. */
  private int subnetOf(Ipv4Prefix prefix) {
    int longest = -1;
    for (int i = 0; i < fabric.subnetCount(); i++) {
      Ipv4Prefix candidate = fabric.subnetPrefix(i);
      if (candidate.length() <= prefix.length()
          && candidate.contains(prefix.address())
          && (longest < 0 || candidate.length() > fabric.subnetPrefix(longest).length())) {
        longest = i;
      }
    }
    return longest;
  }

  /** Switches that packets from some switch with hosts can pass. */
  private boolean[] carriers(DestinationGraph graph) {
    boolean[] carries = new boolean[fabric.switchCount()];
    int[] stack = new int[fabric.switchCount()];
    int depth = 0;
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      int source = fabric.subnetSwitch(subnet);
      if (!carries[source]) {
        carries[source] = true;
        stack[depth++] = source;
      }
      while (depth > 0) {
        int s = stack[--depth];
        for (int arc : graph.arcs[s]) {
          if (arc != DestinationGraph.NO_LINK && !carries[fabric.to(arc)]) {
            carries[fabric.to(arc)] = true;
            stack[depth++] = fabric.to(arc);
          }
        }
      }
    }
    return carries;
  }

  private void checkLoops(DestinationGraph graph, boolean[] carries, Ipv4Prefix prefix) {
    boolean[] loops = new boolean[fabric.switchCount()];
    Arrays.fill(loops, true);
    for (int s : graph.nextHopsFirst) {
      loops[s] = false;
    }
    for (int s = 0; s < loops.length; s++) {
      if (loops[s] && carries[s]) {
        report(Violation.Kind.LOOP, s, prefix.toString(), "packets can pass here again and again");
      }
    }
  }

  private void checkBlackHoles(
      DestinationGraph graph,
      boolean[] carries,
      int destination,
      Ipv4Prefix prefix,
      DestinationRoutes reference) {
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (s == destination || !carries[s]) {
        continue;
      }
      if (reference.hops(s) < 0) {
        report(Violation.Kind.UNREACHABLE, s, prefix.toString(), "the fabric has no path");
      } else if (graph.rules[s] == null) {
        report(Violation.Kind.BLACK_HOLE, s, prefix.toString(), "no rule matches");
      }
      for (int m = 0; m < graph.arcs[s].length; m++) {
        if (graph.arcs[s][m] == DestinationGraph.NO_LINK) {
          report(
              Violation.Kind.BLACK_HOLE,
              s,
              prefix.toString(),
              "port " + graph.rules[s].port(m) + " has no link");
        }
      }
    }
  }

  private void checkShares(
      DestinationGraph graph,
      Ipv4Prefix prefix,
      DestinationRoutes reference,
      Ratio maxOversubscription) {
    for (int s = 0; s < fabric.switchCount(); s++) {
      MultipathRule rule = graph.rules[s];
      if (rule == null || reference.memberCount(s) == 0) {
        continue;
      }
      long[] idealWeights = new long[rule.memberCount()];
      for (int m = 0; m < idealWeights.length; m++) {
        idealWeights[m] = idealWeight(reference, s, graph.arcs[s][m]);
        if (idealWeights[m] == 0) {
          report(
              Violation.Kind.SHARE,
              s,
              prefix.toString(),
              "port " + rule.port(m) + " should get nothing");
        }
      }
      if (Arrays.stream(idealWeights).allMatch(weight -> weight > 0)) {
        checkShare(s, prefix, rule, idealWeights, reference.weights(s), maxOversubscription);
      }
    }
  }

  /** Members that are missing make the others oversubscribed: their ideal share counts too. */
  private void checkShare(
      int s,
      Ipv4Prefix prefix,
      MultipathRule rule,
      long[] memberIdeal,
      long[] allIdeal,
      Ratio maxOversubscription) {
    Ratio worst =
        Oversubscription.of(memberIdeal, rule.weights())
            .times(Ratio.of(sum(allIdeal), sum(memberIdeal)));
    if (worst.compareTo(maxOversubscription) > 0) {
      report(
          Violation.Kind.SHARE,
          s,
          prefix.toString(),
          "oversubscription " + worst.toDouble() + " is above " + maxOversubscription.toDouble());
    }
  }

  /** Capacities have 63 bits, so that few of them have more together. */
  private static BigInteger sum(long[] weights) {
    return Arrays.stream(weights)
        .mapToObj(BigInteger::valueOf)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static long idealWeight(DestinationRoutes reference, int s, int arc) {
    for (int i = 0; i < reference.memberCount(s); i++) {
      if (reference.arc(s, i) == arc) {
        return reference.weight(s, i);
      }
    }
    return 0;
  }

  private void report(Violation.Kind kind, int s, String destination, String detail) {
    violations.add(new Violation(kind, fabric.switchId(s), destination, detail));
  }
}
