package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Ratios that are kept up to date, against ratios computed link by link. */
class FoundSetsTest {
  private static final int CHANGES = 60;

  /** Sums of the same small integers and fractions in another order. */
  private static final double NEAR = 1e-9;

  @Property(tries = 200)
  void theBestSetIsKnownAfterEveryChange(
      @ForAll @IntRange(min = 3, max = 10) int nodes,
      @ForAll @IntRange(min = 1, max = 40) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    OpenNetwork network = network(random, nodes, links);
    FoundSets found = new FoundSets(network);
    List<int[]> added = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      int[] set = IntStream.range(0, nodes).filter(n -> random.nextInt(3) == 0).toArray();
      int kind = random.nextInt(3);
      if (kind == 0 && added.size() < 8) { // As many as are remembered for certain.
        found.add(set, set.length);
        added.add(set);
      } else if (kind == 1 && network.cuts() > 0) {
        found.reopening();
        network.reopen();
      } else {
        boolean[] isMember = new boolean[nodes];
        Arrays.stream(set).forEach(n -> isMember[n] = true);
        network.close(set, set.length, isMember, random.nextBoolean() ? 1 : -1, 0.125);
        found.closed();
      }
      int best = found.best(0);
      double highest =
          added.stream()
              .filter(other -> other.length != 1)
              .mapToDouble(other -> ratio(network, other))
              .max()
              .orElse(0);
      if (highest <= 0) {
        assertEquals(-1, best);
      } else {
        assertEquals(highest, ratio(network, members(found, best)), NEAR * highest);
      }
    }
  }

  private static OpenNetwork network(SplittableRandom random, int nodes, int links) {
    int[] from = new int[links];
    int[] to = new int[links];
    double[] there = new double[links];
    double[] back = new double[links];
    for (int l = 0; l < links; l++) {
      from[l] = random.nextInt(nodes);
      to[l] = (from[l] + 1 + random.nextInt(nodes - 1)) % nodes;
      there[l] = 1 + random.nextInt(4);
      back[l] = random.nextInt(3) == 0 ? 0 : there[l];
    }
    double[] supply = new double[nodes];
    supply[0] = 1;
    supply[1] = -1;
    return new OpenNetwork(from, to, there, back, supply);
  }

  private static int[] members(FoundSets found, int set) {
    return Arrays.copyOf(found.members(set), found.size(set));
  }

  private static double ratio(OpenNetwork network, int[] set) {
    double supply = Arrays.stream(set).mapToDouble(n -> network.supply[n]).sum();
    double magnitude = Arrays.stream(set).mapToDouble(n -> network.moved[n]).sum();
    double capacity = 0;
    for (int l = 0; l < network.from.length; l++) {
      int from = network.from[l];
      int to = network.to[l];
      boolean isOut = Arrays.stream(set).anyMatch(n -> n == from);
      if (!network.closed[l] && isOut != Arrays.stream(set).anyMatch(n -> n == to)) {
        capacity += network.capacity[isOut == supply > 0 ? 2 * l : 2 * l + 1];
      }
    }
    return OpenNetwork.ratio(Math.abs(supply), magnitude, capacity);
  }
}
