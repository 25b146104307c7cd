package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Cuts that are guessed, and what is proven of them, against maximum flows. */
class GreedyCutsTest {
  /** Links and supplies, on which everything that is sent can arrive. */
  private static final class Problem {
    final int[] from;
    final int[] to;
    final BigInteger[] there;
    final BigInteger[] back;
    final BigInteger[] supply;

    /**
     * A ring of links that carry either way, so that there are paths, and others, of which some
     * carry one way only.
     *
     * @param capacities one of these on each link
     */
    Problem(SplittableRandom random, int nodes, int others, int senders, long... capacities) {
      int links = nodes + others;
      from = new int[links];
      to = new int[links];
      there = new BigInteger[links];
      back = new BigInteger[links];
      for (int l = 0; l < links; l++) {
        from[l] = l < nodes ? l : random.nextInt(nodes);
        to[l] = l < nodes ? (l + 1) % nodes : (from[l] + 1 + random.nextInt(nodes - 1)) % nodes;
        there[l] = BigInteger.valueOf(capacities[random.nextInt(capacities.length)]);
        back[l] = l >= nodes && random.nextInt(3) == 0 ? BigInteger.ZERO : there[l];
      }
      supply = new BigInteger[nodes];
      Arrays.fill(supply, BigInteger.ZERO);
      for (int i = 0; i < senders; i++) {
        BigInteger amount = BigInteger.valueOf(1 + random.nextInt(4));
        int sender = random.nextInt(nodes);
        int receiver = (sender + 1 + random.nextInt(nodes - 1)) % nodes;
        supply[sender] = supply[sender].add(amount);
        supply[receiver] = supply[receiver].subtract(amount);
      }
    }

    OpenNetwork network() {
      return new OpenNetwork(from, to, doubles(there), doubles(back), doubles(supply));
    }

    private static double[] doubles(BigInteger[] integers) {
      return Arrays.stream(integers).mapToDouble(BigInteger::doubleValue).toArray();
    }

    /** Null if it is not proven. */
    EvenFlow proven(OpenNetwork cuts) {
      return ProvenCuts.of(cuts, there, back, supply);
    }

    /** Null if it is not found, or not proven. */
    EvenFlow guessed() {
      OpenNetwork network = network();
      return new GreedyCuts(network).find() ? proven(network) : null;
    }

    EvenFlow byParts() {
      return new FlowByParts(from, to, there, back, supply);
    }

    void assertSame(EvenFlow expected, EvenFlow flow) {
      assertEquals(expected.highestUtilisation(), flow.highestUtilisation());
      for (int l = 0; l < from.length; l++) {
        assertEquals(expected.utilisation(l), flow.utilisation(l));
        assertEquals(expected.isUsed(l), flow.isUsed(l));
        if (flow.isUsed(l)) {
          assertEquals(expected.isReversed(l), flow.isReversed(l));
        }
      }
      int[] used = IntStream.range(0, from.length).filter(flow::isUsed).toArray();
      assertArrayEquals(
          IdealWeights.inLowestTerms(expected.carried(used)),
          IdealWeights.inLowestTerms(flow.carried(used)));
    }
  }

  @Property(tries = 500)
  void whatIsProvenIsTheFlowThatMaximumFlowsFind(
      @ForAll @IntRange(min = 2, max = 20) int nodes,
      @ForAll @IntRange(max = 60) int others,
      @ForAll @IntRange(min = 1, max = 5) int senders,
      @ForAll long seed) {
    Problem problem = new Problem(new SplittableRandom(seed), nodes, others, senders, 1, 2, 3, 4);
    EvenFlow guessed = problem.guessed();
    if (guessed != null) {
      problem.assertSame(problem.byParts(), guessed);
    }
  }

