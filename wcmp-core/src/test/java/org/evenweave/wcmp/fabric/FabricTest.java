package org.evenweave.wcmp.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class FabricTest {
  @Test
  void figure32HasTheLinksOfThePaper() {
    Fabric fabric = Fabrics.figure32();
    assertEquals("6 switches, 12 links, 3 subnets", fabric.toString());
    int s10 = fabric.indexOf("s1-0");
    assertEquals(4, fabric.outDegree(s10));
    assertEquals("s2-0", fabric.switchId(fabric.to(fabric.outArc(s10, 1))));
    assertEquals("s1-0/1-s2-0/1", fabric.linkName(0));
    assertEquals(-1, fabric.indexOf("s9-9"));
  }

  @Property
  void arcsOfASwitchLeaveItInPortOrderAndEveryArcIsListedOnce(
      @ForAll @IntRange(min = 2, max = 12) int switches,
      @ForAll @IntRange(max = 40) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    boolean[] seen = new boolean[fabric.arcCount()];
    for (int s = 0; s < fabric.switchCount(); s++) {
      int previousPort = 0;
      for (int i = 0; i < fabric.outDegree(s); i++) {
        int arc = fabric.outArc(s, i);
        assertEquals(s, fabric.from(arc));
        assertEquals(s, fabric.to(arc ^ 1));
        assertTrue(fabric.port(arc) > previousPort);
        previousPort = fabric.port(arc);
        assertTrue(!seen[arc]);
        seen[arc] = true;
      }
    }
    for (boolean arcSeen : seen) {
      assertTrue(arcSeen);
    }
  }

  @Property(tries = 200)
  void eventsKeepTheNumberingAndHideWhatIsDown(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric wired = Fabrics.random(random, switches, links);
    Fabric fabric = wired;
    BitSet down = new BitSet();
    long[] capacityBps =
        IntStream.range(0, links).mapToLong(l -> wired.capacityBps(2 * l)).toArray();
    for (int event = 0; event < 20; event++) {
      Fabric before = fabric;
      BitSet downBefore = (BitSet) down.clone();
      long[] capacityBpsBefore = capacityBps.clone();
      int link = random.nextInt(links);
      int kind = random.nextInt(3);
      if (kind == 0) {
        fabric = fabric.withLinksDown(link);
        down.set(link);
      } else if (kind == 1) {
        fabric = fabric.withLinksUp(link);
        down.clear(link);
      } else {
        capacityBps[link] = 1L + random.nextInt(2);
        fabric = fabric.withCapacityBps(link, capacityBps[link]);
      }
      assertShows(fabric, wired, down, capacityBps);
      assertShows(before, wired, downBefore, capacityBpsBefore);
      assertArrayEquals(
          IntStream.range(0, links)
              .filter(
                  l ->
                      down.get(l) != downBefore.get(l)
                          || (!down.get(l) && capacityBps[l] != capacityBpsBefore[l]))
              .toArray(),
          fabric.linksChangedSince(before));
    }
  }

  private static void assertShows(Fabric fabric, Fabric wired, BitSet down, long[] capacityBps) {
    assertTrue(fabric.hasNumberingOf(wired));
    assertEquals(wired.linkCount(), fabric.linkCount());
    for (int s = 0; s < wired.switchCount(); s++) {
      int own = s;
      int[] up =
          IntStream.range(0, wired.outDegree(s))
              .map(i -> wired.outArc(own, i))
              .filter(arc -> !down.get(arc >> 1))
              .toArray();
      assertArrayEquals(
          up, IntStream.range(0, fabric.outDegree(s)).map(i -> fabric.outArc(own, i)).toArray());
      assertArrayEquals(wired.linksAt(s), fabric.linksAt(s));
      int last =
          wired.linksAt(s).length == 0 ? 0 : wired.port(wired.outArc(s, wired.outDegree(s) - 1));
      for (int port = 0; port <= last + 1; port++) {
        int at = port;
        int arc = IntStream.of(up).filter(a -> wired.port(a) == at).findFirst().orElse(-1);
        assertEquals(arc, fabric.outArcAt(s, port));
      }
    }
    for (int link = 0; link < wired.linkCount(); link++) {
      assertEquals(!down.get(link), fabric.isUp(link));
      assertEquals(capacityBps[link], fabric.capacityBps(2 * link));
      assertEquals(wired.linkName(link), fabric.linkName(link));
    }
  }

  @Test
  void eventsOnLinksThatDoNotExistAreRefused() {
    Fabric fabric = Fabrics.figure32();
    assertEquals(
        "6 switches, 12 links (2 down), 3 subnets", fabric.withLinksDown(3, 11).toString());
    assertThrows(IllegalArgumentException.class, () -> fabric.withLinksDown(12));
    assertThrows(IllegalArgumentException.class, () -> fabric.withLinksUp(-1));
    assertFault("links[3].bps: ", () -> fabric.withCapacityBps(3, 0));
    assertFalse(fabric.hasNumberingOf(Fabrics.figure32()));
    assertThrows(
        IllegalArgumentException.class, () -> fabric.linksChangedSince(Fabrics.figure32()));
  }

  @Test
  void refusesWhatCannotBeTrueAndNamesTheField() {
    assertFault("switches[2].id: \"a\"", () -> twoSwitches().addSwitch("a", 1, 1));
    assertFault("switches[2].id: ", () -> twoSwitches().addSwitch("a/b", 1, 1));
    assertFault("switches[2].stage: ", () -> twoSwitches().addSwitch("c", 0, 1));
    assertFault("switches[2].table: ", () -> twoSwitches().addSwitch("c", 1, 0));
    assertFault("links[0].b: no switch \"c\"", () -> twoSwitches().addLink("a/1", "c/1", 1));
    assertFault("links[0].a: no switch \"z\"", () -> twoSwitches().addLink("z/1", "b/1", 1));
    assertFault("links[0].a: must be", () -> twoSwitches().addLink("z", "b/1", 1));
    assertFault(
        "links[0].b: must have a port from 1",
        () -> twoSwitches().addLink(new SwitchPort("a", 1), new SwitchPort("b", 0), 1));
    assertFault("links[0].a: must be", () -> twoSwitches().addLink("a/0", "b/1", 1));
    assertFault("links[0].a: must be", () -> twoSwitches().addLink("a", "b/1", 1));
    assertFault("links[0].bps: ", () -> twoSwitches().addLink("a/1", "b/1", -5));
    assertFault("links[0]: both ends", () -> twoSwitches().addLink("a/1", "a/2", 1));
    assertFault(
        "links[1].b: port b/1",
        () -> twoSwitches().addLink("a/1", "b/1", 1).addLink("a/2", "b/1", 1));
    Ipv4Prefix prefix = Ipv4Prefix.parse("10.0.0.0/24");
    assertFault("subnets[0].switch: ", () -> twoSwitches().addSubnet("c", prefix));
    assertFault(
        "subnets[1].prefix: 10.0.0.0/24 is the prefix of subnets[0]",
        () -> twoSwitches().addSubnet("a", prefix).addSubnet("b", prefix));
  }

  private static FabricBuilder twoSwitches() {
    return new FabricBuilder().addSwitch("a", 1, 1).addSwitch("b", 2, 1);
  }

  private static void assertFault(String start, Executable broken) {
    String message = assertThrows(FabricException.class, broken).getMessage();
    assertTrue(message.startsWith(start), message);
  }
}
