package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Turns what each next hop can carry into the smallest integer weights of the same ratios.
 *
 * <p>A link of capacity c in a bundle of capacity C, of which the next hop can carry on only t,
 * weighs c * t / C, a fraction. The weights of one switch are brought to their least common
 * denominator and divided by their greatest common divisor, all exactly. That is done in longs, and
 * again in {@link BigInteger} only where a long would not hold a term: with capacities in bits per
 * second that are multiples of a gigabit this does not happen. Where even the smallest integers
 * pass 2^62, they are scaled down (each stays at least 1), which changes ratios by less than 2^-30.
 */
public final class IdealWeights {
  private static final int EXACT_BITS = 62;

  private IdealWeights() {}

  /**
   * @param count how many links there are; the arrays may be longer
   * @param capacityBps capacity of each link, positive
   * @param bundleBps capacity of each link's whole bundle
   * @param throughBps what the link's next hop can carry on, from 1 to {@code bundleBps}
   * @param weights where the weights go
   */
  static void weigh(
      int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
    if (alike(count, capacityBps, bundleBps, throughBps)) {
      Arrays.fill(weights, 0, count, 1);
    } else if (!weighInLongs(count, capacityBps, bundleBps, throughBps, weights)) {
      weighExactly(count, capacityBps, bundleBps, throughBps, weights);
    }
  }

  private static boolean alike(int count, long[] capacityBps, long[] bundleBps, long[] throughBps) {
    for (int i = 1; i < count; i++) {
      if (capacityBps[i] != capacityBps[0]
          || bundleBps[i] != bundleBps[0]
          || throughBps[i] != throughBps[0]) {
        return false;
      }
    }
    return true;
  }

  /** The same in longs alone, without allocation; false if one of them would overflow. */
  static boolean weighInLongs(
      int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
    long denominator = 1;
    for (int i = 0; i < count; i++) {
      long own = bundleBps[i] / greatestCommonDivisor(bundleBps[i], throughBps[i]);
      long factor = own / greatestCommonDivisor(own, denominator);
      if (overflows(denominator, factor)) {
        return false;
      }
      denominator *= factor;
    }
    long divisor = 0;
    long largest = 0;
    for (int i = 0; i < count; i++) {
      long shared = greatestCommonDivisor(bundleBps[i], throughBps[i]);
      long through = throughBps[i] / shared;
      long factor = denominator / (bundleBps[i] / shared);
      if (overflows(capacityBps[i], through) || overflows(capacityBps[i] * through, factor)) {
        return false;
      }
      weights[i] = capacityBps[i] * through * factor;
      divisor = greatestCommonDivisor(weights[i], divisor);
      largest = Math.max(largest, weights[i]);
    }
    if ((largest / divisor) >>> EXACT_BITS != 0) {
      return false;
    }
    for (int i = 0; i < count && divisor > 1; i++) {
      weights[i] /= divisor;
    }
    return true;
  }

  private static boolean overflows(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0;
  }

  static long greatestCommonDivisor(long a, long b) {
    long divisor = a;
    long remainder = b;
    while (remainder != 0) {
      long next = divisor % remainder;
      divisor = remainder;
      remainder = next;
    }
    return divisor;
  }

  /** The same in integers of any size. */
  static void weighExactly(
      int count, long[] capacityBps, long[] bundleBps, long[] throughBps, long[] weights) {
    BigInteger[] products = new BigInteger[count];
    BigInteger denominator = BigInteger.ONE;
    for (int i = 0; i < count; i++) {
      products[i] = BigInteger.valueOf(capacityBps[i]).multiply(BigInteger.valueOf(throughBps[i]));
      BigInteger bundle = BigInteger.valueOf(bundleBps[i]);
      BigInteger own = bundle.divide(bundle.gcd(products[i]));
      denominator = denominator.divide(denominator.gcd(own)).multiply(own);
      if (denominator.bitLength() > EXACT_BITS + Long.SIZE) {
        for (int k = i + 1; k < count; k++) {
          products[k] =
              BigInteger.valueOf(capacityBps[k]).multiply(BigInteger.valueOf(throughBps[k]));
        }
        scaleToLargest(products, bundleBps, weights);
        return;
      }
    }
    BigInteger[] numerators = new BigInteger[count];
    for (int i = 0; i < count; i++) {
      numerators[i] = products[i].multiply(denominator).divide(BigInteger.valueOf(bundleBps[i]));
    }
    System.arraycopy(inLowestTerms(numerators), 0, weights, 0, count);
  }

