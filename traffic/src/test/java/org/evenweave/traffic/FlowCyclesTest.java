package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabrics;

class FlowCyclesTest {
  /** Whole numbers, so that sums are exact. */
  @Property(tries = 300)
  void whatIsLeftHasNoCycleAndTheSameSupplies(
      @ForAll @IntRange(min = 2, max = 9) int switches,
      @ForAll @IntRange(max = 24) int count,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Links links = new Links(Fabrics.random(random, switches, count));
    double[] before = random.ints(links.count, 0, 6).asDoubleStream().toArray();
    double[] after = before.clone();
    FlowCycles.cancel(links, after, 0);
    double[] supply = new double[switches];
    for (int edge = 0; edge < links.count; edge++) {
      assertTrue(after[edge] >= 0 && after[edge] <= before[edge]);
      supply[links.from[edge]] += before[edge] - after[edge];
      supply[links.to[edge]] -= before[edge] - after[edge];
    }
    for (double unbalanced : supply) {
      assertEquals(0.0, unbalanced);
    }
    assertTrue(canBePeeled(links, after), "a cycle is left");
  }

  /**
   * A graph is free of cycles if edges into nodes without a way out can be removed until none is.
   */
  private static boolean canBePeeled(Links links, double[] flow) {
    double[] left = flow.clone();
    for (boolean removed = true; removed; ) {
      removed = false;
      for (int edge = 0; edge < links.count; edge++) {
        boolean deadEnd = true;
        for (int next : links.out[links.to[edge]]) {
          deadEnd &= left[next] == 0;
        }
        if (left[edge] > 0 && deadEnd) {
          left[edge] = 0;
          removed = true;
        }
      }
    }
    return Arrays.stream(left).allMatch(x -> x == 0);
  }

  @Property(tries = 20)
  void noiseIsRemoved(@ForAll long seed) {
    Links links = new Links(Fabrics.random(new SplittableRandom(seed), 4, 6));
    double[] flow = new double[links.count];
    flow[0] = 1e-9;
    flow[1] = 1;
    FlowCycles.cancel(links, flow, 1e-8);
    assertEquals(0.0, flow[0]);
    assertEquals(1.0, flow[1]);
  }
}
