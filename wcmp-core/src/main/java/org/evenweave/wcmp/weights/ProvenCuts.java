package org.evenweave.wcmp.weights;

import static java.math.BigInteger.ZERO;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The flow that follows from a sequence of cuts, in integers of any size, with a proof that it is
 * the most even one.
 *
 * <p><b>The flow.</b> A cut's ratio is what its set of nodes still sends over the capacity of open
 * links out of it. These carry that ratio of their capacity, open links into the set nothing, and
 * all are closed. (For a set that takes, the other way around.)
 *
 * <p><b>The proof.</b> If ratios never rise from cut to cut, and nothing is left to send after the
 * last, no flow is more even. Consider the links that are open before a cut: the later cuts' flow
 * over it has the cut's ratio as its highest utilisation, and no flow has less, since the set's
 * links out must carry what the set sends. A flow with that highest utilisation must fill all of
 * these equally and bring nothing in; so the most even one agrees with this one on the links that
 * the cut closes, and by induction everywhere.
 *
 * <p>The ratio may also rise, if it stays below those of all earlier cuts that closed a link at one
 * of the set's nodes. For then a cut of a lower ratio just before can be exchanged with this one:
 * none of its links ends in this one's set, so this one has the same supply and links without it;
 * and none of this one's links crosses the other's set. So the cuts may be sorted.
 *
 * <p><b>Numbers.</b> The denominator of the first i cuts' ratios is the product of i factors. A
 * node's supply is multiplied by the factors since its last change when it is needed.
 */
final class ProvenCuts implements EvenFlow {
  /** Logarithms to base 2 that differ by less are compared as integers. */
  private static final double NEAR = 1e-6;

  private static final int LONG_BITS = 62;

  private final OpenNetwork cuts;
  private final BigInteger[] there;
  private final BigInteger[] back;

  /** What each node still sends; without the first {@code factorsOf[n]} factors. */
  private final BigInteger[] supply;

  private final int[] factorsOf;

  /** Of each cut, the factor that it adds to the denominator, and its ratio's numerator. */
  private final BigInteger[] factor;

  /** The factor, or 0 if it is no long of {@link #LONG_BITS}. */
  private final long[] factorAsLong;

  private final BigInteger[] numerator;

  /** The logarithm of each cut's ratio to base 2, and of the denominator so far. */
  private final double[] logarithm;

  private double logarithmOfDenominator;

  /** The cut of the least ratio that has closed a link at each node, or -1. */
  private final int[] least;

  /** The cut that has closed each link, or -1 if it carries nothing. */
  private final int[] cutOf;

  private final boolean[] reversed;

  private ProvenCuts(OpenNetwork cuts, BigInteger[] there, BigInteger[] back, BigInteger[] supply) {
    this.cuts = cuts;
    this.there = there;
    this.back = back;
    this.supply = supply.clone();
    factorsOf = new int[supply.length];
    factor = new BigInteger[cuts.cuts()];
    factorAsLong = new long[cuts.cuts()];
    numerator = new BigInteger[cuts.cuts()];
    logarithm = new double[cuts.cuts()];
    least = new int[supply.length];
    cutOf = new int[there.length];
    reversed = new boolean[there.length];
    Arrays.fill(least, -1);
    Arrays.fill(cutOf, -1);
  }

  /**
   * The flow of these cuts.
   *
   * @param there capacity of each link in its direction
   * @param back capacity against it
   * @param supply what each node sends, negative for what it takes
   * @return null if they do not prove it to be the most even one
   */
  static ProvenCuts of(
      OpenNetwork cuts, BigInteger[] there, BigInteger[] back, BigInteger[] supply) {
    ProvenCuts flow = new ProvenCuts(cuts, there, back, supply);
    for (int cut = 0; cut < flow.factor.length; cut++) {
      if (!flow.follows(cut)) {
        return null;
      }
    }
    return Arrays.stream(flow.supply).allMatch(left -> left.signum() == 0) ? flow : null;
  }

  /** Gives a cut its ratio and its links their flow; returns false if the proof fails there. */
  private boolean follows(int cut) {
    BigInteger sent = ZERO;
    for (int i = cuts.memberBegin(cut); i < cuts.memberEnd(cut); i++) {
      sent = sent.add(supplyAt(cuts.member(i), cut));
    }
    boolean sends = cuts.sign(cut) > 0;
    sent = sends ? sent : sent.negate();
    BigInteger capacity = ZERO;
    for (int i = cuts.linkBegin(cut); i < cuts.linkEnd(cut); i++) {
      capacity = capacity.add(filled(cuts.link(i), cut));
    }
    if (sent.signum() <= 0 || capacity.signum() == 0) {
      return false;
    }
    BigInteger divisor = capacity.gcd(sent);
    factor[cut] = capacity.divide(divisor);
    factorAsLong[cut] = factor[cut].bitLength() > LONG_BITS ? 0 : factor[cut].longValue();
    numerator[cut] = sent.divide(divisor);
    logarithmOfDenominator += logarithm(factor[cut]);
    logarithm[cut] = logarithm(numerator[cut]) - logarithmOfDenominator;
    for (int i = cuts.memberBegin(cut); i < cuts.memberEnd(cut); i++) {
      int before = least[cuts.member(i)];
      if (before >= 0 && isHigher(cut, before)) {
        return false;
      }
    }
    for (int i = cuts.linkBegin(cut); i < cuts.linkEnd(cut); i++) {
      close(cuts.link(i), cut);
    }
    return true;
  }

