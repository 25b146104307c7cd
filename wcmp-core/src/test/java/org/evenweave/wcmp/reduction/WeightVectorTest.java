package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class WeightVectorTest {
  @Test
  void namesTheWeightThatIsNotPositive() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> WeightVector.of(3, 2, 0));
    assertEquals("weights[2] is 0; a weight must be a positive integer", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> WeightVector.of(3, -2, 0));
    assertEquals("weights[1] is -2; a weight must be a positive integer", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, WeightVector::of);
    assertEquals("weights is empty; a group needs at least one member port", e.getMessage());
  }

  @Test
  void dividesByTheGreatestCommonDivisor() {
    assertEquals("[2, 3, 1]", WeightVector.of(20, 30, 10).toString());
    assertEquals("[1, 1]", WeightVector.of(Long.MAX_VALUE, Long.MAX_VALUE).toString());
    assertEquals(WeightVector.of(2, 4), WeightVector.of(5, 10));
    assertEquals("[7, 9]", WeightVector.of(7, 9).toString());
  }

  @Test
  void capsASizeBeyondLongButKeepsItExactly() {
    WeightVector vector = WeightVector.of(Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, vector.size());
    BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
    assertEquals(most.multiply(BigInteger.valueOf(3)).subtract(BigInteger.ONE), vector.exactSize());
  }

  @Property
  void roundsSharesDownButNeverBelowTheExactOnes(
      @ForAll("vectors") WeightVector ideal,
      @ForAll @DoubleRange(min = 0, max = Integer.MAX_VALUE) double entries) {
    long multiplier = ideal.multiplierFor(entries);
    long sum = 0;
    for (int i = 0; i < ideal.ports(); i++) {
      BigDecimal share = new BigDecimal(entries).multiply(BigDecimal.valueOf(ideal.weight(i)));
      BigInteger exact = share.toBigInteger().divide(ideal.exactSize());
      // At most one more, and only where the share is less than 2e-5 below a whole number: a
      // multiplier is up to 2^-47 too high, of 2^31 entries.
      BigInteger more =
          share
              .add(
                  new BigDecimal(ideal.exactSize())
                      .scaleByPowerOfTen(-5)
                      .multiply(BigDecimal.valueOf(2)))
              .toBigInteger()
              .divide(ideal.exactSize());
      long floor = ideal.floor(i, multiplier);
      assertTrue(exact.longValueExact() <= floor && floor <= more.longValueExact());
      sum += floor;
    }
    assertEquals(sum, ideal.floorSum(multiplier));
  }

  @Provide
  Arbitrary<WeightVector> vectors() {
    return Arbitraries.oneOf(
        Groups.typical().map(Groups::longs).map(WeightVector::of),
        Groups.huge().map(WeightVector::of));
  }
}
