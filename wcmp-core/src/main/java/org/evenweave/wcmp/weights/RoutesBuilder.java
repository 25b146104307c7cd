package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Builds {@link DestinationRoutes} on the shortest-path graph of one destination.
 *
 * <p><b>Effective capacity.</b> The paper weighs an uplink by its effective capacity, 1 or p/(p+1):
 * where a switch has p+1 uplinks to an S2 switch that has only p downlinks to the destination, each
 * uplink can use p/(p+1) of its rate (Tewari 2015, section 3.4.2). Stated for any number of links,
 * capacities and stages: let C(v,k) be the capacity of all links from v to its next hop k together,
 * and e(k) what k can carry on towards the destination. Then
 *
 * <pre>
 *   e(destination) = infinite,   e(v) = sum over next hops k of min(C(v,k), e(k)),
 *   weight of a link of capacity c from v to k = c * min(1, e(k) / C(v,k)).
 * </pre>
 *
 * <p>In a two-stage Clos this is the paper's rule: e(k) is k's downlink capacity. On any graph it
 * depends only on switches nearer to the destination, so one pass, nearest first, computes it in
 * O(links). It is exact when no two next hops of a switch share a bottleneck further down; where
 * they do, it sees each of them as if alone.
 *
 * <p><b>Integers.</b> e is a sum of minima of integers, so it is an integer. A weight is an integer
 * over C(v,k); the weights of one switch are brought to their least common denominator and divided
 * by their greatest common divisor, all exactly. Only where such integers would pass 2^62 are they
 * scaled down (each stays at least 1), which changes ratios by less than 2^-30.
 */
final class RoutesBuilder {
  private static final int EXACT_BITS = 62;

  private final Fabric fabric;
  private final int destination;
  private final HopDistances distances;
  private final int[] firstMember;
  private final int[] memberArc;

  RoutesBuilder(Fabric fabric, int destination) {
    this.fabric = fabric;
    this.destination = destination;
    this.distances = new HopDistances(fabric, destination);
    this.firstMember = new int[fabric.switchCount() + 1];
    this.memberArc = collectMembers();
  }

  /** Arcs that lead one hop nearer, switch by switch; fills {@link #firstMember}. */
  private int[] collectMembers() {
    int[] arcs = new int[fabric.arcCount()];
    int count = 0;
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int i = 0; i < fabric.outDegree(s); i++) {
        int arc = fabric.outArc(s, i);
        if (distances.hops[s] > 0 && distances.hops[fabric.to(arc)] == distances.hops[s] - 1) {
          arcs[count++] = arc;
        }
      }
      firstMember[s + 1] = count;
    }
    return Arrays.copyOf(arcs, count);
  }

  DestinationRoutes equal() {
    long[] weights = new long[memberArc.length];
    Arrays.fill(weights, 1);
    return new DestinationRoutes(destination, distances.hops, firstMember, memberArc, weights);
  }

  DestinationRoutes effectiveCapacity() {
    long[] weights = new long[memberArc.length];
    long[] effectiveBps = new long[fabric.switchCount()];
    long[] bundleBps = new long[fabric.switchCount()];
    effectiveBps[destination] = Long.MAX_VALUE;
    for (int s : distances.nearestFirst) {
      if (s != destination) {
        effectiveBps[s] = weigh(s, effectiveBps, bundleBps, weights);
      }
    }
    return new DestinationRoutes(destination, distances.hops, firstMember, memberArc, weights);
  }

  /**
   * Weighs the members of one switch.
   *
   * @param bundleBps scratch, all zero before and after: capacity of all links to a neighbour
   * @return the switch's own effective capacity
   */
  private long weigh(int s, long[] effectiveBps, long[] bundleBps, long[] weights) {
    int first = firstMember[s];
    int last = firstMember[s + 1];
    for (int m = first; m < last; m++) {
      int next = fabric.to(memberArc[m]);
      bundleBps[next] = saturatedSum(bundleBps[next], fabric.capacityBps(memberArc[m]));
    }
    BigInteger[] numerators = new BigInteger[last - first];
    BigInteger denominator = BigInteger.ONE;
    for (int m = first; m < last; m++) {
      int next = fabric.to(memberArc[m]);
      long through = Math.min(bundleBps[next], effectiveBps[next]);
      BigInteger bundle = BigInteger.valueOf(bundleBps[next]);
      BigInteger shared = bundle.gcd(BigInteger.valueOf(through));
      denominator = lcm(denominator, bundle.divide(shared));
    }
    for (int m = first; m < last; m++) {
      int next = fabric.to(memberArc[m]);
      long through = Math.min(bundleBps[next], effectiveBps[next]);
      numerators[m - first] =
          BigInteger.valueOf(fabric.capacityBps(memberArc[m]))
              .multiply(BigInteger.valueOf(through))
              .multiply(denominator)
              .divide(BigInteger.valueOf(bundleBps[next]));
    }
    long effective = 0;
    for (int m = first; m < last; m++) {
      int next = fabric.to(memberArc[m]);
      effective = saturatedSum(effective, Math.min(bundleBps[next], effectiveBps[next]));
      bundleBps[next] = 0;
    }
    toSmallestIntegers(numerators, weights, first);
    return effective;
  }

  private static void toSmallestIntegers(BigInteger[] values, long[] weights, int first) {
    BigInteger divisor = BigInteger.ZERO;
    BigInteger largest = BigInteger.ZERO;
    for (BigInteger value : values) {
      divisor = divisor.gcd(value);
      largest = largest.max(value);
    }
    int excessBits = Math.max(0, largest.divide(divisor).bitLength() - EXACT_BITS);
    for (int i = 0; i < values.length; i++) {
      BigInteger scaled = values[i].divide(divisor).shiftRight(excessBits);
      weights[first + i] = Math.max(1, scaled.longValueExact());
    }
  }

  private static BigInteger lcm(BigInteger a, BigInteger b) {
    return a.divide(a.gcd(b)).multiply(b);
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