  /**
   * Weighs fractions whose smallest integers certainly pass 2^62. In lowest terms each of these is
   * at least the common denominator divided by the fraction's own, and a fraction's own denominator
   * is below 2^63. The common denominator of many links of distinct rates has thousands of digits,
   * and is not needed: the fractions are compared with the largest of them, in integers of a few
   * words.
   */
  private static void scaleToLargest(BigInteger[] products, long[] bundleBps, long[] weights) {
    int largest = 0;
    for (int i = 1; i < products.length; i++) {
      BigInteger mine = products[i].multiply(BigInteger.valueOf(bundleBps[largest]));
      if (mine.compareTo(products[largest].multiply(BigInteger.valueOf(bundleBps[i]))) > 0) {
        largest = i;
      }
    }
    BigInteger scale = BigInteger.valueOf(bundleBps[largest]).shiftLeft(EXACT_BITS - 1);
    for (int i = 0; i < products.length; i++) {
      BigInteger whole = products[largest].multiply(BigInteger.valueOf(bundleBps[i]));
      weights[i] = Math.max(1, products[i].multiply(scale).divide(whole).longValueExact());
    }
  }

  /** Some positive fractions as integers of the same ratios, without a common divisor. */
  static long[] inLowestTerms(Ratio... values) {
    BigInteger denominator = BigInteger.ONE;
    for (Ratio value : values) {
      BigInteger own = value.denominator();
      denominator = denominator.multiply(own.divide(denominator.gcd(own)));
    }
    BigInteger[] numerators = new BigInteger[values.length];
    for (int i = 0; i < values.length; i++) {
      numerators[i] = values[i].numerator().multiply(denominator.divide(values[i].denominator()));
    }
    return inLowestTerms(numerators);
  }

  /** Some positive integers of at most 62 bits without their common divisor, in place. */
  static long[] inLowestTerms(long[] values) {
    long divisor = 0;
    for (int i = 0; i < values.length && divisor != 1; i++) {
      divisor = greatestCommonDivisor(values[i], divisor);
    }
    for (int i = 0; i < values.length && divisor > 1; i++) {
      values[i] /= divisor;
    }
    return values;
  }

  /** Some positive integers without their common divisor, scaled down if they pass 2^62. */
  public static long[] inLowestTerms(BigInteger... values) {
    int bits = 0;
    for (BigInteger value : values) {
      bits = Math.max(bits, value.bitLength());
    }
    return bits > WideWeights.MOST_BITS
        ? inLowestTermsExactly(values)
        : new WideWeights(values).inLowestTerms(EXACT_BITS);
  }

  /** The same in integers of any size. */
  static long[] inLowestTermsExactly(BigInteger... values) {
    BigInteger divisor = BigInteger.ZERO;
    BigInteger largest = BigInteger.ONE;
    for (BigInteger value : values) {
      divisor = divisor.gcd(value);
      largest = largest.max(value);
    }
    long[] weights = new long[values.length];
    if (weights.length == 0) {
      return weights;
    }
    int excessBits = Math.max(0, largest.divide(divisor).bitLength() - EXACT_BITS);
    for (int i = 0; i < weights.length; i++) {
      BigInteger scaled = values[i].divide(divisor).shiftRight(excessBits);
      weights[i] = Math.max(1, scaled.longValueExact());
    }
    return weights;
  }
}
