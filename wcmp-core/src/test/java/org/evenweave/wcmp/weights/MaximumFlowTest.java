package org.evenweave.wcmp.weights;

import static org.evenweave.wcmp.weights.WeightRule.EFFECTIVE_CAPACITY;
import static org.evenweave.wcmp.weights.WeightRule.MAXIMUM_FLOW;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.topology.FatTree;

/** What {@code maxflow} promises; that tables and events keep to it, {@link RoutesTableTest}. */
class MaximumFlowTest {
  /** Two of three next hops share 10 b/s further down; each alone looks as good as the third. */
  @Example
  void nextHopsThatShareABottleneckShareItsWeight() {
    Fabric fabric = sharedBottleneck();
    int s = fabric.indexOf("s");
    int d = fabric.indexOf("d");
    assertArrayEquals(new long[] {1, 1, 1}, EFFECTIVE_CAPACITY.routes(fabric, d).weights(s));
    assertArrayEquals(new long[] {1, 1, 2}, MAXIMUM_FLOW.routes(fabric, d).weights(s));
  }

  /** A source that only reaches one of two next hops has it to itself, if the other can. */
  @Example
  void aSourceWithAChoiceLeavesItToTheOneWithout() {
    Fabric fabric = Fabrics.clos(new int[][] {{1, 1}, {1, 0}, {1, 1}});
    DestinationRoutes routes = MAXIMUM_FLOW.routes(fabric, 2);
    assertEquals(1, routes.memberCount(0));
    assertEquals(fabric.indexOf("s2-1"), fabric.to(routes.arc(0, 0)));
    assertEquals(2, EFFECTIVE_CAPACITY.routes(fabric, 2).memberCount(0));
  }

  /** No source is under it, but a packet that comes there all the same is forwarded. */
  @Example
  void aSwitchThatNoFlowPassesHasAGroupByEffectiveCapacity() {
    Fabric fabric = sharedBottleneck();
    int d = fabric.indexOf("d");
    int idle = fabric.indexOf("idle");
    assertEquals(
        EFFECTIVE_CAPACITY.routes(fabric, d).group(idle),
        MAXIMUM_FLOW.routes(fabric, d).group(idle));
    assertEquals(2, MAXIMUM_FLOW.routes(fabric, d).memberCount(idle));
  }

  private static Fabric sharedBottleneck() {
    FabricBuilder builder = new FabricBuilder();
    for (String id : new String[] {"s", "a", "b", "c", "m", "n", "d", "idle"}) {
      builder.addSwitch(id, 1, Fabric.UNLIMITED);
    }
    builder.addLink("s/1", "a/1", 10).addLink("s/2", "b/1", 10).addLink("s/3", "c/1", 10);
    builder.addLink("a/2", "m/1", 10).addLink("b/2", "m/2", 10).addLink("c/2", "n/1", 10);
    builder.addLink("m/3", "d/1", 10).addLink("n/2", "d/2", 10);
    builder.addLink("idle/1", "m/9", 10).addLink("idle/2", "n/9", 5);
    builder.addSubnet("s", Ipv4Prefix.of(10 << 24, 24));
    builder.addSubnet("d", Ipv4Prefix.of(10 << 24 | 256, 24));
    return builder.build();
  }

  @Example
  void inAFatTreeAllWeightsAreEqualAndOfOneDestinationInEachPodComputed() {
    RoutesTable table = RoutesTable.compute(FatTree.of(8, 1), MAXIMUM_FLOW);
    RoutesTable ecmp = RoutesTable.compute(FatTree.of(8, 1), WeightRule.EQUAL);
    for (int d : table.destinations()) {
      for (int s = 0; s < table.fabric().switchCount(); s++) {
        assertEquals(ecmp.to(d).group(s), table.to(d).group(s));
      }
    }
    assertEquals(8, table.classCount());
  }

  @Property(tries = 300)
  void allSourcesTogetherSendAsMuchAsALinearProgramFinds(
      @ForAll @IntRange(min = 2, max = 4) int stages, @ForAll long seed) {
    Fabric fabric = Fabrics.staged(new SplittableRandom(seed), stages);
    RoutesTable table = RoutesTable.compute(fabric, MAXIMUM_FLOW);
    for (int d : table.destinations()) {
      PlainRoutes plain = new PlainRoutes(fabric, d);
      double optimum = ConcurrentFlowProgram.mostPerSource(fabric, plain.hops);
      double bound = mostPerSource(table.to(d), fabric, plain.hops);
      assertEquals(1, bound == optimum ? 1 : bound / optimum, 1e-7);
    }
  }

  /** By the routes' weights, until the first link is full; infinite if nobody sends. */
  private static double mostPerSource(DestinationRoutes routes, Fabric fabric, int[] hops) {
    double[] amount = new double[hops.length];
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      amount[fabric.subnetSwitch(subnet)] = 1;
    }
    double most = Double.POSITIVE_INFINITY;
    for (int level = hops.length; level > 0; level--) {
      for (int s = 0; s < hops.length; s++) {
        double size = 0;
        for (int i = 0; hops[s] == level && i < routes.memberCount(s); i++) {
          size += routes.weight(s, i);
        }
        for (int i = 0; hops[s] == level && i < routes.memberCount(s); i++) {
          int arc = routes.arc(s, i);
          double flow = amount[s] * routes.weight(s, i) / size;
          amount[fabric.to(arc)] += flow;
          most = flow > 0 ? Math.min(most, fabric.capacityBps(arc) / flow) : most;
        }
      }
    }
    return most;
  }
}
