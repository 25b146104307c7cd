package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.math.BigInteger;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Two longs for a number, against integers of any size. */
class WideWeightsTest {
  @Property(tries = 5000)
  void weightsAreThoseOfIntegersOfAnySize(
      @ForAll @IntRange(min = 1, max = 5) int count,
      @ForAll @IntRange(max = WideWeights.MOST_BITS) int bits,
      @ForAll @IntRange(max = WideWeights.MOST_BITS) int bitsOfDivisor,
      @ForAll @IntRange(max = WideWeights.MOST_BITS) int twos,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BigInteger divisor = number(random, bitsOfDivisor).shiftLeft(twos);
    BigInteger[] values = new BigInteger[count];
    for (int i = 0; i < count; i++) {
      BigInteger value = number(random, bits).multiply(divisor);
      values[i] =
          value.bitLength() <= WideWeights.MOST_BITS
              ? value
              : number(random, WideWeights.MOST_BITS - twos).shiftLeft(twos);
    }
    assertSame(values);
  }

  @Example
  void bothEndsOfTheRange() {
    BigInteger most = BigInteger.ONE.shiftLeft(WideWeights.MOST_BITS).subtract(BigInteger.ONE);
    BigInteger highest = BigInteger.ONE.shiftLeft(WideWeights.MOST_BITS - 1);
    assertSame(most, most.subtract(BigInteger.ONE));
    assertSame(most, BigInteger.ONE);
    assertSame(highest, highest);
    assertSame(highest, highest.shiftRight(1), BigInteger.ONE.shiftLeft(Long.SIZE));
    assertSame(BigInteger.ONE);
  }

  private static void assertSame(BigInteger... values) {
    assertArrayEquals(
        IdealWeights.inLowestTermsExactly(values), IdealWeights.inLowestTerms(values));
  }

  /** Positive, of at most so many bits. */
  private static BigInteger number(SplittableRandom random, int bits) {
    BigInteger number =
        BigInteger.valueOf(random.nextLong() >>> 1)
            .shiftLeft(Long.SIZE)
            .add(BigInteger.valueOf(random.nextLong() >>> 1));
    return number.shiftRight(WideWeights.MOST_BITS - bits).max(BigInteger.ONE);
  }
}
