package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.topology.Topologies;

/** After any events, a table that was carried over equals a newly computed one. */
class RoutesUpdateTest {
  private static final int EVENTS = 40;

  @Property(tries = 150)
  void onAnyGraph(
      @ForAll WeightRule rule,
      @ForAll @IntRange(min = 2, max = 12) int switches,
      @ForAll @IntRange(min = 1, max = 40) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    followEvents(Fabrics.random(random, switches, links), rule, random);
  }

  @Property(tries = 100)
  void onTwoStageClosFabricsWithManyEquivalentDestinations(
      @ForAll WeightRule rule,
      @ForAll @IntRange(min = 2, max = 7) int s1,
      @ForAll @IntRange(min = 1, max = 4) int s2,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    followEvents(Fabrics.clos(Fabrics.uplinks(random, s1, s2, 1, 2)), rule, random);
  }

  @Property(tries = 15)
  void onPublishedTopologies(@ForAll WeightRule rule, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    followEvents(FatTree.of(6, 1_000_000_000L), rule, random);
    followEvents(Topologies.threeStageClos(3, 3, 2, 3, 2), rule, random);
    followEvents(Topologies.hyperX(2, 4, 3), rule, random);
    followEvents(Topologies.flattenedButterfly(4, 3), rule, random);
    followEvents(Topologies.jellyfish(16, 4, seed), rule, random);
  }

  private static void followEvents(Fabric wired, WeightRule rule, SplittableRandom random) {
    int[] destinations =
        IntStream.range(0, wired.switchCount()).filter(s -> random.nextInt(4) > 0).toArray();
    Fabric fabric = wired;
    RoutesTable table = RoutesTable.compute(fabric, rule, destinations);
    RoutesTable quick = table;
    for (int event = 0; event < EVENTS; event++) {
      fabric = afterEvent(fabric, random);
      RoutesChange change = table.update(fabric);
      assertSameAs(RoutesTable.compute(fabric, rule, destinations), change.table());
      assertReportsExactlyWhatChanged(table, change);
      table = change.table();
      quick = quick(quick, fabric, table, random.nextInt(3) == 0);
    }
  }

  /** The table after an event without its flows, and with them if they are computed. */
  private static RoutesTable quick(
      RoutesTable before, Fabric fabric, RoutesTable expected, boolean completed) {
    RoutesChange change = before.updateWithoutFlows(fabric);
    assertReportsExactlyWhatChanged(before, change);
    RoutesTable quick = change.table();
    assertLeadsNearer(quick, expected);
    if (quick.isComplete()) {
      assertSameAs(expected, quick);
    } else if (completed) {
      RoutesChange completion = quick.completed(() -> false);
      assertReportsExactlyWhatChanged(quick, completion);
      assertSameAs(expected, completion.table());
      assertTrue(completion.table().isComplete());
      assertNull(quick.completed(() -> true));
      return completion.table();
    }
    return quick;
  }

  private static void assertLeadsNearer(RoutesTable quick, RoutesTable expected) {
    Fabric fabric = quick.fabric();
    for (int d : quick.destinations()) {
      DestinationRoutes routes = quick.to(d);
      for (int s = 0; s < fabric.switchCount(); s++) {
        assertEquals(expected.to(d).hops(s), routes.hops(s));
        assertEquals(routes.hops(s) > 0, routes.memberCount(s) > 0);
        for (int i = 0; i < routes.memberCount(s); i++) {
          assertTrue(fabric.isUp(routes.arc(s, i) >> 1));
          assertEquals(routes.hops(s) - 1, routes.hops(fabric.to(routes.arc(s, i))));
        }
      }
    }
  }

  /** A link or all links of a switch go down or up, a link changes its speed, or several of it. */
  private static Fabric afterEvent(Fabric fabric, SplittableRandom random) {
    Fabric next = fabric;
    do {
      int link = random.nextInt(fabric.linkCount());
      int[] ofSwitch = fabric.linksAt(random.nextInt(fabric.switchCount()));
      switch (random.nextInt(8)) {
        case 0:
          next = next.withLinksDown(ofSwitch);
          break;
        case 1:
          next = next.withLinksUp(ofSwitch);
          break;
        case 2:
          next = next.withCapacityBps(link, (1 + random.nextInt(3)) * 1_000_000_000L);
          break;
        case 3:
        case 4:
          next = next.withLinksUp(link);
          break;
        default:
          next = next.withLinksDown(link);
      }
    } while (random.nextInt(4) == 0);
    return next;
  }

  private static void assertSameAs(RoutesTable expected, RoutesTable actual) {
    for (int d : expected.destinations()) {
      for (int s = 0; s < expected.fabric().switchCount(); s++) {
        assertEquals(expected.to(d).hops(s), actual.to(d).hops(s));
        assertEquals(expected.to(d).group(s), actual.to(d).group(s));
      }
    }
    assertEquals(expected.classCount(), actual.classCount());
  }

  private static void assertReportsExactlyWhatChanged(RoutesTable before, RoutesChange change) {
    Set<String> expected = new TreeSet<>();
    for (int d : before.destinations()) {
      for (int s = 0; s < before.fabric().switchCount(); s++) {
        if (!before.to(d).group(s).equals(change.table().to(d).group(s))) {
          expected.add(s + " towards " + d);
        }
      }
    }
    Set<String> reported = new TreeSet<>();
    change.forEach((s, d) -> assertTrue(reported.add(s + " towards " + d), "reported twice"));
    assertEquals(expected, reported);
    assertEquals(expected.isEmpty(), change.isEmpty());
  }

  @Example
  void whenEverythingIsUpAgainEquivalentDestinationsShareAgain() {
    Fabric fabric = FatTree.of(6, 1);
    RoutesTable table = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    RoutesTable broken = table.update(fabric.withLinksDown(0)).table();
    assertEquals(6, table.classCount());
    assertEquals(7, broken.classCount());
    assertEquals(6, broken.update(fabric).table().classCount());
  }

  /** An edge switch of a fat-tree that lost one of three uplinks. */
  @Example
  void oneLinkDownTouchesTheGroupsThatUsedItAndNoOther() {
    Fabric fabric = FatTree.of(6, 1);
    RoutesTable table = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    int edge = fabric.indexOf("edge-0-0");
    int otherEdge = fabric.indexOf("edge-0-1");
    RoutesChange change = table.update(fabric.withLinksDown(0));
    // Towards any other edge switch, the edge switch itself chooses among fewer uplinks.
    assertEquals(1, change.switchesTowards(otherEdge).length);
    assertEquals(edge, change.switchesTowards(otherEdge)[0]);
    // Towards it: 15 edge switches of other pods and 2 of its own no longer use (pod 0, agg 0), 5
    // aggregation switches of other pods no longer go through it, and it itself goes through its
    // other edge switches. The core switches still have no other way into the pod.
    assertEquals(15 + 2 + 5 + 1, change.switchesTowards(edge).length);
  }

  @Example
  void anotherWiringIsRefused() {
    RoutesTable table = RoutesTable.compute(Fabrics.figure32(), WeightRule.EFFECTIVE_CAPACITY);
    assertThrows(IllegalArgumentException.class, () -> table.update(Fabrics.figure32()));
  }
}
