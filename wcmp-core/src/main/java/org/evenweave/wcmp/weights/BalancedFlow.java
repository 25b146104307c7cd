package org.evenweave.wcmp.weights;

import static java.math.BigInteger.ONE;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The one flow, of all that carry given supplies to given demands, which loads the links most
 * evenly.
 *
 * <p><b>Which one.</b> There are many such flows, and a maximum-flow algorithm returns any: it may
 * fill one of two equal paths and leave the other empty. Here it is the flow whose vector of link
 * utilisations, sorted from the highest down, is lexicographically least. Such a flow exists and is
 * unique: of two different ones, the mean would be better than both. Its highest utilisation is the
 * least possible, so divided by that it is a maximum concurrent flow. It is canonical (independent
 * of any numbering), it spreads over parallel links and equal paths as their capacities are, and it
 * has no cycle, for taking one out would lower utilisations and raise none; so its splits are free
 * of loops on any graph, shortest paths or not.
 *
 * <p><b>How.</b> A sequence of cuts that may be guessed, most often of single switches, makes the
 * flow and proves it ({@link GreedyCuts}, {@link ProvenCuts}). Where the guess or the proof fails,
 * maximum flows find it ({@link FlowByParts}). Both are exact, so it makes no difference which did.
 *
 * <p>Sources: maximum flow as weights, Tewari 2015, section 3.4.2; lexicographically optimal flows,
 * Megiddo, Math. Programming 7, 1974.
 */
final class BalancedFlow {
  private final BigInteger unitOfCapacity;
  private final EvenFlow flow;

  /**
   * @param from the node each link leaves, of {@code 0 ..< supply.length}
   * @param to the node it enters
   * @param capacity of each link, positive
   * @param supply what each node sends, negative for what it takes, in any unit; their sum is 0,
   *     and there are paths for all of it
   */
  BalancedFlow(int[] from, int[] to, BigInteger[] capacity, BigInteger[] supply) {
    this(
        from,
        to,
        capacity,
        Collections.nCopies(capacity.length, BigInteger.ZERO).toArray(BigInteger[]::new),
        supply);
  }

  /**
   * The same on links that carry either way. No link does both: the most even flow has no circle.
   *
   * @param there capacity of each link in its direction
   * @param back capacity against it; of the two, one may be 0
   */
  BalancedFlow(int[] from, int[] to, BigInteger[] there, BigInteger[] back, BigInteger[] supply) {
    unitOfCapacity = divisor(divisor(BigInteger.ZERO, there), back);
    BigInteger[] fewThere = inUnit(there);
    BigInteger[] fewBack = inUnit(back);
    OpenNetwork network =
        new OpenNetwork(from, to, doubles(fewThere), doubles(fewBack), doubles(supply));
    EvenFlow guessed =
        new GreedyCuts(network).find() ? ProvenCuts.of(network, fewThere, fewBack, supply) : null;
    flow = guessed != null ? guessed : new FlowByParts(from, to, fewThere, fewBack, supply);
  }

  /** The greatest common divisor; in longs where they suffice, as links may be many. */
  private static BigInteger divisor(BigInteger first, BigInteger[] others) {
    BigInteger divisor = first;
    for (BigInteger other : others) {
      divisor =
          isLong(divisor) && isLong(other)
              ? BigInteger.valueOf(
                  IdealWeights.greatestCommonDivisor(other.longValue(), divisor.longValue()))
              : divisor.gcd(other);
    }
    return divisor;
  }

  private BigInteger[] inUnit(BigInteger[] capacity) {
    BigInteger[] few = new BigInteger[capacity.length];
    for (int link = 0; link < few.length; link++) {
      few[link] =
          isLong(capacity[link]) && isLong(unitOfCapacity)
              ? BigInteger.valueOf(capacity[link].longValue() / unitOfCapacity.longValue())
              : capacity[link].divide(unitOfCapacity);
    }
    return few;
  }

  private static boolean isLong(BigInteger number) {
    return number.bitLength() < Long.SIZE;
  }

  private static double[] doubles(BigInteger[] integers) {
    return Arrays.stream(integers).mapToDouble(BigInteger::doubleValue).toArray();
  }

  /** Flow over capacity of a link, in the unit of supply over that of capacity. */
  Ratio utilisation(int link) {
    return flow.utilisation(link).dividedBy(Ratio.of(unitOfCapacity, ONE));
  }

  /** The highest of all links, 0 if nothing flows. */
  Ratio highestUtilisation() {
    Ratio highest = flow.highestUtilisation();
    return highest.equals(Ratio.ZERO) ? highest : highest.dividedBy(Ratio.of(unitOfCapacity, ONE));
  }

  /** Whether anything flows on a link. */
  boolean isUsed(int link) {
    return flow.isUsed(link);
  }

  /** Whether what flows on a link does so against its direction. */
  boolean isReversed(int link) {
    return flow.isReversed(link);
  }

  /** What some links that are used carry, as integers of the same ratios. */
  BigInteger[] carried(int[] links) {
    return flow.carried(links);
  }
}
