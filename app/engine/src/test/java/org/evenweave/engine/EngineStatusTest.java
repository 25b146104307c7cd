package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.interference.ForeignReport;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** The status of configured parts that are missing and of switches that refuse changes. */
class EngineStatusTest extends EngineFixture {
  private FabricStatus status() {
    return engine.view().status();
  }

  private void assertDegraded(boolean confirmed, String... reasons) {
    assertEquals(List.of(reasons), status().reasons());
    assertEquals(FabricStatus.State.DEGRADED, status().state());
    assertEquals(confirmed, status().confirmed());
    assertFalse(engine.view().converged());
  }

  @Test
  void aWholeFabricHasNoReasons() {
    start(Fabrics.figure32(), 1);
    assertConverged();
    assertEquals(FabricStatus.State.CONVERGED, status().state());
    assertTrue(status().confirmed());
    assertEquals(List.of(), status().reasons());
  }

  @Test
  void aProblemOfTheRuntimeDegradesTheFabricUntilItIsGone() {
    start(Fabrics.figure32(), 1);
    engine.runtimeProblems(List.of("someone else removes tables"));
    loop.runFor(1);
    assertDegraded(false, "someone else removes tables");
    network.disconnect("s2-2");
    loop.runFor(SECOND_NANOS);
    assertDegraded(false, "someone else removes tables", "s2-2 is not connected");
    engine.runtimeProblems(List.of());
    network.connect("s2-2");
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  @Test
  void aConfiguredSwitchThatNeverConnectsIsNamed() {
    Fabric fabric = Fabrics.figure32();
    network = new FakeNetwork(fabric, loop, 2);
    startEngine(fabric);
    fabric.switchIds().stream().filter(id -> !id.equals("s1-0")).forEach(network::connect);
    loop.runFor(10 * SECOND_NANOS);
    assertDegraded(true, "s1-0 is not connected");
    assertEquals(1, status().missingSwitches());
    assertEquals(0, status().missingLinks());
    network.connect("s1-0");
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  @Test
  void aSwitchWhoseTablesCannotBeReadIsNotConfirmed() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 3);
    network.disconnect("s2-2");
    loop.runFor(SECOND_NANOS);
    assertDegraded(true, "s2-2 is not connected");
    network.failReads("s2-2", 1000);
    network.connect("s2-2");
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(FabricStatus.State.CONVERGING, status().state());
    assertFalse(status().confirmed());
    assertEquals(List.of("s2-2: tables are being read"), status().reasons());
  }

  /** Whatever publishes a view at any moment: a busy machine may show that view for long. */
  @Test
  void aSwitchThatHasJoinedIsNotConvergedBeforeItsPlan() {
    start(Fabrics.figure32(), 3);
    network.disconnect("s2-2");
    loop.runFor(SECOND_NANOS);
    boolean[] isThere = {false};
    loop.afterEach(
        () -> {
          engine.views().foreign(ForeignReport.NOTHING);
          boolean hasGroups =
              engine.view().groups().stream().anyMatch(group -> group.switchId().equals("s2-2"));
          assertTrue(hasGroups || !engine.view().converged(), status().toString());
          isThere[0] |= !hasGroups && engine.view().snapshot().isPresent("s2-2");
        });
    network.connect("s2-2");
    loop.runFor(SECOND_NANOS);
    assertTrue(isThere[0], "a view of the moment in question");
    assertConverged();
  }

  @Test
  void aLinkOnAPortThatDoesNotExistIsNamed() {
    Fabric there = twoSwitches(1);
    network = new FakeNetwork(there, loop, 4);
    startEngine(twoSwitches(2));
    network.connectAll();
    loop.runFor(10 * SECOND_NANOS);
    assertDegraded(true, "link a/2-b/2 is down: a has no port 2");
    assertEquals(1, status().missingLinks());
  }