  /** Ties, and ratios that doubles cannot tell apart. */
  @Property(tries = 200)
  void equalAndNearlyEqualCapacitiesChangeNothing(
      @ForAll @IntRange(min = 2, max = 12) int nodes,
      @ForAll @IntRange(max = 30) int others,
      @ForAll boolean equal,
      @ForAll long seed) {
    long[] capacities = equal ? new long[] {1} : new long[] {100_000_000_000_000L, 1, 99_999_999L};
    Problem problem = new Problem(new SplittableRandom(seed), nodes, others, 2, capacities);
    EvenFlow guessed = problem.guessed();
    if (guessed != null) {
      problem.assertSame(problem.byParts(), guessed);
    }
  }

  /** A case of the property above in which doubles leave amounts that do not sum to 0. */
  @Example
  void maximumFlowsEndAlsoWhereDoublesHaveDecidedWrongly() {
    equalAndNearlyEqualCapacitiesChangeNothing(11, 5, false, -4523971611247423563L);
  }

  /** Sets that no search would choose, in any order. */
  @Property(tries = 500)
  void noProofOfAnotherFlowSucceeds(
      @ForAll @IntRange(min = 2, max = 7) int nodes,
      @ForAll @IntRange(max = 6) int others,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Problem problem = new Problem(random, nodes, others, 1, 1, 2);
    OpenNetwork network = problem.network();
    for (int cut = 0; cut < 2 * nodes; cut++) {
      int[] set = IntStream.range(0, nodes).filter(n -> random.nextInt(3) == 0).toArray();
      boolean[] isMember = new boolean[nodes];
      double sent = 0;
      for (int n : set) {
        isMember[n] = true;
        sent += network.supply[n];
      }
      double capacity = 0;
      for (int l = 0; l < problem.from.length; l++) {
        if (!network.closed[l] && isMember[problem.from[l]] != isMember[problem.to[l]]) {
          boolean outward = isMember[problem.from[l]] == sent > 0;
          capacity += (outward ? problem.there[l] : problem.back[l]).doubleValue();
        }
      }
      if (Math.abs(sent) > 1e-9 && capacity > 0) {
        int sign = sent > 0 ? 1 : -1;
        network.close(set, set.length, isMember, sign, sign * sent / capacity);
      }
    }
    EvenFlow proven = problem.proven(network);
    if (proven != null) {
      problem.assertSame(problem.byParts(), proven);
    }
  }

  @Property(tries = 100)
  void takingCutsBackRestoresTheNetwork(
      @ForAll @IntRange(min = 3, max = 12) int nodes, @ForAll long seed) {
    Problem problem = new Problem(new SplittableRandom(seed), nodes, nodes, 2, 1, 2, 3);
    OpenNetwork network = problem.network();
    double[] supply = network.supply.clone();
    double[] out = network.out.clone();
    double[] ratio = network.ratio.clone();
    int[] end = network.end.clone();
    new GreedyCuts(network).find();
    while (network.cuts() > 0) {
      network.reopen();
    }
    assertArrayEquals(supply, network.supply);
    assertArrayEquals(out, network.out);
    assertArrayEquals(ratio, network.ratio);
    assertArrayEquals(end, network.end);
    for (int n = 0; n < nodes; n++) {
      int tail = n;
      assertTrue(
          Arrays.stream(network.arcAt, network.first[n], network.end[n])
              .allMatch(arc -> network.head[arc ^ 1] == tail));
    }
    for (boolean closed : network.closed) {
      assertTrue(!closed);
    }
  }

  /** The quick way is of use only if it is taken nearly always; with this seed it is. */
  @Example
  void inARandomGraphNearlyAllPairsAreGuessed() {
    SplittableRandom random = new SplittableRandom(1);
    int guessed = 0;
    for (int i = 0; i < 400; i++) {
      guessed += new Problem(random, 60, 240, 1, 1, 2, 3, 4).guessed() == null ? 0 : 1;
    }
    assertTrue(guessed >= 398, guessed + " of 400");
  }
}