  /** Whether a link, as seen along its direction, leads out of a cut's set. */
  private boolean leadsOut(int link, int cut) {
    for (int i = cuts.memberBegin(cut); i < cuts.memberEnd(cut); i++) {
      if (cuts.member(i) == cuts.from[link]) {
        return true;
      }
    }
    return false;
  }

  /** What a cut's link can carry in the direction in which the cut fills it. */
  private BigInteger filled(int link, int cut) {
    reversed[link] = leadsOut(link, cut) != cuts.sign(cut) > 0;
    return reversed[link] ? back[link] : there[link];
  }

  private void close(int link, int cut) {
    BigInteger flow = numerator[cut].multiply(reversed[link] ? back[link] : there[link]);
    int tail = reversed[link] ? cuts.to[link] : cuts.from[link];
    int head = reversed[link] ? cuts.from[link] : cuts.to[link];
    if (flow.signum() > 0) {
      cutOf[link] = cut;
      supply[tail] = supplyAt(tail, cut + 1).subtract(flow);
      supply[head] = supplyAt(head, cut + 1).add(flow);
    }
    lower(tail, cut);
    lower(head, cut);
  }

  private void lower(int node, int cut) {
    if (least[node] < 0 || (least[node] != cut && !isHigher(cut, least[node]))) {
      least[node] = cut;
    }
  }

  /** What a node still sends, without the first factors. */
  private BigInteger supplyAt(int node, int factors) {
    if (factorsOf[node] < factors) {
      supply[node] = times(supply[node], factorsOf[node], factors);
      factorsOf[node] = factors;
    }
    return supply[node];
  }

  /** A number times the factors of some cuts. */
  private BigInteger times(BigInteger number, int begin, int end) {
    if (number.signum() == 0) {
      return number;
    }
    BigInteger product = number;
    long factors = 1;
    for (int i = begin; i < end; i++) {
      long own = factorAsLong[i];
      if (own == 0) {
        product = product.multiply(factor[i]);
      } else if (Math.multiplyHigh(factors, own) != 0 || factors * own < 0) {
        product = product.multiply(BigInteger.valueOf(factors));
        factors = own;
      } else {
        factors *= own;
      }
    }
    return factors == 1 ? product : product.multiply(BigInteger.valueOf(factors));
  }

  private static double logarithm(BigInteger number) {
    int shift = Math.max(0, number.bitLength() - LONG_BITS);
    return Math.log(number.shiftRight(shift).doubleValue()) / Math.log(2) + shift;
  }

  /** Whether a cut has a higher ratio than an earlier one. */
  private boolean isHigher(int cut, int earlier) {
    double difference = logarithm[cut] - logarithm[earlier];
    return Math.abs(difference) > NEAR
        ? difference > 0
        : numerator[cut].compareTo(times(numerator[earlier], earlier + 1, cut + 1)) > 0;
  }

  @Override
  public Ratio utilisation(int link) {
    return cutOf[link] < 0 ? Ratio.ZERO : ratio(cutOf[link]);
  }

  private Ratio ratio(int cut) {
    return Ratio.of(numerator[cut], times(BigInteger.ONE, 0, cut + 1));
  }

  @Override
  public Ratio highestUtilisation() {
    int highest = -1;
    for (int cut = 0; cut < factor.length; cut++) {
      highest = highest < 0 || isHigher(cut, highest) ? cut : highest;
    }
    return highest < 0 ? Ratio.ZERO : ratio(highest);
  }

  @Override
  public boolean isUsed(int link) {
    return cutOf[link] >= 0;
  }

  @Override
  public boolean isReversed(int link) {
    return reversed[link];
  }

  @Override
  public BigInteger[] carried(int[] links) {
    int last = -1;
    boolean alike = true;
    for (int link : links) {
      alike &= cutOf[link] == cutOf[links[0]];
      last = Math.max(last, cutOf[link]);
    }
    BigInteger[] ofCapacity = new BigInteger[links.length];
    BigInteger[] carried = new BigInteger[links.length];
    for (int i = 0; i < links.length; i++) {
      int cut = cutOf[links[i]];
      int same = 0;
      while (cutOf[links[same]] != cut) {
        same++;
      }
      BigInteger filled = reversed[links[i]] ? back[links[i]] : there[links[i]];
      if (alike) {
        carried[i] = filled;
      } else {
        ofCapacity[i] = same < i ? ofCapacity[same] : times(numerator[cut], cut + 1, last + 1);
        carried[i] = ofCapacity[i].multiply(filled);
      }
    }
    return carried;
  }
}
