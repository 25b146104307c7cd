package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.damping.DampedLink;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.junit.jupiter.api.Test;

/** Links that flap (Tewari 2015, section 3.5). */
class EngineDampingTest extends EngineFixture {
  private static final long MILLI_NANOS = 1_000_000L;
  private static final String LINK = "s1-0/1-s2-0/1";
  private final Fabric fabric = Fabrics.figure32();
  private final int link = linkNamed(fabric, LINK);

  private void flap(int times) {
    flap(times, 500 * MILLI_NANOS);
  }

  private void flap(int times, long periodNanos) {
    for (int i = 0; i < times; i++) {
      network.cut(link);
      loop.runFor(periodNanos / 2);
      network.heal(link);
      loop.runFor(periodNanos / 2);
    }
  }

  private List<String> damped() {
    return engine.view().snapshot().dampedLinks();
  }

  private List<String> subjects(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  private boolean isUsed() {
    return group("s1-0", "s1-2").memberCount() == 4;
  }

  @Test
  void aFailureAndItsRepairAreAnsweredAtOnceAndSoAreTwo() {
    start(fabric, 1);
    for (int i = 0; i < 2; i++) {
      flap(1);
      assertConverged();
      assertTrue(isUsed());
    }
  }

  @Test
  void failuresThatAreFarApartAreNeverDamped() {
    start(fabric, 2);
    for (int i = 0; i < 20; i++) {
      flap(1);
      assertConverged();
      loop.runFor(15 * SECOND_NANOS);
    }
    assertEquals(List.of(), subjects(Event.Kind.LINK_DAMPED));
  }

  @Test
  void aLinkThatFlapsIsTakenOutOfTheGroupsAndCostsNothingMore() {
    start(fabric, 3);
    flap(3);
    assertEquals(List.of(LINK), damped());
    assertFalse(isUsed());
    assertConfirmed();
    int before = network.operations();
    flap(27);
    assertEquals(before, network.operations());
    assertEquals(List.of(LINK), subjects(Event.Kind.LINK_DAMPED));
    assertEquals(30, engine.links().damping().links().get(0).failures());
  }

  @Test
  void aDampedLinkIsAReasonNotToBeConverged() {
    start(fabric, 4);
    flap(3);
    FabricStatus status = engine.view().status();
    assertEquals(FabricStatus.State.DEGRADED, status.state());
    assertEquals(
        List.of("link " + LINK + " is damped: it is up, and has failed too often"),
        status.reasons());
    assertEquals(1, status.missingLinks());
  }

  @Test
  void itIsReleasedWhenItsPenaltyHasDecayedAndLosesNothing() {
    start(fabric, 5);
    flap(3);
    DampedLink found = engine.links().damping().links().get(0);
    long nanos = engine.links().damping().nanosToRelease(found);
    assertTrue(nanos > 10 * SECOND_NANOS && nanos < 20 * SECOND_NANOS, nanos + " ns");
    loop.runFor(nanos - MILLI_NANOS);
    assertEquals(List.of(LINK), damped());
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(), damped());
    assertEquals(List.of(LINK), subjects(Event.Kind.LINK_RELEASED));
    assertTrue(isUsed());
    assertConverged();
  }

  @Test
  void noLinkIsHeldDownForLongerThanTheMaximumAfterItsLastFailure() {
    start(fabric, 6);
    flap(200, 100 * MILLI_NANOS);
    assertEquals(List.of(LINK), damped());
    loop.runFor(55 * SECOND_NANOS);
    assertEquals(List.of(LINK), damped());
    loop.runFor(6 * SECOND_NANOS);
    assertConverged();
  }

  @Test
  void anOperatorReleasesItByEitherEndAndItsPenaltyIsForgotten() {
    start(fabric, 7);
    flap(3);
    engine.links().damping().release(new SwitchPort("s2-0", 1));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertTrue(isUsed());
    flap(2);
    assertConverged();
    flap(1);
    assertEquals(List.of(LINK), damped());
  }

