package org.evenweave.engine.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.TopologyListener;
import org.junit.jupiter.api.Test;

class LinkDiscoveryTest {
  private final FakeLinks links = new FakeLinks();

  /** Switches joined by links, and a listener that keeps what is reported to it. */
  private static final class FakeLinks implements TopologyListener {
    final LinkDiscovery discovery = new LinkDiscovery(this::send, this);

    /** End to end, both ways; an end is {@code switch/port}. */
    final Map<String, String> peers = new HashMap<>();

    final Set<String> upEnds = new HashSet<>();
    final Deque<Runnable> inFlight = new ArrayDeque<>();

    /** What waits at the switches that stand still. */
    final Map<String, List<Runnable>> standing = new HashMap<>();

    /** The directions of links that the listener has been reported and not lost. */
    final Set<String> known = new TreeSet<>();

    final List<String> reported = new ArrayList<>();
    int probes;

    void join(String a, String b) {
      cut(a);
      cut(b);
      peers.put(a, b);
      peers.put(b, a);
    }

    void cut(String end) {
      peers.remove(peers.remove(end));
    }

    void up(String end) {
      upEnds.add(end);
      discovery.portUp(switchOf(end), portOf(end));
    }

    void down(String end) {
      upEnds.remove(end);
      known.removeIf(link -> List.of(link.split(">")).contains(end));
      discovery.portDown(switchOf(end), portOf(end));
    }

    /** Everything that was sent arrives, with all that follows. */
    void deliver() {
      while (!inFlight.isEmpty()) {
        inFlight.poll().run();
      }
    }

    void round() {
      discovery.nextRound(0);
      deliver();
    }

    private void send(String switchId, Map<Integer, byte[]> frames) {
      probes += frames.size();
      at(
          switchId,
          () -> {
            frames.forEach((port, frame) -> leave(switchId + "/" + port, frame));
            discovery.probesSent(switchId);
          });
    }

    private void leave(String end, byte[] frame) {
      String far = peers.get(end);
      if (far != null) {
        inFlight.add(
            () ->
                at(switchOf(far), () -> discovery.received(switchOf(far), portOf(far), frame, 0)));
      }
    }

    /** A switch does something, once it goes on. */
    private void at(String switchId, Runnable work) {
      if (standing.containsKey(switchId)) {
        standing.get(switchId).add(work);
      } else {
        inFlight.add(work);
      }
    }

    void standStill(String switchId) {
      standing.putIfAbsent(switchId, new ArrayList<>());
    }

    void goOn(String switchId) {
      inFlight.addAll(standing.getOrDefault(switchId, List.of()));
      standing.remove(switchId);
    }

    static String switchOf(String end) {
      return end.substring(0, end.indexOf('/'));
    }

    static int portOf(String end) {
      return Integer.parseInt(end.substring(end.indexOf('/') + 1));
    }

    @Override
    public void linkSeen(String from, int fromPort, String to, int toPort, long atNanos) {
      String link = from + "/" + fromPort + ">" + to + "/" + toPort;
      reported.add("seen " + link);
      assertTrue(known.add(link), link + " seen twice");
    }

    @Override
    public void linkLost(String from, int fromPort, String to, int toPort, long atNanos) {
      String link = from + "/" + fromPort + ">" + to + "/" + toPort;
      reported.add("lost " + link);
      assertTrue(known.remove(link), link + " lost but not known");
    }

    @Override
    public void switchUp(String switchId, long atNanos) {
      throw new AssertionError("discovery tells of links only");
    }

    @Override
    public void switchDown(String switchId, long atNanos) {
      throw new AssertionError("discovery tells of links only");
    }

    @Override
    public void portChanged(String switchId, int port, boolean up, long bps, long atNanos) {
      throw new AssertionError("discovery tells of links only");
    }

