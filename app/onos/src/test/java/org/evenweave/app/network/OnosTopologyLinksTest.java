package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.PortCounters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.store.service.TestStorageService;

/** When links are found by probes and when they are lost, whatever ONOS has of them. */
class OnosTopologyLinksTest {
  private static final long ROUND_NANOS = 1_000_000_000L;

  /** A probe that passed, three rounds without, and the end of the third. */
  private static final long LOST_AFTER_NANOS = 4 * ROUND_NANOS;

  private final SwitchNames names = new SwitchNames(datapath -> "s" + datapath);
  private final FakeOnosNetwork.FakeDevices devices = new FakeOnosNetwork.FakeDevices();
  private final FakeOnosNetwork.FakeLinks links = new FakeOnosNetwork.FakeLinks(names);
  private final FakeOnosNetwork.Recorder reported = new FakeOnosNetwork.Recorder();
  private final VirtualLoop loop = new VirtualLoop();
  private long roundNanos = ROUND_NANOS;
  private final OnosTopology topology =
      new OnosTopology(
          devices,
          new FakeOnosNetwork.FakeMasterships(),
          new PortReports(new TestStorageService()),
          names,
          links,
          () -> roundNanos,
          loop);

  @BeforeEach
  void joinTwoSwitchesByTwoLinks() {
    devices.put(1, true, Map.of(1, true, 2, true));
    devices.put(2, true, Map.of(1, true, 2, true));
    links.bring(topology);
    links.addBoth(1, 1, 2, 1);
    links.addBoth(1, 2, 2, 2);
  }

  @Test
  void linksAreFoundAtOnceInBothDirections() {
    assertEquals(
        Set.of("link s1/1 s2/1", "link s2/1 s1/1", "link s1/2 s2/2", "link s2/2 s1/2"),
        Set.copyOf(linesAtStart()));
  }

  @Test
  void aSilentDirectionIsLostInFourRoundsAndBackAfterThreeWithAProbe() {
    linesAtStart();
    links.silence(1, 1);
    loop.runFor(LOST_AFTER_NANOS);
    assertEquals(List.of("lost s1/1 s2/1"), reported.take());
    links.add(1, 1, 2, 1);
    loop.runFor(2 * ROUND_NANOS);
    assertEquals(List.of(), reported.take(), "a link that loses most packets may bring one");
    loop.runFor(ROUND_NANOS);
    assertEquals(List.of("link s1/1 s2/1"), reported.take());
  }

  @Test
  void theOperatorSetsThePeriod() {
    linesAtStart();
    roundNanos = ROUND_NANOS / 5;
    loop.runFor(ROUND_NANOS);
    links.silence(1, 1);
    loop.runFor(LOST_AFTER_NANOS / 5);
    assertEquals(List.of("lost s1/1 s2/1"), reported.take());
  }

  /** As while it has no master, or one that knows of another leader. */
  @Test
  void aSwitchThatDoesNotConfirmProbesLosesNoLink() {
    linesAtStart();
    links.standing.add("s1");
    loop.runFor(100 * ROUND_NANOS);
    assertEquals(List.of(), reported.take());
    assertEquals(Set.of("s2"), reported.lastRound);
    links.standing.clear();
    loop.runFor(100 * ROUND_NANOS);
    assertEquals(List.of(), reported.take());
    assertEquals(Set.of("s1", "s2"), reported.lastRound);
  }

  /** Its full queue drops the probes. */
  @Test
  void aDirectionThatCarriesOtherPacketsIsNotLost() {
    linesAtStart();
    links.silence(1, 1);
    for (int round = 1; round < 20; round++) {
      PortCounters many = new PortCounters(100L * round, 100L * round, 0, 0, 0, 0);
      links.counters.put("s1", Map.of(1, many));
      links.counters.put("s2", Map.of(1, many));
      loop.runFor(ROUND_NANOS);
    }
    assertEquals(List.of(), reported.take());
  }

  @Test
  void aSwitchThatReconnectsHasItsLinksAgainAtOnce() {
    linesAtStart();
    devices.reconnect(1);
    devices.fire(1, DeviceEvent.Type.DEVICE_UPDATED);
    loop.runFor(0);
    List<String> lines = reported.take();
    assertEquals("down s1", lines.get(0));
    assertEquals(
        Set.of("link s1/1 s2/1", "link s2/1 s1/1", "link s1/2 s2/2", "link s2/2 s1/2"),
        linesOf("link", lines));
  }

  @Test
  void otherLldpIsPassedOn() {
    linesAtStart();
    byte[] frame = new byte[60];
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xcc;
    topology.packetIn(new ConnectPoint(FakeOnosNetwork.device(2), PortNumber.portNumber(1)), frame);
    topology.packetIn(new ConnectPoint(FakeOnosNetwork.device(9), PortNumber.portNumber(1)), frame);
    loop.runFor(0);
    assertEquals(List.of("packet s2/1 60"), reported.take());
  }

  @Test
  void nothingIsProbedOnceClosed() {
    linesAtStart();
    topology.close();
    links.silence(1, 1);
    loop.runFor(10 * LOST_AFTER_NANOS);
    assertEquals(List.of(), reported.take());
  }

  /** The reports of links when all has been found. */
  private List<String> linesAtStart() {
    topology.setListener(reported);
    loop.runFor(2 * ROUND_NANOS);
    return List.copyOf(linesOf("link", reported.take()));
  }

  private static Set<String> linesOf(String kind, List<String> lines) {
    Set<String> chosen = new TreeSet<>(lines);
    chosen.removeIf(line -> !line.startsWith(kind + " "));
    return chosen;
  }
}
