package org.evenweave.traffic;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealWeights;

/**
 * Turns split ratios, which are doubles, into integer weights.
 *
 * <p>A corner of a linear program with small whole capacities is a small fraction: 1/3, not
 * 0.3333333312. So the least size T up to 1024 is taken of which every share is a whole multiple
 * (to a millionth, a hundred times the solver's tolerance). If there is none, shares are rounded to
 * 2^-20. From there on all is exact, unless a weight would pass 2^62: the links of a bundle share
 * its weight in proportion to their capacities.
 */
final class SplitWeights {
  /** Shares below this are the solver's noise; no table could give them an entry either. */
  static final double LEAST_SHARE = 1e-6;

  private static final int MAX_SIMPLE_SIZE = 1024;
  private static final double TOLERANCE = 1e-6;
  private static final int FINE_SIZE = 1 << 20;

  private SplitWeights() {}

  /**
   * Whole weights in the ratio of some flows.
   *
   * @param flows not negative, in any unit, their sum positive
   * @return 0 where the flow is less than {@link #LEAST_SHARE} of the sum
   */
  static long[] wholeNumbers(double[] flows) {
    double total = Arrays.stream(flows).sum();
    double[] kept = Arrays.stream(flows).map(x -> x < total * LEAST_SHARE ? 0 : x).toArray();
    double keptTotal = Arrays.stream(kept).sum();
    double[] shares = Arrays.stream(kept).map(x -> x / keptTotal).toArray();
    for (int size = 1; size <= MAX_SIMPLE_SIZE; size++) {
      if (areMultiplesOf(size, shares)) {
        return rounded(shares, size);
      }
    }
    return rounded(shares, FINE_SIZE);
  }

  private static boolean areMultiplesOf(int size, double[] shares) {
    for (double share : shares) {
      double entries = share * size;
      if (Math.abs(entries - Math.rint(entries)) > TOLERANCE * size
          || (share > 0 && entries < 0.5)) {
        return false;
      }
    }
    return true;
  }

  private static long[] rounded(double[] shares, int size) {
    return Arrays.stream(shares)
        .mapToLong(share -> share == 0 ? 0 : Math.max(1, Math.round(share * size)))
        .toArray();
  }

  /**
   * The weights of single links.
   *
   * @param edgeWeights by edge of a switch, in the order of {@code edges}; 0 for no next hop
   * @param members where the arcs go, {@code members[s]}
   * @param weights where the weights go, aligned with it
   */
  static void spread(
      Fabric fabric,
      Links links,
      int s,
      int[] edges,
      long[] edgeWeights,
      int[][] members,
      long[][] weights) {
    int count = 0;
    for (int e = 0; e < edges.length; e++) {
      count += edgeWeights[e] > 0 ? links.arcs[edges[e]].length : 0;
    }
    members[s] = new int[count];
    Ratio[] exact = new Ratio[count];
    BigInteger denominator = BigInteger.ONE;
    int m = 0;
    for (int e = 0; e < edges.length; e++) {
      if (edgeWeights[e] > 0) {
        int[] arcs = links.arcs[edges[e]];
        BigInteger bundleBps =
            Arrays.stream(arcs)
                .mapToObj(arc -> BigInteger.valueOf(fabric.capacityBps(arc)))
                .reduce(BigInteger.ZERO, BigInteger::add);
        for (int arc : arcs) {
          members[s][m] = arc;
          exact[m] =
              Ratio.of(
                  BigInteger.valueOf(edgeWeights[e])
                      .multiply(BigInteger.valueOf(fabric.capacityBps(arc))),
                  bundleBps);
          BigInteger own = exact[m].denominator();
          denominator = denominator.divide(denominator.gcd(own)).multiply(own);
          m++;
        }
      }
    }
    BigInteger common = denominator;
    weights[s] =
        IdealWeights.inLowestTerms(
            Arrays.stream(exact)
                .map(ratio -> common.divide(ratio.denominator()).multiply(ratio.numerator()))
                .toArray(BigInteger[]::new));
  }
}
