package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.links.LinkReport;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;

/** Links and ports that are not simply up or down. */
class EngineLinkMonitorTest extends EngineFixture {
  private static final String LINK = "s1-0/1-s2-0/1";
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  private final Fabric fabric = Fabrics.figure32();
  private final int link = linkNamed(fabric, LINK);

  private List<String> subjects(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  private List<String> reasons() {
    return engine.view().status().reasons();
  }

  private boolean isUsed() {
    return group("s1-0", "s1-2").memberCount() == 4;
  }

  private void load(double packetsPerSecond) {
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      network.traffic.send(arc, packetsPerSecond);
    }
  }

  private void configure(String patch) {
    engine.change(present -> ConfigUpdate.patched(present, patch));
    loop.runFor(SECOND_NANOS);
  }

  private void speed(int port, long bps) {
    network.tell(listener -> listener.portChanged("s1-0", port, true, bps, loop.nanoTime()));
    loop.runFor(SECOND_NANOS);
  }

  @Test
  void aPortThatIsSlowerThanItsLinkIsConfiguredIsAnEventOnce() {
    start(fabric, 1);
    speed(1, 1_000_000_000L);
    String sentence = "s1-0/1 came up at 1 Gb/s, and its link is configured with 10 Gb/s";
    assertEquals(List.of(sentence), subjects(Event.Kind.PORT_SLOW));
    // Emulated ports report a speed that means nothing, so the state stays what it is.
    assertConverged();
    assertTrue(isUsed());
    network.cut(link);
    loop.runFor(SECOND_NANOS);
    network.heal(link);
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(sentence), subjects(Event.Kind.PORT_SLOW));
    speed(1, 10_000_000_000L);
    assertEquals(List.of("s1-0/1"), subjects(Event.Kind.PORT_NOT_SLOW));
    // Of a port that hosts are at nothing is configured.
    speed(9, 1_000_000L);
    assertEquals(1, subjects(Event.Kind.PORT_SLOW).size());
    speed(1, 2_500_000_000L);
    assertTrue(subjects(Event.Kind.PORT_SLOW).get(1).contains("came up at 2.5 Gb/s"));
  }

  @Test
  void aPortIsSlowNoMoreWhenItsLinkIsConfiguredWithItsSpeed() {
    start(fabric, 1);
    speed(1, 1_000_000_000L);
    assertEquals(1, subjects(Event.Kind.PORT_SLOW).size());
    String links = ConfigWriter.write(engine.view().configuration()).get("links").toString();
    configure("{\"links\":" + links.replaceFirst("10000000000", "1000000000") + "}");
    assertEquals(List.of("s1-0/1"), subjects(Event.Kind.PORT_NOT_SLOW));
    configure("{\"links\":" + links + "}");
    assertEquals(2, subjects(Event.Kind.PORT_SLOW).size());
    assertConverged();
  }

  @Test
  void anHourAtLoadIsFreeOfReports() {
    start(fabric, 1);
    load(50_000);
    loop.runFor(60 * MINUTE_NANOS);
    assertConverged();
    assertEquals(List.of(), subjects(Event.Kind.LINK_LOSSY));
    assertEquals(List.of(), subjects(Event.Kind.MTU_TOO_SMALL));
    LinkReport report = engine.links().links().get(0);
    assertEquals(0, report.directions().get(0).lost());
    assertTrue(report.directions().get(0).sent() > 2_500_000, "sent");
    assertEquals(30, report.directions().get(0).probes());
  }

  @Test
  void aLossOfATenthOfAPercentIsReportedWithinAMinuteAndInItsDirection() {
    start(fabric, 2);
    load(1000);
    loop.runFor(2 * MINUTE_NANOS);
    network.traffic.lose(2 * link, 0.001);
    loop.runFor(MINUTE_NANOS);
    assertEquals(
        List.of(LINK + ": s1-0/1 to s2-0/1 loses about 0.1 % of packets"),
        subjects(Event.Kind.LINK_LOSSY));
    assertEquals(1, reasons().size());
    assertTrue(
        reasons()
            .get(0)
            .startsWith(
                "link " + LINK + " is lossy: s1-0/1 to s2-0/1 loses about 0.1 % of packets since "),
        reasons().get(0));
    assertEquals(FabricStatus.State.DEGRADED, engine.view().status().state());
    assertTrue(isUsed());
    assertConfirmed();
  }

  @Test
  void aLossyLinkIsExcludedWithHysteresisIfSoConfigured() {
    start(fabric, 3);
    load(1000);
    configure("{\"lossyLinks\": \"exclude\"}");
    network.traffic.lose(2 * link + 1, 0.1);
    loop.runFor(MINUTE_NANOS);
    assertFalse(isUsed());
    assertConfirmed();
    assertEquals(List.of(LINK), engine.view().snapshot().avoidedLinks());
    assertTrue(reasons().get(0).endsWith("; it carries no traffic"), reasons().get(0));
    assertEquals(1, engine.view().status().missingLinks());
    network.traffic.lose(2 * link + 1, 0);
    loop.runFor(2 * MINUTE_NANOS);
    assertFalse(isUsed());
    loop.runFor(2 * MINUTE_NANOS);
    assertTrue(isUsed());
    assertConverged();
    assertEquals(
        List.of(LINK + ": s2-0/1 to s1-0/1 loses nothing"), subjects(Event.Kind.LINK_CLEAN));
  }

  @Test
  void eachReturnOfALossDoublesTheTimeToBeClean() {
    start(fabric, 4);
    load(1000);
    long first = cleanNanosAfterALoss();
    long second = cleanNanosAfterALoss();
    assertEquals(120.0, (second - first) / (double) SECOND_NANOS, 10.0);
  }

  private long cleanNanosAfterALoss() {
    network.traffic.lose(2 * link, 0.1);
    loop.runFor(MINUTE_NANOS);
    network.traffic.lose(2 * link, 0);
    long since = loop.nanoTime();
    assertFalse(reasons().isEmpty());
    while (!reasons().isEmpty()) {
      loop.runFor(SECOND_NANOS);
    }
    return loop.nanoTime() - since;
  }

  @Test
  void theLastWayIsNeverExcluded() {
    start(fabric, 5);
    load(1000);
    configure("{\"lossyLinks\": \"exclude\"}");
    for (int other = 0; other < fabric.linkCount(); other++) {
      network.traffic.lose(2 * other, 0.05);
    }
    loop.runFor(3 * MINUTE_NANOS);
    assertConfirmed();
    assertEquals(
        fabric.linkCount(),
        engine.view().status().reasons().size() + engine.view().status().moreReasons());
    assertEquals(List.of(), engine.view().snapshot().avoidedLinks());
    assertTrue(
        reasons().get(0).endsWith("; it carries traffic because there is no other path"),
        reasons().get(0));
  }

  @Test
  void anMtuThatIsTooSmallIsNamedAndTheLinkIsAvoidedUntilItIsLargeEnough() {
    start(fabric, 6);
    network.traffic.limitMtu(2 * link, 1200);
    loop.runFor(20 * SECOND_NANOS);
    assertEquals(
        List.of(LINK + ": packets of 1500 bytes do not pass from s1-0/1 to s2-0/1"),
        subjects(Event.Kind.MTU_TOO_SMALL));
    assertEquals(
        List.of(
            "link "
                + LINK
                + " has too small an MTU: packets of 1500 bytes do not pass from s1-0/1 to s2-0/1,"
                + " and small ones do; it carries no traffic"),
        reasons());
    assertFalse(isUsed());
    assertConfirmed();
    network.traffic.limitMtu(2 * link, 1500);
    loop.runFor(20 * SECOND_NANOS);
    assertTrue(isUsed());
    assertConverged();
    assertEquals(1, subjects(Event.Kind.MTU_RESTORED).size());
  }

  @Test
  void theMtuOfTheConfigurationIsProbed() {
    start(fabric, 7);
    network.traffic.limitMtu(2 * link, 1200);
    network.traffic.limitMtu(2 * link + 1, 1200);
    ArrayNode links = (ArrayNode) ConfigWriter.write(engine.configuration()).get("links");
    ((ObjectNode) links.get(link)).put("mtu", 1200);
    configure("{\"links\": " + links + "}");
    loop.runFor(MINUTE_NANOS);
    assertConverged();
    assertEquals(1200, reportOf(LINK).mtu());
  }

  @Test
  void probesThatFullQueuesDropSayNothingOfTheLink() {
    start(fabric, 11);
    load(1500);
    loop.runFor(MINUTE_NANOS);
    network.traffic.congest(2 * link, 0.2, 0.2);
    network.traffic.congest(2 * link + 3, 0.05, 0.5);
    network.traffic.congest(2 * link + 4, 0.9, 0.9);
    loop.runFor(10 * MINUTE_NANOS);
    assertEquals(List.of(), subjects(Event.Kind.LINK_LOSSY));
    assertEquals(List.of(), subjects(Event.Kind.MTU_TOO_SMALL));
    assertConverged();
  }

  @Test
  void anMtuThatIsTooSmallIsNamedUnderLoadToo() {
    start(fabric, 12);
    load(1500);
    network.traffic.limitMtu(2 * link, 1200);
    loop.runFor(MINUTE_NANOS);
    assertEquals(
        List.of(LINK + ": packets of 1500 bytes do not pass from s1-0/1 to s2-0/1"),
        subjects(Event.Kind.MTU_TOO_SMALL));
  }

  @Test
  void whatATooSmallMtuLosesIsNoLossyLink() {
    start(fabric, 14);
    load(1500);
    loop.runFor(MINUTE_NANOS);
    network.traffic.limitMtu(2 * link, 1200, 0.09);
    loop.runFor(3 * MINUTE_NANOS);
    assertEquals(1, subjects(Event.Kind.MTU_TOO_SMALL).size());
    network.traffic.limitMtu(2 * link, 1500);
    loop.runFor(MINUTE_NANOS);
    assertEquals(1, subjects(Event.Kind.MTU_RESTORED).size());
    assertEquals(List.of(), subjects(Event.Kind.LINK_LOSSY));
    assertConverged();
  }

  private LinkReport reportOf(String name) {
    return engine.links().links().stream()
        .filter(report -> report.link().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void probesFindALossThatCountersDoNotShow() {
    start(fabric, 8);
    // Nothing but probes is sent, which the fake counters do not have.
    network.traffic.lose(2 * link, 0.3);
    loop.runFor(3 * MINUTE_NANOS);
    assertEquals(1, subjects(Event.Kind.LINK_LOSSY).size());
    assertTrue(
        subjects(Event.Kind.LINK_LOSSY).get(0).startsWith(LINK + ": s1-0/1 to s2-0/1 loses about"),
        subjects(Event.Kind.LINK_LOSSY).get(0));
  }

  @Test
  void aDirectionThatDelaysPacketsIsSlowUntilItDoesSoNoMore() {
    start(fabric, 13);
    load(300);
    network.traffic.delay(2 * link + 1, 400_000_000L);
    loop.runFor(MINUTE_NANOS);
    assertEquals(
        List.of(LINK + ": s2-0/1 to s1-0/1 delays packets by about 400 ms"),
        subjects(Event.Kind.LINK_SLOW));
    assertEquals(1, reasons().size());
    String start = "link " + LINK + " is slow: s2-0/1 to s1-0/1 delays packets by about 400 ms ";
    assertTrue(reasons().get(0).startsWith(start + "since "), reasons().get(0));
    assertEquals(FabricStatus.State.DEGRADED, engine.view().status().state());
    assertTrue(isUsed());
    configure("{\"lossyLinks\": \"exclude\"}");
    loop.runFor(SECOND_NANOS);
    assertFalse(isUsed());
    assertConfirmed();
    network.traffic.delay(2 * link + 1, 0);
    loop.runFor(4 * MINUTE_NANOS);
    assertTrue(isUsed());
    assertConverged();
    assertEquals(
        List.of(LINK + ": s2-0/1 to s1-0/1 delays nothing"), subjects(Event.Kind.LINK_CLEAN));
    assertEquals(List.of(), subjects(Event.Kind.LINK_LOSSY));
  }

  @Test
  void aDelayThatAQueueOrBothSwitchesMayCauseIsNoFaultOfTheLink() {
    start(fabric, 14);
    // The least that fills a link of 4 Mb/s.
    load(330);
    network.traffic.delay(2 * link, 400_000_000L);
    // As a connection to a controller far away: everything takes as long.
    network.answerLater(200_000_000L);
    for (int arc = 2 * link + 2; arc < 2 * link + 6; arc++) {
      network.traffic.delay(arc, 400_000_000L);
      network.traffic.send(arc, 100);
    }
    loop.runFor(10 * MINUTE_NANOS);
    assertEquals(List.of(), subjects(Event.Kind.LINK_SLOW));
    assertConverged();
  }

  @Test
  void aLinkThatDelaysAndLosesPacketsIsLossy() {
    start(fabric, 15);
    load(300);
    network.traffic.delay(2 * link, 300_000_000L);
    loop.runFor(MINUTE_NANOS);
    network.traffic.lose(2 * link, 0.1);
    loop.runFor(MINUTE_NANOS);
    assertEquals(1, subjects(Event.Kind.LINK_SLOW).size());
    assertEquals(1, subjects(Event.Kind.LINK_LOSSY).size());
    assertTrue(
        reasons().get(0).startsWith("link " + LINK + " is lossy: s1-0/1 to s2-0/1 loses about"),
        reasons().get(0));
  }

  @Test
  void probesThatAreMissingWhileSwitchesAnswerLateSayNothingOfTheLink() {
    start(fabric, 17);
    network.answerLater(SECOND_NANOS);
    loop.runFor(10 * SECOND_NANOS);
    network.traffic.congest(2 * link, 0.5, 0.5);
    loop.runFor(5 * MINUTE_NANOS);
    assertEquals(List.of(), subjects(Event.Kind.LINK_LOSSY));
    assertConverged();
    network.answerLater(0);
    loop.runFor(2 * MINUTE_NANOS);
    assertEquals(1, subjects(Event.Kind.LINK_LOSSY).size());
  }

  @Test
  void aLinksPortThatMayNotForwardIsDownAtOnceAndNamed() {
    start(fabric, 9);
    network.configurePort("s2-0", 1, PortSettings.of(PortSettings.NO_FWD));
    loop.runFor(SECOND_NANOS / 2);
    assertFalse(isUsed());
    assertConfirmed();
    assertEquals(
        List.of("link " + LINK + " is down: port s2-0/1 may not forward (OFPPC_NO_FWD)"),
        reasons());
    assertEquals(List.of(LINK), subjects(Event.Kind.LINK_DOWN));
    assertEquals(
        List.of("s2-0/1 may not forward (OFPPC_NO_FWD)"), subjects(Event.Kind.PORT_SETTINGS));
    network.configurePort("s2-0", 1, PortSettings.NONE);
    network.heal(link);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals("s2-0/1 may forward and receive again", subjects(Event.Kind.PORT_SETTINGS).get(1));
  }

  @Test
  void aHostsPortThatMayNotReceiveDegradesTheFabric() {
    start(fabric, 10);
    network.configurePort(
        "s1-2",
        FakeNetwork.HOST_PORT,
        PortSettings.of(PortSettings.NO_RECV | PortSettings.NO_PACKET_IN));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of("port s1-2/1000 may not receive (OFPPC_NO_RECV)"), reasons());
    assertEquals(FabricStatus.State.DEGRADED, engine.view().status().state());
    network.configurePort("s1-2", FakeNetwork.HOST_PORT, PortSettings.NONE);
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }
}
