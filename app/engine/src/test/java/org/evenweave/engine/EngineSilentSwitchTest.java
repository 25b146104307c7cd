package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;

/**
 * A switch that is lost to the controller and forwards nothing, while its neighbours' ports stay
 * up.
 */
class EngineSilentSwitchTest extends EngineFixture {
  private static final long LONG_NANOS = 60 * SECOND_NANOS;

  @Test
  void aSwitchThatForwardsNothingIsRoutedAround() {
    start(Fabrics.figure32(), 51);
    network.disconnect("s2-1");
    network.clearTables("s2-1");
    assertFalse(network.lossy().isEmpty());
    loop.runFor(7 * SECOND_NANOS);
    assertEquals(Set.of(), network.lossy());
    assertConfirmed();
    assertFalse(usesAnywhere("s2-1"));
    assertEquals(List.of("s2-1"), silentSwitches());
    assertTrue(
        engine.view().status().reasons().contains("s2-1 is not connected and is routed around"),
        engine.view().status().toString());
  }

  @Test
  void itIsTakenBackWhenItConnectsAgain() {
    start(Fabrics.figure32(), 52);
    network.disconnect("s2-1");
    network.clearTables("s2-1");
    loop.runFor(7 * SECOND_NANOS);
    network.connect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertTrue(usesAnywhere("s2-1"));
  }

  /** Whenever it does: before a round of probes is judged, after that, and in between. */
  @Test
  void aSwitchThatConnectsAboutWhenItCountsAsSilentIsUsed() {
    start(Fabrics.figure32(), 59);
    for (long away = 4 * SECOND_NANOS; away < 7 * SECOND_NANOS; away += SECOND_NANOS / 10) {
      network.disconnect("s2-1");
      network.clearTables("s2-1");
      loop.runFor(away);
      network.connect("s2-1");
      loop.runFor(10 * SECOND_NANOS);
      assertConverged();
    }
  }

  @Test
  void aSwitchThatForwardsIsKeptBesideOneThatDoesNot() {
    start(Fabrics.figure32(), 53);
    network.disconnect("s2-0");
    loop.runFor(LONG_NANOS);
    network.disconnect("s2-1");
    network.clearTables("s2-1");
    loop.runFor(LONG_NANOS);
    assertEquals(List.of("s2-1"), silentSwitches());
    assertTrue(usesAnywhere("s2-0"));
    assertEquals(Set.of(), network.lossy());
  }

  @Test
  void aDeadSwitchWithHostsIsFoundToo() {
    start(Fabrics.figure32(), 54);
    network.disconnect("s1-2");
    network.clearTables("s1-2");
    loop.runFor(7 * SECOND_NANOS);
    assertEquals(List.of("s1-2"), silentSwitches());
    assertTrue(engine.view().status().confirmed(), engine.view().status().toString());
  }

  @Test
  void aSwitchWithoutPowerTakesNoPart() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 57);
    for (int link : fabric.linksAt(fabric.indexOf("s2-1"))) {
      network.cut(link);
    }
    network.disconnect("s2-1");
    network.clearTables("s2-1");
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertFalse(usesAnywhere("s2-1"));
  }

  @Test
  void aSwitchThatDiesWhileTheControllerRestartsIsRoutedAround() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 55);
    engine.close();
    network.killController();
    network.clearTables("s2-1");
    startEngine(fabric);
    fabric.switchIds().stream().filter(id -> !id.equals("s2-1")).forEach(network::connect);
    loop.runFor(8 * SECOND_NANOS);
    assertEquals(List.of("s2-1"), silentSwitches());
    assertEquals(Set.of(), network.lossy());
    assertConfirmed();
  }

  @Test
  void noSwitchCountsAsSilentWhileTheControllerReceivesNothing() {
    start(Fabrics.figure32(), 56);
    int before = network.operations();
    List<String> all = Fabrics.figure32().switchIds();
    all.forEach(network::disconnect);
    loop.runFor(LONG_NANOS);
    network.connect("s1-0");
    loop.runFor(LONG_NANOS);
    all.stream().filter(id -> !id.equals("s1-0")).forEach(network::connect);
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(), silentSwitches());
    assertEquals(before, network.operations());
    assertConverged();
  }

  private boolean usesAnywhere(String via) {
    for (GroupState group : engine.view().groups()) {
      for (int i = 0; i < group.memberCount(); i++) {
        if (group.via(i).equals(via)) {
          return true;
        }
      }
    }
    return false;
  }

  private List<String> silentSwitches() {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == Event.Kind.SWITCH_SILENT)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  /** Its links are found before its tables are read: until then nothing is sent through it. */
  @Property(tries = 50)
  void aSwitchThatReturnsWithoutRulesGetsNoPacketsBeforeItIsRead(@ForAll long seed) {
    Fabric fabric = Fabrics.figure32();
    start(fabric, seed);
    List<Integer> links = new ArrayList<>();
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.linkName(link).contains("s2-1/")) {
        links.add(link);
        network.cut(link);
      }
    }
    network.disconnect("s2-1");
    network.clearTables("s2-1");
    loop.runFor(5 * SECOND_NANOS);
    network.connect("s2-1");
    links.forEach(network::heal);
    loop.runFor(5 * SECOND_NANOS);
    assertConverged();
    assertTrue(usesAnywhere("s2-1"));
  }
}
