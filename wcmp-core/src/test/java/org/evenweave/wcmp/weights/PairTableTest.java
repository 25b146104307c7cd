package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.topology.FatTree;

class PairTableTest {
  private static final int EVENTS = 12;

  private static PairTable of(Fabric fabric) {
    return PairTable.compute(RoutesTable.compute(fabric, WeightRule.PAIR));
  }

  private static List<List<PairGroup>> groups(Fabric fabric, PairTable table) {
    List<List<PairGroup>> all = new ArrayList<>();
    IntStream.range(0, fabric.switchCount()).forEach(s -> all.add(table.at(s)));
    return all;
  }

  /** What a pair's packets meet, its own groups or the destination's, is its maximum flow. */
  @Property(tries = 150)
  void everyPairHasTheGroupsOfItsMaximumFlow(
      @ForAll @IntRange(min = 2, max = 4) int stages, @ForAll long seed) {
    Fabric fabric = Fabrics.staged(new SplittableRandom(seed), stages);
    RoutesTable routes = RoutesTable.compute(fabric, WeightRule.PAIR);
    PairTable table = PairTable.compute(routes);
    for (int source : routes.destinations()) {
      for (int destination : routes.destinations()) {
        if (source == destination || routes.to(destination).hops(source) < 0) {
          continue;
        }
        DestinationRoutes wanted =
            PairRule.SHORTEST_PATHS.routes(fabric, source, destination).routes();
        for (int s = 0; s < fabric.switchCount(); s++) {
          if (wanted.memberCount(s) > 0) {
            assertEquals(wanted.group(s), group(table, routes, s, source, destination));
          }
        }
      }
    }
  }

  private static IdealGroup group(
      PairTable table, RoutesTable routes, int s, int source, int destination) {
    return table.at(s).stream()
        .filter(pair -> pair.source() == source && pair.destination() == destination)
        .map(PairGroup::group)
        .findFirst()
        .orElse(routes.to(destination).group(s));
  }

  /** Some flows are still outstanding from one event when the next comes. */
  @Property(tries = 150)
  void afterAnyEventsItIsTheTableComputedAnewOnceCompleted(
      @ForAll @IntRange(min = 2, max = 4) int stages, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric wired = Fabrics.staged(random, stages);
    RoutesTable routes = RoutesTable.compute(wired, WeightRule.PAIR);
    PairTable table = random.nextBoolean() ? of(wired) : PairTable.outstanding(routes);
    for (int event = 0; event < EVENTS; event++) {
      int[] down =
          IntStream.range(0, wired.linkCount()).filter(link -> random.nextInt(6) == 0).toArray();
      Fabric now = wired.withLinksDown(down);
      routes = routes.update(now).table();
      table = table.update(routes);
      assertEveryGroupLeadsNearer(routes, table);
      PairTable completed = table.completed(() -> false);
      assertTrue(completed.isComplete());
      assertEquals(groups(now, of(now)), groups(now, completed));
      table = random.nextBoolean() ? completed : table;
    }
  }

  /** The same switches and links in another order, less one switch, plus one. */
  @Property(tries = 150)
  void inAnotherNumberingPairsKeepTheGroupsThatAreStillRight(
      @ForAll @IntRange(min = 2, max = 4) int stages, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric before = Fabrics.staged(random, stages);
    int gone = random.nextInt(2 * before.switchCount());
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("new", 1, Fabric.UNLIMITED);
    builder.addSubnet("new", Ipv4Prefix.parse("10.1.0.0/24"));
    for (int s = before.switchCount() - 1; s >= 0; s--) {
      if (s != gone) {
        builder.addSwitch(before.switchId(s), before.stage(s), Fabric.UNLIMITED);
      }
    }
    for (int link = before.linkCount() - 1; link >= 0; link--) {
      if (before.from(2 * link) != gone && before.to(2 * link) != gone) {
        SwitchPort a = before.end(2 * link);
        builder.addLink(a, before.end(2 * link + 1), before.capacityBps(2 * link));
      }
    }
    for (int i = 0; i < before.subnetCount(); i++) {
      if (before.subnetSwitch(i) != gone) {
        builder.addSubnet(before.switchId(before.subnetSwitch(i)), before.subnetPrefix(i));
      }
    }
    Fabric after = builder.build();
    RoutesTable routes = RoutesTable.compute(after, WeightRule.PAIR);
    PairTable table = of(before);
    PairTable carried = table.carriedOver(routes);
    assertEveryGroupLeadsNearer(routes, carried);
    if (gone >= before.switchCount()) {
      assertEquals(table.count(), carried.count());
    }
    assertEquals(groups(after, of(after)), groups(after, carried.completed(() -> false)));
  }

