package org.evenweave.wcmp.reduction;

import java.math.BigInteger;

/**
 * A limit on the maximum oversubscription of one group, in the form that a search over sizes asks
 * for: port i of a reduced group of n entries may have Y[i] with Y[i]/X[i] &lt;= (p/q) (n/v).
 *
 * <p>For a limit given as a ratio, p/q is that ratio and v the ideal size W (Tewari 2015, Equation
 * 3.2, solved for Y[i]/X[i]). For the oversubscription of another reduced group of the same ideal
 * weights, whose worst port has y of n' entries and weight x, W cancels: p = y, q = n', v = x.
 */
final class OversubscriptionLimit {
  private final long p;
  private final long q;
  private final long v;
  private final double approximate;

  /** The limit itself where the products of p, q and n would not fit 64 bits; else null. */
  private final Ratio large;

  private final BigInteger idealSize;

  private OversubscriptionLimit(
      long p, long q, long v, double approximate, Ratio large, BigInteger idealSize) {
    this.p = p;
    this.q = q;
    this.v = v;
    this.approximate = approximate;
    this.large = large;
    this.idealSize = idealSize;
  }

  static OversubscriptionLimit of(Ratio limit, WeightVector ideal) {
    int sizeBits = Math.min(ideal.exactSize().bitLength(), Integer.SIZE - 1);
    boolean fits =
        limit.numerator().bitLength() + sizeBits < Long.SIZE
            && limit.denominator().bitLength() + sizeBits < Long.SIZE
            && ideal.exactSize().bitLength() < Long.SIZE;
    return new OversubscriptionLimit(
        limit.numerator().longValue(),
        limit.denominator().longValue(),
        ideal.size(),
        limit.toDouble(),
        fits ? null : limit,
        ideal.exactSize());
  }

  /** The oversubscription of the worst port of an apportionment. */
  static OversubscriptionLimit of(Apportionment reached, WeightVector ideal) {
    int worst = reached.worstPort();
    long y = reached.entries(worst);
    long x = ideal.weight(worst);
    double oversubscription = y * ideal.approximateSize() / ((double) x * reached.total());
    return new OversubscriptionLimit(y, reached.total(), x, oversubscription, null, null);
  }

  /** The limit to within a few units in the last place. */
  double approximate() {
    return approximate;
  }

  /**
   * Negative, zero or positive as a port with y of n entries, n at most the ideal size W, is below,
   * at or above the limit.
   */
  int compare(long y, long x, long n) {
    if (large == null) {
      return Ratio.compare(y * q, x, p * n, v);
    }
    BigInteger left = BigInteger.valueOf(y).multiply(large.denominator()).multiply(idealSize);
    BigInteger right = BigInteger.valueOf(x).multiply(large.numerator());
    return left.compareTo(right.multiply(BigInteger.valueOf(n)));
  }
}
