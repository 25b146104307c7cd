package org.evenweave.traffic;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * WCMP for one destination on the shortest-path edges that are allowed: splits by effective
 * capacity (see WeightRule.EFFECTIVE_CAPACITY), and the flow that they give.
 */
final class WcmpReference {
  /** By edge: the share of what the edge's first switch has; 0 where it is no next hop. */
  final double[] share;

  final double[] flowBps;

  private final int[] nearestFirst;

  /** Whether all shortest-path edges are allowed, so that this is WCMP itself. */
  final boolean isWcmp;

  /**
   * @param allowed edges; of those on shortest paths, at least one for each switch with a path
   */
  WcmpReference(Links links, Target target, IntPredicate allowed) {
    share = new double[links.count];
    flowBps = new double[links.count];
    isWcmp =
        IntStream.range(0, links.count).noneMatch(e -> target.isShortest(e) && !allowed.test(e));
    double[] effectiveBps = new double[links.nodes];
    nearestFirst =
        IntStream.range(0, links.nodes)
            .filter(s -> target.wcmp.hops(s) > 0)
            .boxed()
            .sorted((a, b) -> target.wcmp.hops(a) - target.wcmp.hops(b))
            .mapToInt(Integer::intValue)
            .toArray();
    effectiveBps[target.destination] = Double.MAX_VALUE;
    for (int s : nearestFirst) {
      for (int edge : links.out[s]) {
        if (target.isShortest(edge) && allowed.test(edge)) {
          share[edge] = Math.min(links.capacityBps[edge], effectiveBps[links.to[edge]]);
          effectiveBps[s] += share[edge];
        }
      }
      for (int edge : links.out[s]) {
        share[edge] /= effectiveBps[s];
      }
    }
    double[] pendingBps = target.demandBps.clone();
    for (int i = nearestFirst.length - 1; i >= 0; i--) {
      int s = nearestFirst[i];
      for (int edge : links.out[s]) {
        flowBps[edge] = pendingBps[s] * share[edge];
        pendingBps[links.to[edge]] += flowBps[edge];
      }
    }
  }

  /**
   * The largest share that each edge may have of what its first switch has for the destination, so
   * that over any path the shares multiply to at most {@code maxSkew} times what they are here: the
   * skew is divided evenly among the switches of a path that have a choice.
   *
   * @return by edge; infinite for edges that are no next hop here
   */
  double[] shareLimits(Links links, double maxSkew) {
    int[] choices = new int[links.nodes];
    int most = 1;
    for (int s : nearestFirst) {
      int nextHops = 0;
      for (int edge : links.out[s]) {
        if (share[edge] > 0) {
          nextHops++;
          choices[s] = Math.max(choices[s], choices[links.to[edge]]);
        }
      }
      choices[s] += nextHops > 1 ? 1 : 0;
      most = Math.max(most, choices[s]);
    }
    double skewAtEach = Math.pow(maxSkew, 1.0 / most);
    return Arrays.stream(share)
        .map(x -> x > 0 ? x * skewAtEach : Double.POSITIVE_INFINITY)
        .toArray();
  }
}