    @Override
    public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
      throw new AssertionError("discovery tells of links only");
    }
  }

  @Test
  void bothDirectionsAreKnownAsSoonAsBothEndsAreUp() {
    links.join("a/1", "b/7");
    links.up("a/1");
    // The probe finds nobody there yet.
    links.deliver();
    assertEquals(List.of(), links.reported);
    links.up("b/7");
    links.deliver();
    assertEquals(List.of("seen b/7>a/1", "seen a/1>b/7"), links.reported);
  }

  @Test
  void aLinkThatIsSeenAgainIsNotNews() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    for (int i = 0; i < 10; i++) {
      links.round();
    }
    assertEquals(2, links.reported.size());
  }

  @Test
  void aSilentLinkIsLostAfterThreeRoundsAndFoundAgain() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.round();
    links.reported.clear();
    links.cut("a/1");
    for (int i = 0; i < LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      links.round();
    }
    assertEquals(List.of(), links.reported);
    links.round();
    assertEquals(Set.of("lost a/1>b/7", "lost b/7>a/1"), Set.copyOf(links.reported));
    links.join("a/1", "b/7");
    for (int i = 1; i < LinkDiscovery.ROUNDS_TO_RETURN; i++) {
      links.round();
      assertEquals(Set.of(), links.known);
    }
    links.round();
    assertEquals(Set.of("a/1>b/7", "b/7>a/1"), links.known);
  }

  /** A link that loses most probes lets one through now and then. */
  @Test
  void aLinkThatWasSilentDoesNotReturnWithProbesThatAreNotInARow() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.round();
    links.cut("a/1");
    for (int i = 0; i <= LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      links.round();
    }
    for (int i = 0; i < 20; i++) {
      links.join("a/1", "b/7");
      links.round();
      links.round();
      links.cut("a/1");
      links.round();
      assertEquals(Set.of(), links.known);
    }
  }

  /** Who has pulled a cable and plugged it in again has repaired it. */
  @Test
  void aLinkThatWasSilentReturnsAtOnceWhenItsPortWasDownMeanwhile() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.round();
    links.cut("a/1");
    for (int i = 0; i <= LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      links.round();
    }
    links.down("a/1");
    links.join("a/1", "b/7");
    links.up("a/1");
    links.deliver();
    assertEquals(Set.of("a/1>b/7", "b/7>a/1"), links.known);
  }

  @Test
  void aSwitchThatStandsStillLosesNoLink() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.round();
    links.reported.clear();
    for (List<String> still : List.of(List.of("a"), List.of("b"), List.of("a", "b"))) {
      still.forEach(links::standStill);
      for (int i = 0; i < 10; i++) {
        links.round();
      }
      still.forEach(links::goOn);
      // It goes on a moment before the next round, and its probes are late for this one.
      links.round();
    }
    assertEquals(List.of(), links.reported);
  }

  /** All rounds that it did not answer count as one when it answers them at once. */
  @Test
  void aLinkThatWasCutWhileItsSwitchStoodStillIsLostThreeRoundsAfterItGoesOn() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.round();
    links.reported.clear();
    links.standStill("a");
    links.cut("a/1");
    for (int i = 0; i < 10; i++) {
      links.round();
    }
    links.goOn("a");
    for (int i = 0; i < LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      links.round();
    }
    assertEquals(List.of(), links.reported);
    links.round();
    assertEquals(Set.of("lost a/1>b/7", "lost b/7>a/1"), Set.copyOf(links.reported));
  }

  @Test
  void theRoundsThatCountAreThoseInWhichASwitchConfirms() {
    links.up("a/1");
    links.up("b/7");
    links.deliver();
    assertEquals(Set.of("a", "b"), links.discovery.nextRound(0));
    links.deliver();
    links.standStill("b");
    assertEquals(Set.of("a", "b"), links.discovery.nextRound(0));
    links.deliver();
    assertEquals(Set.of("a"), links.discovery.nextRound(0));
  }

  /** Whatever switches stand still, and for how long: no link is lost while none is cut. */
  @Property(tries = 300)
  void pausesLoseNothing(@ForAll long seed) {
    Random random = new Random(seed);
    FakeLinks fabric = new FakeLinks();
    List<String> ends = List.of("a/1", "b/1", "b/2", "c/1", "c/2", "a/2");
    for (int i = 0; i < ends.size(); i += 2) {
      fabric.join(ends.get(i), ends.get(i + 1));
    }
    ends.forEach(fabric::up);
    fabric.deliver();
    for (int i = 0; i < 200; i++) {
      String switchId = List.of("a", "b", "c").get(random.nextInt(3));
      if (random.nextInt(3) > 0) {
        fabric.standStill(switchId);
      } else {
        fabric.goOn(switchId);
      }
      fabric.round();
    }
    assertEquals(6, fabric.reported.size(), fabric.reported.toString());
  }

  @Test
  void aPortThatGoesDownTakesItsLinksAlongWithoutAWord() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.deliver();
    links.reported.clear();
    links.down("a/1");
    for (int i = 0; i < 10; i++) {
      links.round();
    }
    assertEquals(List.of(), links.reported);
    links.up("a/1");
    links.deliver();
    assertEquals(Set.of("a/1>b/7", "b/7>a/1"), links.known);
  }

  @Test
  void aProbeThatArrivesAfterItsPortWentDownProvesNothing() {
    links.join("a/1", "b/7");
    links.up("b/7");
    links.deliver();
    links.up("a/1");
    links.down("a/1");
    links.deliver();
    assertEquals(List.of(), links.reported);
  }

  @Test
  void aRecordedProbeIsOfNoUseLater() {
    links.up("a/1");
    links.up("b/7");
    List<byte[]> recorded = new ArrayList<>();
    LinkDiscovery recording =
        new LinkDiscovery((id, frames) -> recorded.addAll(frames.values()), links);
    recording.portUp("a", 1);
    recording.portUp("b", 7);
    byte[] fromA = recorded.get(0);
    for (int i = 0; i <= LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      recording.nextRound(0);
    }
    recording.received("b", 7, fromA, 0);
    assertEquals(List.of(), links.reported);
    recording.received("b", 7, recorded.get(recorded.size() - 2), 0);
    assertEquals(List.of("seen a/1>b/7"), links.reported);
  }

  @Test
  void aSwitchThatIsGoneIsProbedNoMore() {
    links.up("a/1");
    links.up("a/2");
    links.probes = 0;
    links.discovery.switchDown("a");
    links.round();
    assertEquals(0, links.probes);
  }

  @Test
  void aLateListenerIsToldOfEveryLink() {
    links.join("a/1", "b/7");
    links.up("a/1");
    links.up("b/7");
    links.deliver();
    FakeLinks late = new FakeLinks();
    links.discovery.repeat(late);
    assertEquals(links.known, late.known);
  }

  /**
   * Whatever happened: once it has been quiet for the rounds a loss takes, the listener knows
   * exactly the links whose two ends are up.
   */
  @Property(tries = 300)
  void inQuietTheListenerKnowsTheTruth(@ForAll long seed) {
    Random random = new Random(seed);
    FakeLinks fabric = new FakeLinks();
    List<String> ends = List.of("a/1", "a/2", "b/1", "b/2", "c/1", "c/2", "c/3");
    for (int i = 0; i < 60; i++) {
      String end = ends.get(random.nextInt(ends.size()));
      String other = ends.get(random.nextInt(ends.size()));
      switch (random.nextInt(8)) {
        case 6:
          fabric.standStill(FakeLinks.switchOf(end));
          break;
        case 7:
          fabric.goOn(FakeLinks.switchOf(end));
          break;
        case 0:
        case 1:
          fabric.up(end);
          break;
        case 2:
          fabric.down(end);
          break;
        case 3:
          if (!end.equals(other)) {
            fabric.join(end, other);
          }
          break;
        case 4:
          fabric.cut(end);
          break;
        default:
          fabric.round();
      }
      if (random.nextBoolean()) {
        fabric.deliver();
      }
    }
    List.of("a", "b", "c").forEach(fabric::goOn);
    for (int i = 0; i <= LinkDiscovery.ROUNDS_TO_LOSS + 1; i++) {
      fabric.round();
    }
    Set<String> truth = new TreeSet<>();
    fabric.peers.forEach(
        (from, to) -> {
          if (fabric.upEnds.contains(from) && fabric.upEnds.contains(to)) {
            truth.add(from + ">" + to);
          }
        });
    assertEquals(truth, fabric.known);
  }
}
