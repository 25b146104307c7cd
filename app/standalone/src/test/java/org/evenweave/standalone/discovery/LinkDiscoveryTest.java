package org.evenweave.standalone.discovery;

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
  private final Cables cables = new Cables();

  /** Switches joined by cables, and a listener that believes what it is told. */
  private static final class Cables implements TopologyListener {
    final LinkDiscovery discovery = new LinkDiscovery(this::send, this);

    /** End to end, both ways; an end is {@code switch/port}. */
    final Map<String, String> cables = new HashMap<>();

    final Set<String> upEnds = new HashSet<>();
    final Deque<Runnable> inFlight = new ArrayDeque<>();

    /** What the listener believes. */
    final Set<String> believed = new TreeSet<>();

    final List<String> told = new ArrayList<>();
    int probes;

    void join(String a, String b) {
      cut(a);
      cut(b);
      cables.put(a, b);
      cables.put(b, a);
    }

    void cut(String end) {
      cables.remove(cables.remove(end));
    }

    void up(String end) {
      upEnds.add(end);
      discovery.portUp(switchOf(end), portOf(end));
    }

    void down(String end) {
      upEnds.remove(end);
      believed.removeIf(link -> List.of(link.split(">")).contains(end));
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
      frames.forEach(
          (port, frame) -> {
            probes++;
            String far = cables.get(switchId + "/" + port);
            if (far != null) {
              inFlight.add(() -> discovery.received(switchOf(far), portOf(far), frame, 0));
            }
          });
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
      told.add("seen " + link);
      assertTrue(believed.add(link), link + " seen twice");
    }

    @Override
    public void linkLost(String from, int fromPort, String to, int toPort, long atNanos) {
      String link = from + "/" + fromPort + ">" + to + "/" + toPort;
      told.add("lost " + link);
      assertTrue(believed.remove(link), link + " lost but not known");
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
    cables.join("a/1", "b/7");
    cables.up("a/1");
    // The probe finds nobody there yet.
    cables.deliver();
    assertEquals(List.of(), cables.told);
    cables.up("b/7");
    cables.deliver();
    assertEquals(List.of("seen b/7>a/1", "seen a/1>b/7"), cables.told);
  }

  @Test
  void aLinkThatIsSeenAgainIsNotNews() {
    cables.join("a/1", "b/7");
    cables.up("a/1");
    cables.up("b/7");
    for (int i = 0; i < 10; i++) {
      cables.round();
    }
    assertEquals(2, cables.told.size());
  }

  @Test
  void aSilentLinkIsLostAfterThreeRoundsAndFoundAgain() {
    cables.join("a/1", "b/7");
    cables.up("a/1");
    cables.up("b/7");
    cables.round();
    cables.told.clear();
    cables.cut("a/1");
    for (int i = 0; i < LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      cables.round();
    }
    assertEquals(List.of(), cables.told);
    cables.round();
    assertEquals(Set.of("lost a/1>b/7", "lost b/7>a/1"), Set.copyOf(cables.told));
    cables.join("a/1", "b/7");
    cables.round();
    assertEquals(Set.of("a/1>b/7", "b/7>a/1"), cables.believed);
  }

  @Test
  void aPortThatGoesDownTakesItsLinksAlongWithoutAWord() {
    cables.join("a/1", "b/7");
    cables.up("a/1");
    cables.up("b/7");
    cables.deliver();
    cables.told.clear();
    cables.down("a/1");
    for (int i = 0; i < 10; i++) {
      cables.round();
    }
    assertEquals(List.of(), cables.told);
    cables.up("a/1");
    cables.deliver();
    assertEquals(Set.of("a/1>b/7", "b/7>a/1"), cables.believed);
  }

  @Test
  void aProbeThatArrivesAfterItsPortWentDownProvesNothing() {
    cables.join("a/1", "b/7");
    cables.up("b/7");
    cables.deliver();
    cables.up("a/1");
    cables.down("a/1");
    cables.deliver();
    assertEquals(List.of(), cables.told);
  }

  @Test
  void aRecordedProbeIsOfNoUseLater() {
    cables.up("a/1");
    cables.up("b/7");
    List<byte[]> recorded = new ArrayList<>();
    LinkDiscovery recording =
        new LinkDiscovery((id, frames) -> recorded.addAll(frames.values()), cables);
    recording.portUp("a", 1);
    recording.portUp("b", 7);
    byte[] fromA = recorded.get(0);
    for (int i = 0; i <= LinkDiscovery.ROUNDS_TO_LOSS; i++) {
      recording.nextRound(0);
    }
    recording.received("b", 7, fromA, 0);
    assertEquals(List.of(), cables.told);
    recording.received("b", 7, recorded.get(recorded.size() - 2), 0);
    assertEquals(List.of("seen a/1>b/7"), cables.told);
  }

  @Test
  void aSwitchThatIsGoneIsProbedNoMore() {
    cables.up("a/1");
    cables.up("a/2");
    cables.probes = 0;
    cables.discovery.switchDown("a");
    cables.round();
    assertEquals(0, cables.probes);
  }

  @Test
  void aLateListenerIsToldOfEveryLink() {
    cables.join("a/1", "b/7");
    cables.up("a/1");
    cables.up("b/7");
    cables.deliver();
    Cables late = new Cables();
    cables.discovery.repeat(late);
    assertEquals(cables.believed, late.believed);
  }

  /**
   * Whatever happened: once it has been quiet for the rounds a loss takes, the listener believes in
   * exactly the cables whose two ends are up.
   */
  @Property(tries = 300)
  void inQuietTheListenerKnowsTheTruth(@ForAll long seed) {
    Random random = new Random(seed);
    Cables fabric = new Cables();
    List<String> ends = List.of("a/1", "a/2", "b/1", "b/2", "c/1", "c/2", "c/3");
    for (int i = 0; i < 60; i++) {
      String end = ends.get(random.nextInt(ends.size()));
      String other = ends.get(random.nextInt(ends.size()));
      switch (random.nextInt(6)) {
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
    for (int i = 0; i <= LinkDiscovery.ROUNDS_TO_LOSS + 1; i++) {
      fabric.round();
    }
    Set<String> truth = new TreeSet<>();
    fabric.cables.forEach(
        (from, to) -> {
          if (fabric.upEnds.contains(from) && fabric.upEnds.contains(to)) {
            truth.add(from + ">" + to);
          }
        });
    assertEquals(truth, fabric.believed);
  }
}
