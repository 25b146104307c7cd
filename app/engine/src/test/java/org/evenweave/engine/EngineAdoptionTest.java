package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;

/** What forwards goes on: switches that lose the controller, and a controller that restarts. */
class EngineAdoptionTest extends EngineFixture {
  private static final long LONG_NANOS = 60 * SECOND_NANOS;

  @Test
  void aSwitchThatLosesTheControllerKeepsItsTraffic() {
    start(Fabrics.figure32(), 31);
    int before = network.operations();
    network.disconnect("s2-1");
    loop.runFor(LONG_NANOS);
    assertEquals(before, network.operations());
    assertEquals(List.of("s2-1"), engine.view().snapshot().missingSwitches());
    assertEquals(12, engine.view().snapshot().linkCount());
    network.connect("s2-1");
    loop.runFor(LONG_NANOS);
    assertEquals(before, network.operations());
    assertConverged();
    assertEquals(List.of(), engine.view().snapshot().trustedLinks());
  }

  @Test
  void aSwitchThatCannotBeToldOfAFailureIsRoutedAroundAndTakenBack() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 32);
    network.disconnect("s2-1");
    network.cut(linkNamed(fabric, "s1-2/2-s2-1/4"));
    loop.runFor(SECOND_NANOS);
    assertEquals(Set.of(), network.lossy());
    assertFalse(vias("s1-0", "s1-2").contains("s2-1"));
    assertTrue(vias("s1-0", "s1-1").contains("s2-1"));
    network.heal(linkNamed(fabric, "s1-2/2-s2-1/4"));
    network.connect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertTrue(vias("s1-0", "s1-2").contains("s2-1"));
  }

  @Test
  void aSwitchThatComesBackEmptyIsProgrammed() {
    start(Fabrics.figure32(), 33);
    SwitchTables before = network.tables("s2-1");
    network.disconnect("s2-1");
    network.clearTables("s2-1");
    network.connect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(before.flows(), network.tables("s2-1").flows());
  }

  @Test
  void aLinkThatIsSilentAfterAReconnectionIsLost() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 34);
    network.disconnect("s2-1");
    network.silence(linkNamed(fabric, "s1-2/2-s2-1/4"), true);
    network.connect("s2-1");
    loop.runFor(2 * SECOND_NANOS);
    // It carries traffic, but nobody knows yet whether it can.
    assertEquals(12, engine.view().snapshot().linkCount());
    assertEquals(
        List.of("link s1-2/2-s2-1/4 carries traffic, and no probes have passed it yet"),
        engine.view().status().reasons());
    loop.runFor(8 * SECOND_NANOS);
    assertConfirmed();
    assertEquals(11, engine.view().snapshot().linkCount());
  }

  @Test
  void aSwitchThatStandsStillAfterAReconnectionLosesNoLinkAndOneThatIsSilentDoesLater() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 38);
    int before = network.operations();
    network.disconnect("s2-1");
    network.standStill("s2-1", true);
    network.silence(linkNamed(fabric, "s1-2/2-s2-1/4"), true);
    network.connect("s2-1");
    loop.runFor(LONG_NANOS);
    assertEquals(before, network.operations());
    assertEquals(12, engine.view().snapshot().linkCount());
    network.standStill("s2-1", false);
    loop.runFor(10 * SECOND_NANOS);
    assertConfirmed();
    assertEquals(11, engine.view().snapshot().linkCount());
  }

  @Test
  void aRestartedControllerWaitsForNoSwitchThatIsNotNeededToExplainWhatIsInstalled() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 35);
    int before = restart(fabric);
    fabric.switchIds().stream().filter(id -> !id.equals("s2-1")).forEach(network::connect);
    loop.runFor(LONG_NANOS);
    assertEquals(before, network.operations());
    assertTrue(engine.view().status().confirmed(), engine.view().status().toString());
    assertEquals(List.of("s2-1"), engine.view().snapshot().missingSwitches());
    // It is known what the missing switch can do, so a failure is answered as ever.
    network.cut(linkNamed(fabric, "s1-2/2-s2-1/4"));
    loop.runFor(SECOND_NANOS);
    assertEquals(Set.of(), network.lossy());
    assertFalse(vias("s1-0", "s1-2").contains("s2-1"));
  }

  @Test
  void aFailureBeforeAllSwitchesAreBackOnlyTakesNextHopsOut() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 36);
    // Known to s1-2 and s2-0, which come late.
    network.cut(linkNamed(fabric, "s1-2/1-s2-0/4"));
    loop.runFor(SECOND_NANOS);
    restart(fabric);
    network.connect("s1-0");
    loop.runFor(SECOND_NANOS);
    SwitchTables adopted = network.tables("s1-0");
    network.cut(linkNamed(fabric, "s1-0/3-s2-1/1"));
    loop.runFor(SECOND_NANOS);
    adopted
        .flows()
        .values()
        .forEach(
            rule -> {
              Set<Integer> left = new TreeSet<>();
              for (int port : network.tables("s1-0").outPorts(rule)) {
                left.add(port);
              }
              assertFalse(left.contains(3), rule + " " + left);
            });
    network.heal(linkNamed(fabric, "s1-0/3-s2-1/1"));
    network.connect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertEquals(adopted, network.tables("s1-0"));
    fabric.switchIds().stream().filter(id -> !network.isConnected(id)).forEach(network::connect);
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertEquals(adopted, network.tables("s1-0"));
  }

  @Test
  void aFreshFabricComesUpWithASwitchMissing() {
    Fabric fabric = Fabrics.figure32();
    network = new FakeNetwork(fabric, loop, 37);
    startEngine(fabric);
    fabric.switchIds().stream().filter(id -> !id.equals("s2-1")).forEach(network::connect);
    loop.runFor(SECOND_NANOS);
    assertTrue(engine.view().status().confirmed(), engine.view().status().toString());
    assertEquals(Set.of(), network.lossy());
  }

  private int restart(Fabric fabric) {
    int before = network.operations();
    engine.close();
    network.killController();
    loop.runFor(SECOND_NANOS);
    startEngine(fabric);
    return before;
  }

  private List<String> vias(String switchId, String destination) {
    GroupState group = group(switchId, destination);
    List<String> vias = new ArrayList<>();
    for (int i = 0; i < group.memberCount(); i++) {
      vias.add(group.via(i));
    }
    return vias;
  }
}
