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

  static Apportionment apportionment(long[] ideal, int minNextHops) {
    WeightVector weights = WeightVector.of(ideal);
    return new Apportionment(weights, GuaranteedPorts.atLeast(weights, minNextHops));
  }

  static SizeSearch search(long[] ideal, int minNextHops) {
    WeightVector weights = WeightVector.of(ideal);
    return new SizeSearch(weights, GuaranteedPorts.atLeast(weights, minNextHops));
  }

  /** One entry for each of so many ports, the largest, the first of equals. */
  public static int[] guaranteed(long[] ideal, int minNextHops) {
    int[] least = new int[ideal.length];
    for (int n = 0; n < Math.min(minNextHops, ideal.length); n++) {
      int largest = -1;
      for (int i = 0; i < ideal.length; i++) {
        boolean isLarger = largest < 0 || ideal[i] > ideal[largest];
        largest = least[i] == 0 && isLarger ? i : largest;
      }
      least[largest] = 1;
    }
    return least;
  }

  /**
   * Gives the guaranteed entries and then entry by entry to the port that it hurts least; the same
   * once more, if ports are left out that could have an entry at that oversubscription, with
   * guarantees for these.
   */
  public static int[] greedy(long[] ideal, int minNextHops, int entries) {
    int[] reduced = greedyFrom(ideal, guaranteed(ideal, minNextHops), entries);
    if (minNextHops >= ideal.length) {
      return reduced;
    }
    Ratio limit = oversubscription(ideal, reduced);
    int more = 0;
    for (int i = 0; i < ideal.length; i++) {
      Ratio one =
          Ratio.of(
              Arrays.stream(ideal)
                  .mapToObj(BigInteger::valueOf)
                  .reduce(BigInteger.ZERO, BigInteger::add),
              BigInteger.valueOf(ideal[i]).multiply(BigInteger.valueOf(entries)));
      more += reduced[i] > 0 || one.compareTo(limit) <= 0 ? 1 : 0;
    }
    return greedyFrom(ideal, guaranteed(ideal, Math.min(more, entries)), entries);
  }

  private static int[] greedyFrom(long[] ideal, int[] least, int entries) {
    int[] reduced = least.clone();
    for (int n = sum(least); n < entries; n++) {
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
  public static Ratio leastOversubscription(long[] ideal, int minNextHops, int entries) {
    return oversubscription(ideal, best(ideal, minNextHops, entries));
  }

  /**
   * The group of exactly so many entries of the least oversubscription, then of the most ports,
   * then of the most of the capacity, by trying all that have at least so many ports.
   */
  public static int[] best(long[] ideal, int minNextHops, int entries) {
    int[][] best = new int[1][];
    tryAll(ideal, Math.min(minNextHops, ideal.length), 0, new int[ideal.length], entries, best);
    return best[0];
  }

  private static void tryAll(
      long[] ideal, int ports, int port, int[] reduced, int left, int[][] best) {
    if (port == ideal.length - 1) {
      reduced[port] = left;
      boolean isAllowed = IntStream.of(reduced).filter(y -> y > 0).count() >= ports;
      if (isAllowed && (best[0] == null || isBetter(ideal, reduced, best[0]))) {
        best[0] = reduced.clone();
      }
      return;
    }
    for (reduced[port] = 0; reduced[port] <= left; reduced[port]++) {
      tryAll(ideal, ports, port + 1, reduced, left - reduced[port], best);
    }
  }

  /** Whether a group is better by oversubscription, ports or capacity kept. */
  public static boolean isBetter(long[] ideal, int[] reduced, int[] other) {
    int order = oversubscription(ideal, reduced).compareTo(oversubscription(ideal, other));
    order = order != 0 ? order : Integer.compare(ports(other), ports(reduced));
    return order != 0 ? order < 0 : kept(ideal, reduced) > kept(ideal, other);
  }

  public static int ports(int[] reduced) {
    return (int) IntStream.of(reduced).filter(y -> y > 0).count();
  }

  /** The capacity of the ports that are not left out. */
  public static long kept(long[] ideal, int[] reduced) {
    return IntStream.range(0, ideal.length)
        .filter(i -> reduced[i] > 0)
        .mapToLong(i -> ideal[i])
        .sum();
  }
}
