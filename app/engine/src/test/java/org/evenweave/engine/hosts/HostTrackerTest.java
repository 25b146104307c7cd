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
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostTrackerTest {
  private static final int FIRST = Ipv4Prefix.parseAddress("10.0.0.2");
  private static final long MAC = 0x0a00_0000_0001L;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int PORTS = 20;

  /** Checks a second of the only switch. */
  private static final int MAX_PER_TICK = 10 * HostAging.MAX_OF_SWITCH_AT_A_TIME;

  private final VirtualLoop loop = new VirtualLoop();
  private final EventLog events = new EventLog(() -> 0, 0);
  private final Nib nib = new Nib(new EngineConfig(fabric(), Map.of(), WeightRule.EQUAL));

  /** The ports that ARP requests went to. */
  private final List<Integer> requests = new ArrayList<>();

  private int changes;

  /** Hosts that have shown that they are at their places, in order. */
  private final List<Host> found = new ArrayList<>();

  private final HostTracker tracker =
      new HostTracker(
          nib,
          new RecordedRequests(),
          loop,
          new HostEvents(events, loop::nanoTime),
          () -> changes++,
          found::add);

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
    loop.runFor((HostChecks.REQUESTS - 1) * HostChecks.PAUSE_NANOS);
    assertEquals(List.of(1, 1, 1), requests);
    tracker.seen(host(0, 1));
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
  }

  @Test
  void aClaimedHostThatIsSilentHasMoved() {
    tracker.seen(host(0, 1));
    tracker.seen(host(0, 2));
    loop.runFor(HostChecks.REQUESTS * HostChecks.PAUSE_NANOS - 1);
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
    loop.runFor(HostChecks.PAUSE_NANOS);
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
  void aProbeForAnAddressThatNobodyAnswersForAnyMoreMovesTheHost() {
    tracker.seen(host(0, 1));
    assertFalse(tracker.probed(host(0, 2)));
    assertEquals(List.of(1), requests);
    loop.runFor(SECOND_NANOS);
    assertEquals(host(0, 2), nib.hostAt(FIRST));
    assertEquals(List.of(host(0, 1), host(0, 2)), found, "the prober is told of nobody else");
  }

  @Test
  void aProbeForAnAddressInUseIsCheckedEachTimeAndIsNoDuplicate() {
    tracker.seen(host(0, 1));
    for (int probe = 1; probe <= 3; probe++) {
      assertFalse(tracker.probed(new Host(FIRST, MAC + 9, "leaf", 2)));
      assertEquals(probe, requests.size());
      tracker.seen(host(0, 1));
      assertEquals(1 + probe, found.size());
    }
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    assertEquals(List.of(), subjects(Event.Kind.DUPLICATE_ADDRESS));
  }

  @Test
  void aProbeFromItsKnownPlaceIsASignOfLifeAndOneForAFreeAddressTeachesNothing() {
    tracker.seen(host(0, 1));
    assertTrue(tracker.probed(host(0, 1)));
    assertTrue(tracker.probed(host(1, 2)));
    assertEquals(List.of(), requests);
    assertNull(nib.hostAt(FIRST + 1));
  }

  @Test
  void anAnnouncedGuestMovesWithAllAddressesThatAreNotAnsweredForAtTheOldPort() {
    for (int offset = 0; offset < 4; offset++) {
      tracker.seen(new Host(FIRST + offset, MAC, "leaf", 1));
    }
    tracker.announced(MAC, "leaf", 2);
    loop.runFor(SECOND_NANOS / 10);
    tracker.seen(new Host(FIRST + 3, MAC, "leaf", 1));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(2, 2, 2, 1), portsOfFirst(4));
  }

  @Test
  void aGuestWithHundredsOfAddressesMovesWithAllOfThemSoManyAtATime() {
    for (int offset = 0; offset < 100; offset++) {
      tracker.seen(new Host(FIRST + offset, MAC, "leaf", 1));
    }
    tracker.announced(MAC, "leaf", 2);
    assertEquals(32, requests.size());
    loop.runFor(4 * SECOND_NANOS);
    assertEquals(Set.of(2), Set.copyOf(portsOfFirst(100)));
  }

  private List<Integer> portsOfFirst(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int offset = 0; offset < count; offset++) {
      ports.add(nib.hostAt(FIRST + offset).port());
    }
    return ports;
  }

  @Test
  void addressesOfThePrefixItselfAndOfItsGatewayAreNotLearned() {
    Ipv4Prefix prefix = Ipv4Prefix.parse("10.0.0.0/15");
    for (int address : new int[] {prefix.address(), prefix.address() | ~prefix.mask()}) {
      tracker.seen(new Host(address, MAC, "leaf", 1));
    }
    assertEquals(List.of(), subjects(Event.Kind.GATEWAY_CLAIMED));
    for (int repeated = 0; repeated < 3; repeated++) {
      tracker.seen(new Host(prefix.gateway(), MAC, "leaf", 3));
    }
    assertEquals(List.of(), nib.snapshot().hosts());
    assertEquals(
        List.of("the gateway's address 10.0.0.1 is claimed by 0A:00:00:00:00:01 at leaf/3"),
        subjects(Event.Kind.GATEWAY_CLAIMED));
  }

  /** Time passes, and the switch answers a round of probes each second. */
  private void runWithProbes(int seconds) {
    for (int second = 0; second < seconds; second++) {
      nib.probeRoundPassed(Set.of("leaf"));
      loop.runFor(SECOND_NANOS);
    }
  }

  @Test
  void aHostBehindAFullQueueIsSearchedForHalfAMinuteOrUntilTheQueueIsEmpty() {
    Set<SwitchPort> busy = Set.of(host(0, 1).location());
    tracker.start();
    tracker.seen(host(0, 1));
    nib.portLoad().follow(busy, Set.of());
    runWithProbes(30);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    tracker.seen(host(0, 1));
    runWithProbes(20);
    nib.portLoad().follow(Set.of(), Set.of());
    runWithProbes(2);
    assertEquals(host(0, 1), nib.hostAt(FIRST), "no search since the queue is empty is enough");
    runWithProbes(2);
    assertNull(nib.hostAt(FIRST));
    tracker.seen(host(0, 1));
    nib.portLoad().follow(busy, Set.of());
    runWithProbes(36);
    assertNull(nib.hostAt(FIRST), "as what is not there may be behind a busy port too");
  }

  @Test
  void aHostOfASwitchThatAnswersLateIsSearchedForUntilItAnswersInTime() {
    tracker.start();
    tracker.seen(host(0, 1));
    nib.portLoad().follow(Set.of(), Set.of("leaf"));
    runWithProbes(20);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    nib.portLoad().follow(Set.of(), Set.of("spine"));
    runWithProbes(4);
    assertNull(nib.hostAt(FIRST));
  }

  @Test
  void aSilentHostIsCheckedThenSearchedForAndForgottenInSixSeconds() {
    tracker.start();
    tracker.seen(host(0, 1));
    runWithProbes(2);
    loop.runFor(SECOND_NANOS / 2 - 1);
    assertEquals(List.of(1, 1), requests);
    loop.runFor(1);
    assertEquals(List.of(1, 1, 1), requests);
    loop.runFor(SECOND_NANOS / 4);
    assertEquals(3 + PORTS, requests.size(), "a search at every port");
    runWithProbes(2);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    runWithProbes(1);
    assertNull(nib.hostAt(FIRST));
    assertEquals(2, changes);
    runWithProbes(3600);
    assertEquals(3 + HostAging.SEARCHES * PORTS, requests.size());
  }

  @Test
  void aHostIsNotForgottenWhileItsSwitchAnswersNoProbes() {
    tracker.start();
    tracker.seen(host(0, 1));
    loop.runFor(600 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    assertEquals(3 + HostAging.SEARCHES * PORTS, requests.size());
    tracker.seen(host(0, 1));
    runWithProbes(2);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
  }

  /** As while a switch changes its master in a cluster: what is sent to it meanwhile is lost. */
  @Test
  void aHostIsSearchedForAgainOnceItsSwitchAnswersProbesAndIsForgottenOnlyIfThatIsInVain() {
    tracker.start();
    tracker.seen(host(0, 1));
    loop.runFor(10 * SECOND_NANOS);
    requests.clear();
    runWithProbes(1);
    assertEquals(PORTS, requests.size());
    tracker.seen(host(0, 1));
    requests.clear();
    loop.runFor(10 * SECOND_NANOS);
    nib.probeRoundPassed(Set.of("leaf"));
    nib.probeRoundPassed(Set.of("leaf"));
    loop.runFor(5 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST), "no round after the last search");
    runWithProbes(1);
    assertNull(nib.hostAt(FIRST));
  }

  @Test
  void aHostThatAnswersIsCheckedEveryTwoSeconds() {
    tracker.start();
    tracker.seen(host(0, 1));
    for (int round = 1; round <= 6; round++) {
      loop.runFor(2 * SECOND_NANOS);
      assertEquals(round, requests.size());
      tracker.seen(host(0, 1));
    }
    assertEquals(host(0, 1), nib.hostAt(FIRST));
  }

  @Test
  void aMissingHostThatAnswersElsewhereHasMovedAtOnceAndItsPortsHostsAreChecked() {
    tracker.start();
    tracker.seen(host(0, 1));
    loop.runFor(2 * SECOND_NANOS + SECOND_NANOS / 4);
    tracker.seen(host(1, 2));
    loop.runFor(SECOND_NANOS / 2);
    requests.clear();
    assertTrue(tracker.seen(host(0, 2)));
    assertEquals(host(0, 2), nib.hostAt(FIRST));
    assertEquals(List.of(2, 2), requests);
  }

  @Test
  void hostsOfAPortThatComesUpAreCheckedAtOnce() {
    tracker.seen(host(0, 1));
    tracker.seen(host(1, 2));
    tracker.portUp(host(0, 1).location());
    assertEquals(List.of(1), requests);
  }

  @Test
  void checksOfThousandsOfHostsAreAHundredASecond() {
    for (int offset = 0; offset < 4000; offset++) {
      tracker.seen(host(offset, 1 + offset % PORTS));
    }
    tracker.start();
    for (int second = 1; second <= 60; second++) {
      int before = requests.size();
      loop.runFor(SECOND_NANOS);
      // All that are asked answer, so none is asked twice.
      nib.snapshot().hosts().forEach(tracker::seen);
      assertTrue(requests.size() - before <= MAX_PER_TICK, "in second " + second);
    }
    assertEquals(4000, nib.snapshot().hosts().size());
  }

  @Test
  void thousandsOfHostsThatAreGoneAreForgottenWithFewSearchesASecond() {
    for (int offset = 0; offset < 300; offset++) {
      tracker.seen(host(offset, 1));
    }
    tracker.start();
    int most = 0;
    for (int second = 0; second < 200; second++) {
      int before = requests.size();
      runWithProbes(1);
      most = Math.max(most, requests.size() - before);
    }
    assertEquals(List.of(), nib.snapshot().hosts());
    // A second may have the searches of two ticks.
    int limit = HostChecks.REQUESTS * MAX_PER_TICK + 2 * HostAging.MAX_SEARCHES_PER_TICK * PORTS;
    assertTrue(most <= limit, most + " requests in a second");
  }

  @Test
  void hostsOfASwitchThatIsNotConnectedAreNotForgotten() {
    tracker.start();
    tracker.seen(host(0, 1));
    nib.switchDown("leaf");
    loop.runFor(600 * SECOND_NANOS);
    assertEquals(host(0, 1), nib.hostAt(FIRST));
    assertEquals(List.of(), requests);
  }

  private List<String> subjects(Event.Kind kind) {
    return events.since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }
}
