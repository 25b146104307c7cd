package org.evenweave.wcmp.reduction;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Objects;

/**
 * An exact rational number in lowest terms, without a unit: an oversubscription, a limit on one, or
 * a share of a group's capacity. Immutable; of any size.
 *
 * <p>Limits come in as decimals ({@code 1.15} is 115/100, not the nearest double), so that a group
 * which meets a limit exactly is never turned away by rounding.
 */
public final class Ratio implements Comparable<Ratio> {
  public static final Ratio ZERO = of(0, 1);
  public static final Ratio ONE = of(1, 1);

  /** Decimals with more digits or a wider exponent than this are typing errors, not limits. */
  private static final int MAX_DECIMAL_DIGITS = 400;

  /** Integers up to 2^53 are doubles exactly, and a quotient of two such is rounded only once. */
  private static final int DOUBLE_BITS = 53;

  private final BigInteger numerator;
  private final BigInteger denominator;

  private Ratio(BigInteger numerator, BigInteger denominator) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  /**
   * The ratio of two integers.
   *
   * @throws IllegalArgumentException if the denominator is not positive
   */
  public static Ratio of(long numerator, long denominator) {
    requirePositive(denominator > 0, denominator);
    long divisor = Math.abs(greatestCommonDivisor(numerator, denominator));
    return new Ratio(
        BigInteger.valueOf(numerator / divisor), BigInteger.valueOf(denominator / divisor));
  }

  /**
   * The ratio of two integers of any size.
   *
   * @throws IllegalArgumentException if the denominator is not positive
   */
  public static Ratio of(BigInteger numerator, BigInteger denominator) {
    requirePositive(denominator.signum() > 0, denominator);
    if (isLong(numerator) && isLong(denominator)) {
      return of(numerator.longValue(), denominator.longValue());
    }
    BigInteger divisor = numerator.gcd(denominator);
    return new Ratio(numerator.divide(divisor), denominator.divide(divisor));
  }

  /**
   * The exact value of a decimal.
   *
   * @throws IllegalArgumentException if it has more than 400 digits or an exponent beyond 400
   */
  public static Ratio of(BigDecimal decimal) {
    if (decimal.precision() > MAX_DECIMAL_DIGITS
        || Math.abs((long) decimal.scale()) > MAX_DECIMAL_DIGITS) {
      throw new IllegalArgumentException(
          "a decimal of "
              + decimal.precision()
              + " digits, scale "
              + decimal.scale()
              + "; write it with at most "
              + MAX_DECIMAL_DIGITS
              + " digits");
    }
    return decimal.scale() > 0
        ? of(decimal.unscaledValue(), BigInteger.TEN.pow(decimal.scale()))
        : of(decimal.toBigIntegerExact(), BigInteger.ONE);
  }

  /**
   * The exact value of a positive double, a binary fraction.
   *
   * @throws IllegalArgumentException if it is not positive, infinite or not a number
   */
  public static Ratio of(double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(value + " is not a positive finite number");
    }
    int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - (DOUBLE_BITS - 1);
    long significand = (long) Math.scalb(value, -exponent);
    int zeros = Long.numberOfTrailingZeros(significand);
    BigInteger odd = BigInteger.valueOf(significand >> zeros);
    int power = exponent + zeros;
    return power >= 0
        ? new Ratio(odd.shiftLeft(power), BigInteger.ONE)
        : new Ratio(odd, BigInteger.ONE.shiftLeft(-power));
  }

  /**
   * The exact value of a decimal such as {@code "1.15"} (23/20).
   *
   * @throws IllegalArgumentException if the text is not a decimal number
   */
  public static Ratio parse(String decimal) {
    try {
      return of(new BigDecimal(decimal));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "\"" + decimal + "\" is not a decimal number such as 1.15", e);
    }
  }

  /**
   * Compares {@code a/b} with {@code c/d} exactly, for positive b and d.
   *
   * @return negative, zero or positive as a/b is less than, equal to or greater than c/d
   */
  public static int compare(long a, long b, long c, long d) {
    int high = Long.compare(Math.multiplyHigh(a, d), Math.multiplyHigh(c, b));
    return high != 0 ? high : Long.compareUnsigned(a * d, c * b);
  }

  /** The greatest common divisor of two integers, not both 0, up to its sign. */
  static long greatestCommonDivisor(long a, long b) {
    long divisor = a;
    long rest = b;
    while (rest != 0) {
      long next = remainder(divisor, rest);
      divisor = rest;
      rest = next;
    }
    return divisor;
  }

  /** a % b; the 32-bit instruction is several times as fast as the 64-bit one. */
  private static long remainder(long a, long b) {
    return a == (int) a && b == (int) b ? (int) a % (int) b : a % b;
  }

  private static boolean isLong(BigInteger integer) {
    return integer.bitLength() < Long.SIZE;
  }

  private static void requirePositive(boolean positive, Object denominator) {
    if (!positive) {
      throw new IllegalArgumentException(
          "denominator is " + denominator + "; it must be a positive integer");
    }
  }

  public BigInteger numerator() {
    return numerator;
  }

  public BigInteger denominator() {
    return denominator;
  }

  public Ratio plus(Ratio other) {
    return of(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  public Ratio minus(Ratio other) {
    return plus(new Ratio(other.numerator.negate(), other.denominator));
  }

  public Ratio times(Ratio other) {
    return of(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  /**
   * This ratio divided by a positive one.
   *
   * @throws IllegalArgumentException if the divisor is not positive
   */
  public Ratio dividedBy(Ratio divisor) {
    return of(numerator.multiply(divisor.denominator), denominator.multiply(divisor.numerator));
  }

  /** The nearest double, or one of its two neighbours when a term is 2^53 or more. */
  public double toDouble() {
    if (numerator.bitLength() <= DOUBLE_BITS && denominator.bitLength() <= DOUBLE_BITS) {
      return numerator.doubleValue() / denominator.doubleValue();
    }
    return new BigDecimal(numerator)
        .divide(new BigDecimal(denominator), MathContext.DECIMAL128)
        .doubleValue();
  }

  @Override
  public int compareTo(Ratio other) {
    if (isLong(numerator)
        && isLong(denominator)
        && isLong(other.numerator)
        && isLong(other.denominator)) {
      return compare(
          numerator.longValue(),
          denominator.longValue(),
          other.numerator.longValue(),
          other.denominator.longValue());
    }
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ratio
        && numerator.equals(((Ratio) other).numerator)
        && denominator.equals(((Ratio) other).denominator);
  }

  @Override
  public int hashCode() {
    return Objects.hash(numerator, denominator);
  }

  /** As a fraction, for example {@code 8/7}; an integer without its denominator. */
  @Override
  public String toString() {
    return denominator.equals(BigInteger.ONE)
        ? numerator.toString()
        : numerator + "/" + denominator;
  }
}
