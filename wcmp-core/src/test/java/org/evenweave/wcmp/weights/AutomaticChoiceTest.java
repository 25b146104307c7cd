package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.topology.FatTree;

class AutomaticChoiceTest {
  @Example
  void twoStagesAreWeighedByEffectiveCapacityWhateverIsDown() {
    Fabric fabric = Fabrics.figure32();
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, WeightRule.AUTOMATIC.in(fabric));
    Fabric broken = fabric.withLinksDown(fabric.linksAt(fabric.indexOf("s2-0")));
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, WeightRule.AUTOMATIC.in(broken));
    RoutesTable table = RoutesTable.compute(fabric, WeightRule.AUTOMATIC);
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, table.rule());
    assertEquals(WeightRule.AUTOMATIC, table.asked());
  }

  @Example
  void threeStagesAreWeighedByFlow() {
    AutomaticChoice choice = AutomaticChoice.of(FatTree.of(4, 1));
    assertEquals(WeightRule.MAXIMUM_FLOW, choice.rule());
    assertEquals(
        "edge-0-0 and edge-1-0 are more than two links apart, so next hops may share links further"
            + " on",
        choice.reason());
  }

  @Example
  void flowsOfVeryLargeFabricsHaveToBeAskedFor() {
    AutomaticChoice choice = AutomaticChoice.of(FatTree.of(40, 1));
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, choice.rule());
    assertTrue(choice.reason().contains("40 classes of destinations over 32000 links"));
  }

  /** As while a fabric is discovered. */
  @Example
  void partsWithoutAPathBetweenThemDoNotCount() {
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < 4; s++) {
      builder.addSwitch("s" + s, 1, Fabric.UNLIMITED);
      builder.addSubnet("s" + s, Ipv4Prefix.of(10 << 24 | s << 8, 24));
    }
    builder.addLink("s0/1", "s1/1", 1).addLink("s2/1", "s3/1", 1);
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, WeightRule.AUTOMATIC.in(builder.build()));
  }

  /** The slow model: distances by routes. */
  @Property(tries = 200)
  void flowsAreUsedIfAndOnlyIfSwitchesAreMoreThanTwoLinksApart(
      @ForAll @IntRange(min = 2, max = 10) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    TreeSet<Integer> ends = new TreeSet<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      ends.add(fabric.subnetSwitch(subnet));
    }
    boolean isFar = false;
    for (int to : ends) {
      DestinationRoutes routes = WeightRule.EQUAL.routes(fabric, to);
      isFar |= ends.stream().anyMatch(from -> routes.hops(from) > 2);
    }
    assertEquals(
        isFar ? WeightRule.MAXIMUM_FLOW : WeightRule.EFFECTIVE_CAPACITY,
        WeightRule.AUTOMATIC.in(fabric));
  }
}
