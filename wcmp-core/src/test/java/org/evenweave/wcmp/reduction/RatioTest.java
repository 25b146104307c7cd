package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatioTest {
  @ParameterizedTest
  @CsvSource({
    "1.15, 23/20",
    "1.05, 21/20",
    "1, 1",
    "0, 0",
    "1e2, 100",
    "1.5E-3, 3/2000",
    "-0.5, -1/2"
  })
  void readsDecimalsExactly(String decimal, String fraction) {
    assertEquals(fraction, Ratio.parse(decimal).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,15", "8/7", "NaN", "x"})
  void namesTextThatIsNoDecimal(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Ratio.parse(text));
    assertTrue(e.getMessage().startsWith("\"" + text + "\" is not a decimal"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e401", "1e-401", "1e2147483647", "1e-2147483647"})
  void rejectsExponentsThatWouldFillMemory(String text) {
    assertThrows(IllegalArgumentException.class, () -> Ratio.parse(text));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void rejectsDenominatorsThatAreNotPositive(long denominator) {
    assertThrows(IllegalArgumentException.class, () -> Ratio.of(1, denominator));
    assertThrows(
        IllegalArgumentException.class,
        () -> Ratio.of(BigInteger.ONE, BigInteger.valueOf(denominator)));
    assertThrows(
        IllegalArgumentException.class, () -> Ratio.ONE.dividedBy(Ratio.of(denominator, 1)));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void rejectsDoublesThatAreNotPositiveAndFinite(double value) {
    assertThrows(IllegalArgumentException.class, () -> Ratio.of(value));
  }

  @Property
  void isInLowestTerms(@ForAll long a, @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long b) {
    Ratio ratio = Ratio.of(a, b);
    assertEquals(BigInteger.ONE, ratio.numerator().gcd(ratio.denominator()));
    assertEquals(
        BigInteger.valueOf(a).multiply(ratio.denominator()),
        BigInteger.valueOf(b).multiply(ratio.numerator()));
    BigInteger scale = BigInteger.TWO.pow(70);
    assertEquals(
        ratio,
        Ratio.of(BigInteger.valueOf(a).multiply(scale), BigInteger.valueOf(b).multiply(scale)));
  }

  @Property
  void comparesAsDifferencesDo(
      @ForAll long a,
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long b,
      @ForAll long c,
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long d) {
    Ratio left = Ratio.of(a, b);
    Ratio right = Ratio.of(c, d);
    int sign = left.minus(right).numerator().signum();
    assertEquals(sign, Integer.signum(left.compareTo(right)));
    assertEquals(sign, Integer.signum(Ratio.compare(a, b, c, d)));
    Ratio tiny = Ratio.of(BigInteger.ONE, BigInteger.TWO.pow(200));
    assertTrue(left.plus(tiny).compareTo(left) > 0);
  }

  @Property
  void addsMultipliesAndDividesAsDecimalsDo(
      @ForAll @BigRange(min = "-1000", max = "1000") @Scale(6) BigDecimal a,
      @ForAll @BigRange(min = "0.000001", max = "1000") @Scale(6) BigDecimal b) {
    Ratio left = Ratio.of(a);
    Ratio right = Ratio.of(b);
    assertEquals(Ratio.of(a.add(b)), left.plus(right));
    assertEquals(Ratio.of(a.multiply(b)), left.times(right));
    assertEquals(left, left.dividedBy(right).times(right));
  }

  @Property
  void holdsDoublesExactly(@ForAll("doubles") double value) {
    Ratio ratio = Ratio.of(value);
    BigDecimal binaryFraction =
        new BigDecimal(ratio.numerator()).divide(new BigDecimal(ratio.denominator()));
    assertEquals(0, new BigDecimal(value).compareTo(binaryFraction));
    assertEquals(value, ratio.toDouble());
  }

  @Property
  void roundsToTheNearestDoubleOrItsNeighbour(
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long a,
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long b) {
    double nearest = new BigDecimal(a).divide(new BigDecimal(b), new MathContext(60)).doubleValue();
    assertEquals(nearest, Ratio.of(a, b).toDouble(), Math.ulp(nearest));
  }

  @Provide
  Arbitrary<Double> doubles() {
    long infinity = Double.doubleToLongBits(Double.POSITIVE_INFINITY);
    return Arbitraries.longs().between(1, infinity - 1).map(Double::longBitsToDouble);
  }
}
