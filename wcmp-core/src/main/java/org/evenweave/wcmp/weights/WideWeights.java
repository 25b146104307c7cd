package org.evenweave.wcmp.weights;

import java.math.BigInteger;

/**
 * Integers of up to 127 bits that are brought to lowest terms, in two longs each: as {@link
 * IdealWeights#inLowestTermsExactly} does it in integers of any size, in a fraction of the time.
 */
final class WideWeights {
  static final int MOST_BITS = 127;

  private final long[] high;
  private final long[] low;

  /** The greatest common divisor; without its factors 2 from the division on. */
  private long divisorHigh;

  private long divisorLow;

  /**
   * @param values positive, of at most {@link #MOST_BITS}
   */
  WideWeights(BigInteger[] values) {
    high = new long[values.length];
    low = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      low[i] = values[i].longValue();
      high[i] = values[i].bitLength() < Long.SIZE ? 0 : values[i].shiftRight(Long.SIZE).longValue();
    }
  }

  /**
   * The values without their common divisor, scaled down by a power of 2 if one has more bits than
   * that, each at least 1.
   */
  long[] inLowestTerms(int mostBits) {
    for (int i = 0; i < low.length && !(divisorHigh == 0 && divisorLow == 1); i++) {
      addToDivisor(high[i], low[i]);
    }
    divide();
    int bits = 0;
    for (int i = 0; i < low.length; i++) {
      int zeros =
          high[i] == 0
              ? Long.SIZE + Long.numberOfLeadingZeros(low[i])
              : Long.numberOfLeadingZeros(high[i]);
      bits = Math.max(bits, 2 * Long.SIZE - zeros);
    }
    int excess = Math.max(0, bits - mostBits);
    long[] weights = new long[low.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Math.max(1, shiftedLow(high[i], low[i], excess));
    }
    return weights;
  }

  private void addToDivisor(long valueHigh, long valueLow) {
    if ((divisorHigh | divisorLow) == 0) {
      divisorHigh = valueHigh;
      divisorLow = valueLow;
    } else if (divisorHigh == 0 && divisorLow >>> Integer.SIZE == 0) {
      long rest = Long.remainderUnsigned(valueHigh, divisorLow);
      rest = Long.remainderUnsigned(rest << Integer.SIZE | valueLow >>> Integer.SIZE, divisorLow);
      rest = Long.remainderUnsigned(rest << Integer.SIZE | (valueLow & 0xFFFFFFFFL), divisorLow);
      divisorLow = IdealWeights.greatestCommonDivisor(divisorLow, rest);
    } else {
      addWideToDivisor(valueHigh, valueLow);
    }
  }

  /** The binary algorithm for the greatest common divisor of the divisor and one more value. */
  private void addWideToDivisor(long valueHigh, long valueLow) {
    int twos = Math.min(trailingZeros(divisorHigh, divisorLow), trailingZeros(valueHigh, valueLow));
    int shift = trailingZeros(divisorHigh, divisorLow);
    long aLow = shiftedLow(divisorHigh, divisorLow, shift);
    long aHigh = shiftedHigh(divisorHigh, shift);
    shift = trailingZeros(valueHigh, valueLow);
    long bLow = shiftedLow(valueHigh, valueLow, shift);
    long bHigh = shiftedHigh(valueHigh, shift);
    while ((aHigh | bHigh) != 0 && !(aHigh == bHigh && aLow == bLow)) {
      boolean aIsLess = aHigh != bHigh ? aHigh < bHigh : Long.compareUnsigned(aLow, bLow) < 0;
      long lessHigh = aIsLess ? aHigh : bHigh;
      long lessLow = aIsLess ? aLow : bLow;
      long moreLow = aIsLess ? bLow : aLow;
      long differenceLow = moreLow - lessLow;
      long borrow = Long.compareUnsigned(moreLow, lessLow) < 0 ? 1 : 0;
      long differenceHigh = (aIsLess ? bHigh : aHigh) - lessHigh - borrow;
      aHigh = lessHigh;
      aLow = lessLow;
      shift = trailingZeros(differenceHigh, differenceLow);
      bLow = shiftedLow(differenceHigh, differenceLow, shift);
      bHigh = shiftedHigh(differenceHigh, shift);
    }
    if ((aHigh | bHigh) == 0) {
      aLow = oddDivisor(aLow, bLow);
    }
    divisorHigh =
        twos < Long.SIZE ? aHigh << twos | aLow >>> 1 >>> (Long.SIZE - 1 - twos) : aLow << twos;
    divisorLow = twos < Long.SIZE ? aLow << twos : 0;
  }

  /** The greatest common divisor of two odd numbers without a sign. */
  private static long oddDivisor(long one, long other) {
    long a = one;
    long b = other;
    while (a != b) {
      boolean aIsLess = Long.compareUnsigned(a, b) < 0;
      long difference = aIsLess ? b - a : a - b;
      a = aIsLess ? a : b;
      b = difference >>> Long.numberOfTrailingZeros(difference);
    }
    return a;
  }

  /**
   * Divides all values, without remainder. From the lowest bits up, a quotient of odd numbers is a
   * product with the divisor's inverse modulo 2^64 (Jebelean, J. Symbolic Computation 15, 1993).
   */
  private void divide() {
    int twos = trailingZeros(divisorHigh, divisorLow);
    divisorLow = shiftedLow(divisorHigh, divisorLow, twos);
    divisorHigh = shiftedHigh(divisorHigh, twos);
    long inverse = inverse(divisorLow);
    for (int i = 0; i < low.length; i++) {
      low[i] = shiftedLow(high[i], low[i], twos);
      high[i] = shiftedHigh(high[i], twos);
      low[i] *= inverse;
      high[i] -= productHigh(low[i], divisorLow) + low[i] * divisorHigh;
      high[i] *= inverse;
    }
  }

  /** Of an odd number modulo 2^64, by Newton's method: each step doubles the bits, 3 at first. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /** The upper 64 bits of a product of numbers without a sign. */
  private static long productHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + (a >> (Long.SIZE - 1) & b) + (b >> (Long.SIZE - 1) & a);
  }

  private static int trailingZeros(long high, long low) {
    return low != 0
        ? Long.numberOfTrailingZeros(low)
        : Long.SIZE + Long.numberOfTrailingZeros(high);
  }

  private static long shiftedLow(long high, long low, int shift) {
    return shift < Long.SIZE
        ? low >>> shift | high << 1 << (Long.SIZE - 1 - shift)
        : high >>> shift;
  }

  private static long shiftedHigh(long high, int shift) {
    return shift < Long.SIZE ? high >>> shift : 0;
  }
}
