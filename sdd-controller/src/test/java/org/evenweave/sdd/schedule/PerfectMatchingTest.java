package org.evenweave.sdd.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PerfectMatchingTest {
  /** Kuhn's algorithm as in textbooks, from nothing. */
  private static boolean hasPerfectMatching(boolean[][] edges) {
    int[] sourceOf = new int[edges.length];
    Arrays.fill(sourceOf, -1);
    for (int source = 0; source < edges.length; source++) {
      if (!augments(edges, source, sourceOf, new boolean[edges.length])) {
        return false;
      }
    }
    return true;
  }

  private static boolean augments(boolean[][] edges, int source, int[] sourceOf, boolean[] seen) {
    for (int to = 0; to < edges.length; to++) {
      if (edges[source][to] && !seen[to]) {
        seen[to] = true;
        if (sourceOf[to] < 0 || augments(edges, sourceOf[to], sourceOf, seen)) {
          sourceOf[to] = source;
          return true;
        }
      }
    }
    return false;
  }

  /** Sizes around the words' 64 bits; edges come and go. */
  @Property(tries = 300)
  void isFoundExactlyIfThereIsOneWhateverEdgesCameAndWent(
      @ForAll @IntRange(min = 1, max = 130) int hosts,
      @ForAll @IntRange(min = 1, max = 4) int edgesPerHost,
      @ForAll long seed) {
    Random random = new Random(seed);
    PerfectMatching matching = new PerfectMatching(hosts);
    boolean[][] edges = new boolean[hosts][hosts];
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < hosts * edgesPerHost; i++) {
        int from = random.nextInt(hosts);
        int to = random.nextInt(hosts);
        edges[from][to] = random.nextInt(4) > 0;
        if (edges[from][to]) {
          matching.add(from, to);
        } else {
          matching.remove(from, to);
        }
      }
      // Some graphs with a perfect matching for sure.
      if (round % 2 == 1) {
        for (int from = 0; from < hosts; from++) {
          matching.add(from, (from + round) % hosts);
          edges[from][(from + round) % hosts] = true;
        }
      }
      boolean complete = matching.complete();
      assertEquals(hasPerfectMatching(edges), complete);
      if (complete) {
        int[] destinations = matching.destinations();
        assertEquals(hosts, Arrays.stream(destinations).distinct().count());
        for (int from = 0; from < hosts; from++) {
          assertTrue(edges[from][destinations[from]]);
        }
      }
    }
  }
}
