package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The one maximum flow between two switches that loads the links most evenly.
 *
 * <p><b>Which one.</b> There are many maximum flows, and a maximum-flow algorithm returns any: it
 * may fill one of two equal paths and leave the other empty. Here it is the flow whose vector of
 * link utilisations, sorted from the highest down, is lexicographically least. Such a flow exists
 * and is unique: of two different ones, the mean would be better than both. It is canonical
 * (independent of any numbering), it spreads over parallel links and equal paths as their
 * capacities are, and it has no cycle, for taking one out would lower utilisations and raise none;
 * so its splits are free of loops on any graph, shortest paths or not.
 *
 * <p><b>Algorithm.</b> Let all links have an unknown utilisation, and repeat until none has:
 *
 * <ol>
 *   <li>Find the least u such that the flow still fits when every undecided link has u times its
 *       capacity. By max-flow min-cut that is the greatest of supply(X) / capacity(out of X) over
 *       sets X of switches. Newton's method climbs to it: a maximum flow at a u too small leaves a
 *       cut X whose ratio is the next u (Radzik 1998).
 *   <li>Every undecided link with utilisation u in <em>all</em> such flows is now decided. These
 *       are the full ones whose ends are in different strongly connected components of the residual
 *       graph: only a residual cycle could take something off a full link. There is at least one,
 *       on the cut that stopped u. Its flow becomes supply and demand of its ends.
 * </ol>
 *
 * <p>Each round decides a link, so there are at most as many rounds as links; in fabrics, where
 * links of one stage are alike, a handful. Everything is exact: flows are integers in a unit that
 * begins as bits per second and is divided by the denominator of u whenever u is a fraction.
 *
 * <p>Sources: maximum flow as weights, Tewari 2015, section 3.4.2; lexicographically optimal flows,
 * Megiddo, Math. Programming 7, 1974.
 */
final class BalancedFlow {
  private final int nodes;
  private final int[] from;
  private final int[] to;
  private final BigInteger[] capacity;
  private final boolean[] decided;
  private final BigInteger[] flow;
  private final BigInteger[] supply;
  private final BigInteger value;

  /**
   * @param nodes how many there are
   * @param from the node each link leaves
   * @param to the node it enters
   * @param capacityBps of each link, positive
   */
  BalancedFlow(int nodes, int[] from, int[] to, long[] capacityBps, int source, int destination) {
    this.nodes = nodes;
    this.from = from;
    this.to = to;
    capacity = Arrays.stream(capacityBps).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
    decided = new boolean[from.length];
    flow = new BigInteger[from.length];
    Arrays.fill(flow, BigInteger.ZERO);
    supply = new BigInteger[nodes];
    Arrays.fill(supply, BigInteger.ZERO);
    value = maximum(source, destination);
    supply[source] = value;
    supply[destination] = value.negate();
    while (Arrays.stream(supply).anyMatch(s -> s.signum() > 0)) {
      decideMostUtilised();
    }
  }

  /** The value of the maximum flow, in bits per second. */
  BigInteger value() {
    return value;
  }

  /** The flow on each link, all in the same unit. */
  BigInteger[] flow() {
    return flow;
  }

  private BigInteger maximum(int source, int destination) {
    MaxFlow network = new MaxFlow(nodes);
    for (int a = 0; a < from.length; a++) {
      network.addEdge(from[a], to[a], capacity[a]);
    }
    return network.run(source, destination);
  }

  private void decideMostUtilised() {
    IntPredicate inCut = node -> supply[node].signum() > 0;
    while (true) {
      // The next u, as numerator / denominator, in the unit of supplies over that of capacities.
      BigInteger numerator = BigInteger.ZERO;
      for (int node = 0; node < nodes; node++) {
        numerator = inCut.test(node) ? numerator.add(supply[node]) : numerator;
      }
      BigInteger denominator = BigInteger.ZERO;
      for (int a = 0; a < from.length; a++) {
        boolean crosses = !decided[a] && inCut.test(from[a]) && !inCut.test(to[a]);
        denominator = crosses ? denominator.add(capacity[a]) : denominator;
      }
      BigInteger divisor = numerator.gcd(denominator);
      Attempt attempt = new Attempt(numerator.divide(divisor), denominator.divide(divisor));
      if (attempt.fits) {
        attempt.decide();
        return;
      }
      inCut = attempt.network::isOnSourceSide;
    }
  }

  /** Whether all supplies fit when every undecided link has u times its capacity. */
  private final class Attempt {
    final MaxFlow network = new MaxFlow(nodes + 2);
    final boolean fits;
    private final BigInteger numerator;
    private final BigInteger denominator;
    private final int[] edge = new int[from.length];

    /** In a unit smaller by the denominator, u * capacity is the integer numerator * capacity. */
    Attempt(BigInteger numerator, BigInteger denominator) {
      this.numerator = numerator;
      this.denominator = denominator;
      for (int a = 0; a < from.length; a++) {
        if (!decided[a]) {
          edge[a] = network.addEdge(from[a], to[a], numerator.multiply(capacity[a]));
        }
      }
      BigInteger total = BigInteger.ZERO;
      for (int node = 0; node < nodes; node++) {
        BigInteger amount = supply[node].abs().multiply(denominator);
        if (supply[node].signum() > 0) {
          network.addEdge(nodes, node, amount);
          total = total.add(amount);
        } else if (supply[node].signum() < 0) {
          network.addEdge(node, nodes + 1, amount);
        }
      }
      fits = network.run(nodes, nodes + 1).equals(total);
    }

    void decide() {
      int[] component = network.residualComponents();
      for (int node = 0; node < nodes; node++) {
        supply[node] = supply[node].multiply(denominator);
      }
      for (int a = 0; a < from.length; a++) {
        flow[a] = flow[a].multiply(denominator);
      }
      for (int a = 0; a < from.length; a++) {
        if (!decided[a]
            && !network.hasResidual(edge[a])
            && component[from[a]] != component[to[a]]) {
          decided[a] = true;
          flow[a] = numerator.multiply(capacity[a]);
          supply[from[a]] = supply[from[a]].subtract(flow[a]);
          supply[to[a]] = supply[to[a]].add(flow[a]);
        }
      }
    }
  }
}
