package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.evenweave.engine.fake.VirtualLoop;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.store.service.TestStorageService;

/** Which of the links that ONOS has are reported, and when one is lost. */
class OnosTopologyLinksTest {
  private final FakeOnosNetwork.FakeDevices devices = new FakeOnosNetwork.FakeDevices();
  private final FakeOnosNetwork.FakeLinks links = new FakeOnosNetwork.FakeLinks();
  private final FakeOnosNetwork.Recorder reported = new FakeOnosNetwork.Recorder();
  private final VirtualLoop loop = new VirtualLoop();
  private final OnosTopology topology =
      new OnosTopology(
          devices,
          links,
          new FakeOnosNetwork.FakeMasterships(),
          new PortReports(new TestStorageService()),
          new SwitchNames(datapath -> "s" + datapath),
          loop);

  @Test
  void aLinkIsReportedWhenFoundAndWhenLost() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    start();
    takeReports();
    Link link = links.add(1, 1, 2, 1);
    links.fire(link, LinkEvent.Type.LINK_ADDED);
    assertEquals(List.of("link s1/1 s2/1"), takeReports());
    links.remove(link);
    links.fire(link, LinkEvent.Type.LINK_REMOVED);
    loop.runFor(ReportedLinks.ALONE_NANOS);
    assertEquals(List.of("lost s1/1 s2/1"), takeReports());
    links.add(1, 1, 2, 1);
    links.fire(link, LinkEvent.Type.LINK_ADDED);
    assertEquals(List.of("link s1/1 s2/1"), takeReports());
  }

  /** As on an instance in a partition, which receives no probes. */
  @Test
  void aLinkThatAProbeFindsAgainWasNotLost() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    Link link = links.add(1, 1, 2, 1);
    start();
    takeReports();
    for (int i = 0; i < 3; i++) {
      links.remove(link);
      links.fire(link, LinkEvent.Type.LINK_REMOVED);
      loop.runFor(ReportedLinks.ALONE_NANOS - 1);
      links.add(1, 1, 2, 1);
      links.fire(link, LinkEvent.Type.LINK_ADDED);
      assertEquals(List.of(), takeReports());
    }
    loop.runFor(2 * ReportedLinks.ALONE_NANOS);
    assertEquals(List.of(), takeReports());
  }

  @Test
  void aLinkIsLostAtOnceWhenAPortIsDownThoughOnosMissedTheLinkBefore() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    Link link = links.add(1, 1, 2, 1);
    start();
    takeReports();
    links.remove(link);
    links.fire(link, LinkEvent.Type.LINK_REMOVED);
    assertEquals(List.of(), takeReports());
    devices.put(2, true, Map.of(1, false));
    devices.fire(2, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s2/1 down 10000000000", "lost s1/1 s2/1"), takeReports());
    loop.runFor(2 * ReportedLinks.ALONE_NANOS);
    assertEquals(List.of(), takeReports());
  }

  /** As when ONOS puts the port of one probe into another, and loses that link again. */
  @Test
  void aContradictingLinkIsNotReportedWhileTheOtherIsPresent() {
    devices.put(1, true, Map.of(1, true, 2, true));
    devices.put(2, true, Map.of(1, true, 2, true));
    Link link = links.add(1, 1, 2, 1);
    start();
    takeReports();
    Link sameSender = links.add(1, 1, 2, 2);
    Link sameHearer = links.add(1, 2, 2, 1);
    links.fire(sameSender, LinkEvent.Type.LINK_ADDED);
    loop.runFor(2 * ReportedLinks.ALONE_NANOS);
    assertEquals(List.of(), takeReports());
    links.remove(sameHearer);
    links.remove(sameSender);
    links.fire(sameSender, LinkEvent.Type.LINK_REMOVED);
    assertEquals(List.of(), takeReports());
    links.remove(link);
    links.add(1, 1, 2, 2);
    loop.runFor(ReportedLinks.WITNESSED_NANOS + OnosTopology.COMPARE_NANOS);
    assertEquals(List.of("lost s1/1 s2/1", "link s1/1 s2/2"), takeReports());
  }

  /** As when the instance that found a link by a false probe has ended: nobody loses it again. */
  @Test
  void ofLinksThatShareAPortThoseInBothDirectionsWin() {
    for (int number = 1; number <= 3; number++) {
      devices.put(number, true, Map.of(1, true, 2, true));
    }
    links.add(3, 2, 1, 1);
    start();
    assertEquals("link s3/2 s1/1", lastReport());
    links.addBoth(1, 1, 3, 1);
    Link last = links.addBoth(2, 2, 3, 2);
    links.fire(last, LinkEvent.Type.LINK_ADDED);
    assertEquals(
        Set.of(
            "lost s3/2 s1/1",
            "link s1/1 s3/1",
            "link s3/1 s1/1",
            "link s2/2 s3/2",
            "link s3/2 s2/2"),
        Set.copyOf(takeReports()));
    loop.runFor(2 * ReportedLinks.ALONE_NANOS);
    assertEquals(List.of(), takeReports());
  }

  /** While ONOS looks for a link anew in one direction, a false one is not better. */
  @Test
  void aBidirectionalLinkIsNotReplacedByAUnidirectionalOne() {
    for (int number = 1; number <= 2; number++) {
      devices.put(number, true, Map.of(1, true, 2, true));
    }
    Link one = links.addBoth(1, 1, 2, 1);
    start();
    takeReports();
    links.remove(one);
    links.add(2, 2, 1, 1);
    links.fire(one, LinkEvent.Type.LINK_REMOVED);
    assertEquals(List.of(), takeReports());
  }

  /** As after the end of the instance that found it: ONOS keeps such a link for good. */
  @Test
  void aLinkThatNoProbePassesSinceTheStartIsNotReported() {
    devices.put(1, true, Map.of(1, true, 2, true));
    devices.put(2, true, Map.of(1, true, 2, true));
    Link silent = links.addBoth(1, 1, 2, 1);
    links.silence(silent);
    links.addBoth(1, 2, 2, 2);
    start();
    loop.runFor(10 * ReportedLinks.ALONE_NANOS);
    assertEquals(
        Set.of("link s1/1 s2/1", "link s1/2 s2/2", "link s2/2 s1/2"),
        linesOf("link", takeReports()));
    links.endSilence(silent);
    loop.runFor(FakeOnosNetwork.FakeLinks.PROBE_NANOS);
    assertEquals(List.of("link s2/1 s1/1"), takeReports());
  }

  @Test
  void aLinkThatOnosKeepsIsLostWhenProbesPassItsNeighboursOnly() {
    devices.put(1, true, Map.of(1, true, 2, true));
    devices.put(2, true, Map.of(1, true, 2, true));
    Link silent = links.addBoth(1, 1, 2, 1);
    links.addBoth(1, 2, 2, 2);
    start();
    takeReports();
    links.silence(silent);
    loop.runFor(ProbedLinks.FRESH_NANOS);
    assertEquals(List.of(), takeReports());
    loop.runFor(ReportedLinks.WITNESSED_NANOS + OnosTopology.COMPARE_NANOS);
    assertEquals(List.of("lost s2/1 s1/1"), takeReports());
  }

  /** As where links are configured in ONOS, or another application takes the probes. */
  @Test
  void onosIsBelievedWhereThereAreNoProbesAtAll() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.silence(links.add(1, 1, 2, 1));
    start();
    loop.runFor(ProbedLinks.BLIND_NANOS - 1);
    assertEquals(Set.of(), linesOf("link", takeReports()));
    loop.runFor(OnosTopology.COMPARE_NANOS);
    assertEquals(List.of("link s1/1 s2/1"), takeReports());
    assertEquals(Set.of("s1", "s2"), reported.lastRound);
  }

  @Test
  void aRoundCountsForSwitchesThatProbesLeaveAndReach() {
    for (int number = 1; number <= 3; number++) {
      devices.put(number, true, Map.of(1, true, 2, true));
    }
    Link toOne = links.addBoth(1, 1, 2, 1);
    Link toTwo = links.addBoth(2, 2, 3, 1);
    start();
    loop.runFor(2 * OnosTopology.COMPARE_NANOS);
    assertEquals(Set.of("s1", "s2", "s3"), reported.lastRound);
    links.silence(toTwo);
    loop.runFor(2 * OnosTopology.COMPARE_NANOS);
    assertEquals(Set.of("s1", "s2"), reported.lastRound);
    links.silence(toOne);
    loop.runFor(2 * OnosTopology.COMPARE_NANOS);
    assertEquals(Set.of("s2"), reported.lastRound);
    links.endSilence(toTwo);
    loop.runFor(2 * OnosTopology.COMPARE_NANOS);
    assertEquals(Set.of("s2", "s3"), reported.lastRound);
    loop.runFor(ProbedLinks.BLIND_NANOS);
    assertEquals(Set.of("s1", "s2", "s3"), reported.lastRound, "its links are dead");
  }

  private static Set<String> linesOf(String kind, List<String> lines) {
    return lines.stream().filter(line -> line.startsWith(kind + " ")).collect(Collectors.toSet());
  }

  private String lastReport() {
    List<String> lines = takeReports();
    return lines.get(lines.size() - 1);
  }

  private void start() {
    links.probe(loop, topology);
    topology.setListener(reported);
  }

  private List<String> takeReports() {
    loop.runFor(0);
    return reported.take();
  }
}
