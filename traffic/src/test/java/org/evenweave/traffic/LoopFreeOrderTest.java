package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.topology.Topologies;
import org.evenweave.wcmp.weights.WeightRule;

class LoopFreeOrderTest {
  @Property(tries = 300)
  void allowedEdgesLeadDownWithinTheLimitAndEverySwitchKeepsAShortestPath(
      @ForAll @IntRange(min = 2, max = 9) int switches,
      @ForAll @IntRange(max = 24) int count,
      @ForAll @IntRange(min = 2, max = 8) int halfStretches,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, count);
    Links links = new Links(fabric);
    Target target = target(fabric, halfStretches);
    double[] flow = random.doubles(links.count).map(x -> random.nextInt(3) == 0 ? x : 0).toArray();
    LoopFreeOrder order = new LoopFreeOrder(links, target, flow);
    boolean allFlowAllowed = true;
    for (int s = 0; s < switches; s++) {
      int hops = target.wcmp.hops(s);
      assertTrue(order.height(s) <= target.hopLimit[s]);
      boolean keepsShortestPath = hops <= 0;
      for (int edge : links.out[s]) {
        assertTrue(!order.allows(edge) || order.height(links.to[edge]) < order.height(s));
        keepsShortestPath |= target.isShortest(edge) && order.allows(edge);
        allFlowAllowed &= flow[edge] == 0 || !target.isUsable(edge) || order.allows(edge);
      }
      assertTrue(keepsShortestPath);
    }
    assertEquals(allFlowAllowed, order.flowFits());
  }

  @Property(tries = 100)
  void withoutStretchItIsTheShortestPathGraph(
      @ForAll @IntRange(min = 2, max = 9) int switches,
      @ForAll @IntRange(max = 24) int count,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, count);
    Links links = new Links(fabric);
    Target target = target(fabric, 2);
    LoopFreeOrder order = new LoopFreeOrder(links, target, new double[links.count]);
    for (int edge = 0; edge < links.count; edge++) {
      assertEquals(target.isShortest(edge), order.allows(edge));
    }
  }

  /** In a full mesh with stretch 2, a detour takes two links: what goes around cannot go on. */
  @Example
  void aDetourThatWouldCloseACircleIsRefused() {
    Fabric mesh = Topologies.hyperX(1, 4);
    Links links = new Links(mesh);
    Target target = target(mesh, 4);
    double[] flow = new double[links.count];
    flow[edge(links, 1, 2)] = 2;
    assertTrue(new LoopFreeOrder(links, target, flow).flowFits());
    flow[edge(links, 2, 1)] = 1;
    LoopFreeOrder order = new LoopFreeOrder(links, target, flow);
    assertFalse(order.flowFits());
    assertTrue(order.allows(edge(links, 1, 2)));
    assertFalse(order.allows(edge(links, 2, 1)));
    assertEquals(2, order.height(1));
    assertEquals(1, order.height(2));
  }

  private static int edge(Links links, int from, int to) {
    return Arrays.stream(links.out[from]).filter(e -> links.to[e] == to).findFirst().getAsInt();
  }

  private static Target target(Fabric fabric, int halfStretches) {
    return new Target(
        new Links(fabric),
        WeightRule.EFFECTIVE_CAPACITY.routes(fabric, 0),
        new double[fabric.switchCount()],
        TrafficOptions.DEFAULT.withMaxStretch(Ratio.of(halfStretches, 2)));
  }
}
