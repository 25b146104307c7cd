package org.evenweave.wcmp.reduction;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Random groups, and slow obvious models of what is to be computed for one. */
public final class Groups {
  private Groups() {}

  /** Ideal weights of a few ports, small enough to enumerate every reduced group. */
  public static Arbitrary<int[]> tiny() {
    return Arbitraries.integers().between(1, 7).array(int[].class).ofMinSize(1).ofMaxSize(4);
  }

  /** Ideal weights as they occur, some of them equal, some of them of unequal magnitude. */
  public static Arbitrary<int[]> typical() {
    return Arbitraries.oneOf(
        weights(1, 1000, 24), weights(500, 1000, 24), weights(1, 8, 24), weights(90, 100, 12));
  }

  /** Ideal weights of up to 70 ports, a few of which have lost links. */
  public static Arbitrary<int[]> fewDistinct() {
    return Arbitraries.integers()
        .between(1, 40)
        .flatMap(
            most ->
                Arbitraries.frequencyOf(
                        Tuple.of(4, Arbitraries.just(most)),
                        Tuple.of(1, Arbitraries.integers().between(Math.max(1, most - 4), most)))
                    .array(int[].class)
                    .ofMinSize(1)
                    .ofMaxSize(70));
  }

  /** Ideal weights whose sums and products overflow 64 bits, up to 20 times one another. */
  public static Arbitrary<long[]> huge() {
    return Arbitraries.longs()
        .between(Long.MAX_VALUE / 20, Long.MAX_VALUE)
        .array(long[].class)
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  /** Limits from 1.001 to 3, in thousandths. */
  public static Arbitrary<Ratio> limits() {
    return Arbitraries.oneOf(
            Arbitraries.integers().between(1001, 1200), Arbitraries.integers().between(1200, 3000))
        .map(thousandths -> Ratio.of(thousandths, 1000));
  }

  private static Arbitrary<int[]> weights(int least, int most, int ports) {
    return Arbitraries.integers()
        .between(least, most)
        .array(int[].class)
        .ofMinSize(1)
        .ofMaxSize(ports);
  }

  public static long[] longs(int... weights) {
    return IntStream.of(weights).asLongStream().toArray();
  }

  public static int sum(int... weights) {
    return IntStream.of(weights).sum();
  }

  /** Equation 3.2 term by term. */
  public static Ratio oversubscription(long[] ideal, int[] reduced) {
    BigInteger idealSize =
        Arrays.stream(ideal).mapToObj(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger size = BigInteger.valueOf(IntStream.of(reduced).asLongStream().sum());
    Ratio worst = Ratio.ZERO;
    for (int i = 0; i < ideal.length; i++) {
      Ratio port =
          Ratio.of(
              BigInteger.valueOf(reduced[i]).multiply(idealSize),
              BigInteger.valueOf(ideal[i]).multiply(size));
      worst = port.compareTo(worst) > 0 ? port : worst;
    }
    return worst;
  }

  /** Gives every port the minimum and then entry by entry to the port that it hurts least. */
  public static int[] greedy(long[] ideal, int minimum, int entries) {
    int[] reduced = new int[ideal.length];
    Arrays.fill(reduced, minimum);
    for (int n = minimum * ideal.length; n < entries; n++) {
      int best = 0;
      for (int i = 1; i < ideal.length; i++) {
        Ratio port = Ratio.of(reduced[i] + 1L, ideal[i]);
        if (port.compareTo(Ratio.of(reduced[best] + 1L, ideal[best])) < 0) {
          best = i;
        }
      }
      reduced[best]++;
    }
    return reduced;
  }

  /** Least oversubscription of any group of exactly so many entries, by trying them all. */
  public static Ratio leastOversubscription(long[] ideal, int minimum, int entries) {
    return leastFrom(ideal, minimum, 0, new int[ideal.length], entries);
  }

  private static Ratio leastFrom(long[] ideal, int minimum, int port, int[] reduced, int left) {
    if (port == ideal.length - 1) {
      reduced[port] = left;
      return left < minimum ? null : oversubscription(ideal, reduced);
    }
    Ratio least = null;
    for (reduced[port] = minimum; reduced[port] <= left; reduced[port]++) {
      Ratio rest = leastFrom(ideal, minimum, port + 1, reduced, left - reduced[port]);
      if (rest != null && (least == null || rest.compareTo(least) < 0)) {
        least = rest;
      }
    }
    return least;
  }
}