  @Test
  void aMiscabledLinkIsNamedWithWhereItsEndIsConnected() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 14);
    network.cut(linkNamed(fabric, "s1-2/1-s2-0/4"));
    loop.runFor(SECOND_NANOS);
    network.portUp("s1-2", 1);
    network.portUp("s2-0", 4);
    network.relayProbes("s1-2/1", "s2-1/" + FakeNetwork.HOST_PORT);
    loop.runFor(SECOND_NANOS);
    assertDegraded(true, "link s1-2/1-s2-0/4 is miscabled: s1-2/1 is connected to s2-1/1000");
  }

  private static Fabric twoSwitches(int links) {
    FabricBuilder builder = new FabricBuilder().addSwitch("a", 1, 64).addSwitch("b", 1, 64);
    for (int port = 1; port <= links; port++) {
      builder.addLink("a/" + port, "b/" + port, 10);
    }
    builder.addSubnet("a", Ipv4Prefix.parse("10.0.0.0/24"));
    return builder.addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24")).build();
  }

  @Test
  void aLinkThatIsDownIsNamedUntilItHeals() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 5);
    int link = linkNamed(fabric, "s1-2/1-s2-0/4");
    network.cut(link);
    loop.runFor(SECOND_NANOS);
    assertDegraded(true, "link s1-2/1-s2-0/4 is down: port s1-2/1 is down");
    assertEquals(Set.of(), network.lossy());
    network.heal(link);
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  @Test
  void whatIsExcludedIsNotMissed() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 6);
    engine.reconfigure(
        engine.configuration().withExcluded(Set.of("s2-1"), Set.of(new SwitchPort("s2-0", 4))));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    network.cut(linkNamed(fabric, "s1-2/1-s2-0/4"));
    network.disconnect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  @Test
  void manyReasonsAreCountedAndTheFirstNamed() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 7);
    for (int link = 0; link < fabric.linkCount(); link++) {
      network.cut(link);
    }
    loop.runFor(SECOND_NANOS);
    assertEquals(12, status().missingLinks());
    assertEquals(10, status().reasons().size());
    assertEquals(2, status().moreReasons());
    assertTrue(status().toString().endsWith("; and 2 more"), status().toString());
  }

  @Test
  void aControllerWithoutAFabricSaysSo() {
    network = new FakeNetwork(Fabrics.figure32(), loop, 8);
    engine = new Engine(EngineConfig.empty(), network, network, loop);
    engine.start();
    loop.runFor(10 * SECOND_NANOS);
    assertDegraded(true, "no fabric is configured");
  }

  @Test
  void aRefusalDegradesUntilItIsOver() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 9);
    network.refuseNext("s1-0", 1000);
    engine.useRule(WeightRule.EQUAL);
    assertFalse(engine.view().converged());
    loop.runFor(50_000_000);
    assertEquals(FabricStatus.State.DEGRADED, status().state());
    assertFalse(status().confirmed());
    String reason = status().reasons().get(0);
    assertTrue(reason.startsWith("s1-0: ") && reason.contains("refused by the test"), reason);
    network.refuseNext("s1-0", 0);
    loop.runFor(10 * SECOND_NANOS);
    assertConverged();
  }

  @Test
  void rulesThatASwitchReportsAsRemovedAreRepairedAtOnceAndItIsNotConvergedMeanwhile() {
    network = new FakeNetwork(Fabrics.figure32(), loop, 10);
    network.needRuleForLldp();
    startEngine(Fabrics.figure32());
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertTrue(network.tables("s1-0").flows().containsKey("lldp"));
    network.deleteFlows("s1-0", true);
    // What is reported is known before anything else happens.
    loop.runFor(0);
    int steps = 0;
    while (!isAsWanted("s1-0")) {
      assertFalse(engine.view().converged());
      assertFalse(status().confirmed());
      assertTrue(status().toString().contains("s1-0: "), status().toString());
      loop.runFor(1_000_000);
      assertTrue(++steps < 1000, "not repaired within a second");
    }
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertTrue(network.tables("s1-0").flows().containsKey("lldp"));
    assertEquals(List.of("s1-0"), drifts());
  }

  private boolean isAsWanted(String switchId) {
    return network.tables(switchId).equals(engine.view().desired().tables().get(switchId));
  }

  @Test
  void aPlanThatDeletesRulesIsNotTakenForDrift() {
    start(Fabrics.figure32(), 11);
    network.reportDeletions();
    engine.reconfigure(engine.configuration().withExcluded(Set.of("s2-1"), Set.of()));
    loop.runFor(SECOND_NANOS);
    assertTrue(network.reportedDeletions() > 0);
    assertEquals(0, network.reads());
    assertEquals(List.of(), drifts());
  }

  private List<String> drifts() {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == Event.Kind.DRIFT)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  @Test
  void driftThatOnlyTheAuditFindsEndsTheConvergenceUntilItIsRepaired() {
    network = new FakeNetwork(Fabrics.figure32(), loop, 12);
    network.needRuleForLldp();
    startEngine(Fabrics.figure32());
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    network.deleteFlows("s1-0", false);
    int known = 0;
    for (int step = 0; step < 40_000 && !isAsWanted("s1-0"); step++) {
      if (!drifts().isEmpty()) {
        known++;
        assertFalse(engine.view().converged());
      }
      loop.runFor(1_000_000);
    }
    assertTrue(known > 0, "the audit has not seen it");
    loop.runFor(SECOND_NANOS);
    assertTrue(network.tables("s1-0").flows().containsKey("lldp"));
    assertConverged();
  }

  @Test
  void aSwitchThatTheAuditCannotReadIsNotConfirmedUntilItCan() {
    start(Fabrics.figure32(), 13);
    network.failReads("s2-0", 3);
    engine.audit();
    loop.runFor(SECOND_NANOS / 2);
    assertEquals(FabricStatus.State.CONVERGING, status().state());
    assertEquals(
        List.of("s2-0: its tables cannot be read: s2-0: no answer in time"), status().reasons());
    loop.runFor(5 * SECOND_NANOS);
    assertConverged();
  }
}