  @Test
  void aLinkThatIsTheOnlyWayCarriesTrafficThoughDamped() {
    start(fabric, 8);
    flap(3);
    List<Integer> others =
        List.of("s1-0/2-s2-0/2", "s1-0/3-s2-1/1", "s1-0/4-s2-2/1").stream()
            .map(name -> linkNamed(fabric, name))
            .collect(Collectors.toList());
    others.forEach(network::cut);
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(), damped());
    assertEquals(1, engine.links().damping().links().size());
    assertConfirmed();
    network.heal(others.get(0));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(LINK), damped());
    assertConfirmed();
  }

  @Test
  void dampingIsSwitchedOffWhileItRuns() {
    start(fabric, 9);
    flap(3);
    engine.change(now -> ConfigUpdate.patched(now, "{\"damping\": {\"enabled\": false}}"));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    flap(10);
    assertConverged();
  }

  @Test
  void anotherReuseThresholdAppliesToLinksThatAreDamped() {
    start(fabric, 10);
    flap(3);
    engine.change(now -> ConfigUpdate.patched(now, "{\"damping\": {\"reuse\": 1999}}"));
    loop.runFor(6 * SECOND_NANOS);
    assertConverged();
  }

  @Test
  void aSwitchThatReconnectsOftenHasNoLinkDamped() {
    start(fabric, 11);
    for (int i = 0; i < 10; i++) {
      network.disconnect("s2-0");
      loop.runFor(250 * MILLI_NANOS);
      network.connect("s2-0");
      loop.runFor(SECOND_NANOS);
    }
    assertConverged();
    assertEquals(List.of(), subjects(Event.Kind.LINK_DAMPED));
  }

  @Test
  void aLinkIsDampedAndReleasedWhileASwitchIsHeld() {
    start(fabric, 13);
    network.disconnect("s2-1");
    loop.runFor(SECOND_NANOS);
    flap(4);
    assertEquals(List.of(LINK), damped());
    assertConfirmed();
    engine.links().damping().release(new SwitchPort("s1-0", 1));
    loop.runFor(SECOND_NANOS);
    assertTrue(isUsed());
    assertConfirmed();
  }

  @Test
  void aLinkThatFlapsWhileInstalledRulesAreAdoptedIsDampedToo() {
    start(fabric, 14);
    engine.close();
    network.killController();
    startEngine(fabric);
    fabric.switchIds().stream().filter(id -> !id.equals("s2-1")).forEach(network::connect);
    loop.runFor(SECOND_NANOS);
    flap(4);
    assertEquals(List.of(LINK), damped());
    assertEquals(Set.of(), network.lossy());
    network.connect("s2-1");
    loop.runFor(30 * SECOND_NANOS);
    assertTrue(isUsed());
    assertConverged();
  }

  @Test
  void aRestartedEngineForgetsPenaltiesAndUsesTheLinkWithoutLoss() {
    start(fabric, 15);
    flap(4);
    assertFalse(isUsed());
    engine.close();
    network.killController();
    startEngine(fabric);
    network.connectAll();
    loop.runFor(10 * SECOND_NANOS);
    assertTrue(isUsed());
    assertConverged();
  }

  @Test
  void otherCablingIsNoFailure() {
    start(fabric, 12);
    ObjectNode whole = ConfigWriter.write(engine.configuration());
    ObjectNode less = whole.deepCopy();
    ((ArrayNode) less.get("links")).remove(link);
    for (int i = 0; i < 5; i++) {
      engine.reconfigure(ConfigReader.of(less));
      loop.runFor(SECOND_NANOS);
      assertFalse(isUsed());
      engine.reconfigure(ConfigReader.of(whole));
      loop.runFor(SECOND_NANOS);
    }
    assertConverged();
    assertEquals(List.of(), subjects(Event.Kind.LINK_DAMPED));
  }
}