  private static void assertEveryGroupLeadsNearer(RoutesTable routes, PairTable table) {
    Fabric fabric = routes.fabric();
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (PairGroup pair : table.at(s)) {
        DestinationRoutes to = routes.to(pair.destination());
        for (int i = 0; i < pair.group().memberCount(); i++) {
          int arc = pair.group().arc(i);
          assertTrue(fabric.isUp(arc / 2), pair + " over a link that is down");
          assertEquals(to.hops(s) - 1, to.hops(fabric.to(arc)), pair.toString());
        }
      }
    }
  }

  /** From p to d by t's port 5 alone, where the group for d has port 4 too. */
  @Example
  void aPairKeepsItsGroupUntilALinkOfItGoesDown() {
    Fabric fabric = Fabrics.sharedBottleneck();
    RoutesTable routes = RoutesTable.compute(fabric, WeightRule.PAIR);
    PairTable table = PairTable.compute(routes);
    int t = fabric.indexOf("t");
    assertEquals(1, table.at(t).size());
    int usedArc = table.at(t).get(0).group().arc(0);
    for (int i = 0; i < fabric.outDegree(t); i++) {
      int arc = fabric.outArc(t, i);
      RoutesTable next = routes.update(fabric.withLinksDown(arc / 2)).table();
      PairTable after = table.update(next);
      assertEquals(arc == usedArc ? List.of() : table.at(t), after.at(t));
      assertFalse(after.isComplete() && arc == usedArc);
    }
  }

  @Example
  void whatNobodyWantsAnyMoreIsGivenUp() {
    Fabric fabric = Fabrics.sharedBottleneck();
    PairTable table = PairTable.outstanding(RoutesTable.compute(fabric, WeightRule.PAIR));
    assertNull(table.completed(() -> true));
    assertFalse(table.isComplete());
    assertEquals(2, table.completed(() -> false).count());
  }

  @Example
  void inTwoStagesAndInAWholeFatTreeNoPairNeedsAGroup() {
    assertEquals(0, of(Fabrics.figure32()).count());
    assertEquals(0, of(FatTree.of(4, 1_000_000_000L)).count());
  }

  @Property(tries = 50)
  void withoutADestinationItHasAllOtherPairs(@ForAll long seed) {
    Fabric fabric = Fabrics.staged(new SplittableRandom(seed), 4);
    PairTable table = of(fabric);
    PairTable less = table.without(Set.of(0));
    for (int s = 0; s < fabric.switchCount(); s++) {
      List<PairGroup> left = new ArrayList<>(table.at(s));
      left.removeIf(pair -> pair.destination() == 0);
      assertEquals(left, less.at(s));
    }
  }

  @Example
  void withTooManySwitchesNoPairHasAGroup() {
    int[][] uplinks = new int[PairTable.MOST_SWITCHES + 1][1];
    for (int[] row : uplinks) {
      row[0] = 1;
    }
    PairTable table = of(Fabrics.clos(uplinks));
    assertTrue(table.isTooLarge());
    assertEquals(0, table.count());
  }
}
