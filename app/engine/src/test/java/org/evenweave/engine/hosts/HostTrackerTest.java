package org.evenweave.engine.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.HostTable;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostTrackerTest {
  private static final int FIRST = Ipv4Prefix.parseAddress("10.0.0.2");
  private static final long MAC = 0x0a00_0000_0001L;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int PORTS = 20;

  private final VirtualLoop loop = new VirtualLoop();
  private final EventLog events = new EventLog(0, 0);
  private final Nib nib = new Nib(new EngineConfig(fabric(), Map.of(), WeightRule.EQUAL));

  /** The ports that ARP requests went to. */
  private final List<Integer> requests = new ArrayList<>();

  private int changes;
  private final HostTracker tracker =
      new HostTracker(nib, new RecordedRequests(), loop, events, () -> changes++);

  private static Fabric fabric() {
    return new FabricBuilder()
        .addSwitch("leaf", 1, Fabric.UNLIMITED)
        .addSubnet("leaf", Ipv4Prefix.parse("10.0.0.0/15"))
        .build();
  }

  private final class RecordedRequests implements SouthboundPort {
    @Override
    public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
      throw new AssertionError("the tracker must not program switches");
    }

    @Override
    public CompletableFuture<SwitchTables> read(String switchId) {
      throw new AssertionError("the tracker must not read switches");
    }

    @Override
    public void sendPacket(String switchId, int outPort, byte[] frame) {
      requests.add(outPort);
    }
  }

  @BeforeEach
  void connect() {
    nib.switchUp("leaf");
    nib.tablesKnown("leaf", Set.of());
    for (int port = 1; port <= PORTS; port++) {
      nib.portChanged("leaf", port, true, 0);
    }
    tracker.start();
  }

  private static Host host(int offset, int port) {
    return new Host(FIRST + offset, MAC + offset, "leaf", port);
  }

  @Test
  void aPortThatClaimsThousandsOfHostsGetsTheLimitAndOneEvent() {
    for (int offset = 0; offset < 17_332; offset++) {
      tracker.seen(host(offset, 1));
    }
    assertEquals(HostTable.MAX_PER_PORT, nib.snapshot().hosts().size());
    assertEquals(
        List.of(
            "leaf/1: no more hosts are learned, at most 1024 of a port and 16384 of a switch; the"
                + " first refused is 10.0.4.2"),
        subjects(Event.Kind.HOST_LIMIT));
    Host elsewhere = host(17_000, 2);
    tracker.seen(elsewhere);
    assertEquals(elsewhere, nib.hostAt(elsewhere.address()), "another port is not affected");
    nib.portChanged("leaf", 1, false, 0);
    nib.portChanged("leaf", 1, true, 0);
    tracker.seen(host(17_001, 1));
    assertEquals(2, nib.snapshot().hosts().size(), "there is room again");
  }

  @Test
  void aSwitchHasALimitOverAllItsPorts() {
    for (int offset = 0; offset < PORTS * HostTable.MAX_PER_PORT; offset++) {
      tracker.seen(host(offset, 1 + offset % PORTS));
    }
    assertEquals(HostTable.MAX_PER_SWITCH, nib.snapshot().hosts().size());
    assertEquals(PORTS, subjects(Event.Kind.HOST_LIMIT).size());
  }

  @Test
  void theLimitHoldsForHostsThatAreAdoptedToo() {
    for (int offset = 0; offset < 2000; offset++) {
      nib.hostKnown(host(offset, 1));
    }
    assertEquals(HostTable.MAX_PER_PORT, nib.snapshot().hosts().size());
  }

  @Test
  void aClaimedHostGetsARequestWhereItIsKnownAndStaysIfItAnswers() {
    tracker.seen(host(0, 1));
    Host claim = new Host(FIRST, MAC + 9, "leaf", 2);
    assertFalse(tracker.seen(claim));
    assertEquals(List.of(1), requests);
    loop.runFor(SECOND_NANOS / 10);
    assertTrue(tracker.seen(host(0, 1)), "the answer");
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    assertEquals(List.of(1), requests);
    assertEquals(1, subjects(Event.Kind.DUPLICATE_ADDRESS).size());
    assertEquals(1, changes);
  }

  @Test
  void aClaimedHostThatAnswersOnlyTheLastRequestStays() {
    tracker.seen(host(0, 1));
    tracker.seen(host(0, 2));
    loop.runFor((HostMoves.REQUESTS - 1) * HostMoves.PAUSE_NANOS);
    assertEquals(List.of(1, 1, 1), requests);
    tracker.seen(host(0, 1));
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
  }

  @Test
  void aClaimedHostThatIsSilentHasMoved() {
    tracker.seen(host(0, 1));
    tracker.seen(host(0, 2));
    loop.runFor(HostMoves.REQUESTS * HostMoves.PAUSE_NANOS - 1);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    loop.runFor(1);
    assertEquals(host(0, 2), nib.hostAt(FIRST));
    assertEquals(2, changes);
    assertEquals(List.of(), subjects(Event.Kind.DUPLICATE_ADDRESS));
  }

  @Test
  void aHostWhosePortGoesDownDuringTheRequestsHasMoved() {
    tracker.seen(host(0, 1));
    tracker.seen(host(0, 2));
    nib.portChanged("leaf", 1, false, 0);
    loop.runFor(HostMoves.PAUSE_NANOS);
    assertEquals(host(0, 2), nib.hostAt(FIRST));
  }

  @Test
  void aStormOfClaimsCostsFewRequestsAndOneEventAMinute() {
    tracker.seen(host(0, 1));
    for (int millis = 0; millis < 120_000; millis++) {
      tracker.seen(new Host(FIRST, MAC + millis % 100, "leaf", 2));
      tracker.seen(host(0, 1));
      loop.runFor(SECOND_NANOS / 1000);
    }
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    assertTrue(requests.size() <= 130, requests.size() + " requests in 2 minutes");
    assertEquals(2, subjects(Event.Kind.DUPLICATE_ADDRESS).size());
  }

  @Test
  void claimsOfThousandsOfHostsAtOnceAreLookedIntoAFewAtATime() {
    for (int offset = 0; offset < 1000; offset++) {
      tracker.seen(host(offset, 1));
    }
    for (int offset = 0; offset < 1000; offset++) {
      tracker.seen(host(offset, 2));
    }
    assertTrue(requests.size() <= 32, requests.size() + " requests at once");
  }

  @Test
  void aSilentHostGetsRequestsAfterTenMinutesAndIsForgottenAfterThree() {
    tracker.seen(host(0, 1));
    loop.runFor(599 * SECOND_NANOS);
    assertEquals(List.of(), requests);
    loop.runFor(29 * SECOND_NANOS);
    assertEquals(List.of(1, 1, 1), requests);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    loop.runFor(2 * SECOND_NANOS);
    assertNull(nib.hostAt(FIRST));
    assertEquals(2, changes);
    loop.runFor(3600 * SECOND_NANOS);
    assertEquals(3, requests.size());
  }

  @Test
  void aHostThatAnswersGetsTheNextRequestTenMinutesLater() {
    tracker.seen(host(0, 1));
    for (int round = 1; round <= 6; round++) {
      loop.runFor(600 * SECOND_NANOS);
      assertEquals(round, requests.size());
      tracker.seen(host(0, 1));
    }
    assertEquals(host(0, 1), nib.hostAt(FIRST));
  }

  @Test
  void requestsToHostsThatWereLearnedTogetherAreSpreadOut() {
    for (int offset = 0; offset < 1000; offset++) {
      tracker.seen(host(offset, 1));
    }
    loop.runFor(600 * SECOND_NANOS);
    assertEquals(HostAging.MAX_PER_TICK, requests.size());
    loop.runFor(60 * SECOND_NANOS);
    assertEquals(List.of(), nib.snapshot().hosts());
    assertEquals(3000, requests.size());
  }

  private List<String> subjects(Event.Kind kind) {
    return events.since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }
}
