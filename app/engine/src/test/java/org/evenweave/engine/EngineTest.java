package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.evenweave.engine.audit.Audits;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.topology.FatTree;
import org.junit.jupiter.api.Test;

/** The engine's answers to what happens to links, switches and tables. */
class EngineTest extends EngineFixture {
  private static final long MILLI_NANOS = 1_000_000L;

  @Test
  void installsTheWeightsOfFigure32() {
    start(Fabrics.figure32(), 1);
    assertConverged();
    GroupState group = group("s1-0", "s1-2");
    assertEquals(256, group.entries());
    long[] ideal = {1, 1, 2, 2};
    int[] slots = {43, 43, 85, 85};
    for (int i = 0; i < 4; i++) {
      assertEquals(ideal[i], group.idealWeight(i));
      assertEquals(slots[i], group.slotCount(i));
    }
    assertEquals(43 * 6 / 256.0, group.oversubscription());
    assertEquals(group.group(), network.tables("s1-0").groups().get(group.group().id()));
  }

  @Test
  void aCutLinkReweightsAndAHealedOneRestores() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 2);
    int link = linkNamed(fabric, "s1-2/1-s2-0/4");
    network.cut(link);
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    GroupState without = group("s1-0", "s1-2");
    assertEquals(2, without.memberCount());
    assertEquals("s2-1", without.via(0));
    network.heal(link);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(4, group("s1-0", "s1-2").memberCount());
    List<Event> events = engine.events().since(0);
    Event down =
        events.stream().filter(e -> e.kind() == Event.Kind.LINK_DOWN).findFirst().orElseThrow();
    assertEquals("s1-2/1-s2-0/4", down.subject());
    assertTrue(down.confirmedEpochMicros() > down.detectedEpochMicros());
    assertTrue(down.groupsChanged() > 0);
  }

  @Test
  void aReweightingMovesOnlyTheSlotsItMust() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 3);
    int[] before = group("s1-0", "s1-2").group().ports();
    network.cut(linkNamed(fabric, "s1-0/3-s2-1/1"));
    loop.runFor(SECOND_NANOS);
    int[] after = group("s1-0", "s1-2").group().ports();
    for (int slot = 0; slot < before.length; slot++) {
      // Port 3 is gone; ports 1, 2 and 4 only gain.
      assertTrue(before[slot] == 3 || before[slot] == after[slot]);
    }
  }

  @Test
  void anEngineThatHasNotFoundTheFabricYetTearsNothingDown() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 5);
    engine.close();
    loop.runFor(SECOND_NANOS);
    int before = network.operations();
    startEngine(fabric);
    network.connect("s1-0");
    loop.runFor(3600 * SECOND_NANOS);
    assertEquals(before, network.operations());
    assertFalse(engine.view().converged());
    assertEquals(List.of("s2-0", "s2-1", "s2-2"), engine.view().snapshot().awaitedSwitches());
  }

  @Test
  void aRefusalIsReportedAndTriedAgain() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 7);
    network.refuseNext("s1-0", 3);
    network.cut(linkNamed(fabric, "s1-0/3-s2-1/1"));
    loop.runFor(50_000_000);
    assertTrue(engine.view().problem().contains("refused by the test"), engine.view().problem());
    assertFalse(engine.view().converged());
    loop.runFor(5 * SECOND_NANOS);
    assertConfirmed();
    assertTrue(engine.events().since(0).stream().anyMatch(e -> e.kind() == Event.Kind.REFUSED));
  }

  @Test
  void aSwitchWhoseTablesCannotBeReadAtFirstIsReadAgain() {
    Fabric fabric = Fabrics.figure32();
    network = new FakeNetwork(fabric, loop, 12);
    network.failReads("s2-2", 3);
    startEngine(fabric);
    network.connectAll();
    loop.runFor(10 * SECOND_NANOS);
    assertConverged();
    assertEquals(6, engine.view().snapshot().fabric().switchCount());
  }

  @Test
  void destinationsWithEqualNextHopsAndWeightsShareAGroup() {
    start(FatTree.of(4, 10_000_000_000L), 13);
    assertConverged();
    // From an edge switch the seven others; from an aggregation switch the six of other pods.
    assertEquals(7, group("edge-0-0", "edge-3-1").destinations().size());
    assertEquals(6, group("agg-0-0", "edge-3-1").destinations().size());
    assertEquals(1, network.tables("edge-0-0").groups().size());
    assertEquals(16, engine.view().groups().size());
  }

  @Test
  void aSharedGroupChangesInPlaceWhereAllItsDestinationsDo() {
    Fabric fabric = FatTree.of(4, 10_000_000_000L);
    start(fabric, 14);
    int id = group("agg-0-0", "edge-3-1").group().id();
    network.cut(linkNamed(fabric, "agg-0-0/3-core-0/1"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    network.heal(linkNamed(fabric, "agg-0-0/3-core-0/1"));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(id, group("agg-0-0", "edge-3-1").group().id());
    assertEquals(16, engine.view().groups().size());
  }

  @Test
  void aDestinationLeavesASharedGroupAndReturnsToIt() {
    Fabric fabric = FatTree.of(4, 10_000_000_000L);
    start(fabric, 15);
    SelectGroup shared = group("edge-0-0", "edge-2-0").group();
    network.cut(linkNamed(fabric, "edge-3-1/1-agg-3-0/2"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertEquals(shared, group("edge-0-0", "edge-2-0").group());
    assertFalse(group("edge-0-0", "edge-2-0").destinations().contains("edge-3-1"));
    network.heal(linkNamed(fabric, "edge-3-1/1-agg-3-0/2"));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(shared, group("edge-0-0", "edge-3-1").group());
    assertEquals(Set.of(shared.id()), network.tables("edge-0-0").groups().keySet());
  }

  @Test
  void theAuditFindsDriftAlsoInWeightsAloneAndRepairsIt() {
    start(Fabrics.figure32(), 8);
    GroupState group = group("s1-0", "s1-2");
    int[] ports = group.group().ports();
    ports[0] = ports[0] == 3 ? 4 : 3;
    network.tamper(
        "s1-0", SwitchOperation.modifyGroup(SelectGroup.ofSlots(group.group().id(), ports)));
    network.tamper(
        "s2-0",
        SwitchOperation.deleteFlow(FlowRule.routeToPort(Ipv4Prefix.parse("10.0.2.0/24"), 4)));
    loop.runFor(Audits.PAUSE_NANOS + SECOND_NANOS);
    assertConverged();
    SelectGroup repaired = network.tables("s1-0").groups().get(group.group().id());
    assertEquals(group.group().toString(), repaired.toString());
    List<String> drifted =
        engine.events().since(0).stream()
            .filter(e -> e.kind() == Event.Kind.DRIFT)
            .map(event -> event.subject() + ": " + event.detail())
            .sorted()
            .collect(Collectors.toList());
    String changed = "group " + SelectGroup.idText(group.group().id());
    assertEquals(List.of("s1-0: changed: " + changed, "s2-0: missing: rule 10.0.2.0/24"), drifted);
  }

  @Test
  void aPauseBetweenAuditsThatIsMadeShorterAppliesAtOnce() {
    start(Fabrics.figure32(), 8);
    AtomicLong pauseNanos = new AtomicLong(3600 * SECOND_NANOS);
    engine.auditEvery(pauseNanos::get);
    loop.runFor(2 * Audits.PAUSE_NANOS);
    network.tamper(
        "s2-0",
        SwitchOperation.deleteFlow(FlowRule.routeToPort(Ipv4Prefix.parse("10.0.2.0/24"), 4)));
    loop.runFor(2 * Audits.PAUSE_NANOS);
    assertEquals(0, drifts());
    pauseNanos.set(Audits.PAUSE_NANOS);
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(1, drifts());
  }

  private long drifts() {
    return engine.events().since(0).stream().filter(e -> e.kind() == Event.Kind.DRIFT).count();
  }

  /**
   * Reads of the switches are overtaken by changes: each is answered before, amid or after them.
   */
  @Property(tries = 40)
  void anAuditThatAChangeOvertakesTakesNothingForDriftNorForInstalled(
      @ForAll @LongRange(max = 100) long lookMillis,
      @ForAll @LongRange(max = 200) long answerMillis,
      @ForAll long seed) {
    Fabric fabric = Fabrics.figure32();
    start(fabric, seed);
    network.delayReads(lookMillis * MILLI_NANOS, answerMillis * MILLI_NANOS);
    engine.audit();
    network.cut(linkNamed(fabric, "s1-2/1-s2-0/4"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertTrue(engine.events().since(0).stream().noneMatch(e -> e.kind() == Event.Kind.DRIFT));
    fabric
        .switchIds()
        .forEach(id -> assertEquals(network.tables(id), engine.view().installed().get(id)));
  }
}
