package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.GuestWorld;
import org.evenweave.engine.fake.GuestWorld.Answer;
import org.evenweave.engine.fake.GuestWorld.Guest;
import org.evenweave.engine.port.Gateway;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

/**
 * Guests that start, stop, migrate, swap their ports and take each other's addresses, against what
 * must be reachable when: a guest that has sent a packet at its new place a second later, a silent
 * one once it has not answered at its old place.
 */
class EngineGuestsTest extends EngineFixture {
  private static final int FIRST_PORT = FakeNetwork.HOST_PORT;
  private static final int PORTS = 5;
  private static final int STEPS = 40;

  /** A check of a claim. */
  private static final long DECIDED_NANOS = SECOND_NANOS;

  /** Two ticks until a host is checked, the check, a search, and an answer at the new place. */
  private static final long VERIFIED_NANOS = 4 * SECOND_NANOS;

  /** Others may be told of a host for so long after it was seen: three ticks, and a check. */
  private static final long TOLD_NANOS = 5 * SECOND_NANOS;

  private final Fabric fabric = Fabrics.figure32();
  private GuestWorld world;
  private SplittableRandom random;

  private void begin(long seed) {
    random = new SplittableRandom(seed);
    start(fabric, seed);
    for (String leaf : List.of("s1-0", "s1-1")) {
      bringUpPorts(leaf);
    }
    loop.runFor(5 * SECOND_NANOS);
    world = new GuestWorld(fabric, network, loop, random.split());
  }

  private void bringUpPorts(String leaf) {
    for (int port = FIRST_PORT + 1; port < FIRST_PORT + PORTS; port++) {
      network.portUp(leaf, port);
    }
  }

  private static int address(String text) {
    return Ipv4Prefix.parseAddress(text);
  }

  /** A packet from one guest to another, and whether it arrives. */
  private boolean passes(Guest from, int address, Guest to) {
    int number = world.nextNumber();
    from.sendTo(address, number);
    loop.runFor(SECOND_NANOS / 20);
    return to.hasReceived(number);
  }

  @Test
  void aGuestThatStartsAtAnotherPortIsNotToldThatItsOwnAddressIsInUse() {
    begin(1);
    Guest peer = world.add("s1-1", FIRST_PORT, address("10.0.1.9"));
    Guest guest = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
    List.of(peer, guest).forEach(each -> each.turn(true));
    List.of(peer, guest).forEach(Guest::announce);
    loop.runFor(SECOND_NANOS);
    assertTrue(passes(peer, guest.address(), guest));
    guest.turn(false);
    guest.port = FIRST_PORT + 1;
    guest.probe();
    loop.runFor(DECIDED_NANOS);
    assertFalse(guest.hasConflict);
    guest.turn(true);
    assertTrue(passes(peer, guest.address(), guest), "known at its new port by the probe alone");
  }

  @Test
  void aProbeForANeighboursAddressIsAnsweredAndADeadNeighboursIsNot() {
    begin(2);
    Guest guest = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
    Guest rival = world.add("s1-0", FIRST_PORT + 1, address("10.0.0.5"));
    guest.turn(true);
    guest.announce();
    loop.runFor(SECOND_NANOS);
    rival.probe();
    loop.runFor(DECIDED_NANOS);
    assertTrue(rival.hasConflict);
    guest.turn(false);
    rival.probe();
    loop.runFor(DECIDED_NANOS);
    assertFalse(rival.hasConflict);
  }

  @Test
  void arpForANeighbourThatHasGoneIsNotAnswered() {
    begin(3);
    Guest guest = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
    Guest asker = world.add("s1-0", FIRST_PORT + 1, address("10.0.0.6"));
    List.of(guest, asker).forEach(each -> each.turn(true));
    List.of(guest, asker).forEach(Guest::announce);
    loop.runFor(10 * SECOND_NANOS);
    asker.ask(guest.address());
    loop.runFor(SECOND_NANOS);
    List<Answer> answers = world.answers();
    assertEquals(
        List.of(Gateway.MAC), answers.stream().map(a -> a.mac).collect(Collectors.toList()));
    guest.turn(false);
    loop.runFor(TOLD_NANOS);
    asker.ask(guest.address());
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(), world.answers());
  }

  @Test
  void aSilentGuestThatIsAnnouncedByRarpIsReachedWithAllItsAddresses() {
    begin(4);
    Guest peer = world.add("s1-1", FIRST_PORT, address("10.0.1.9"));
    Guest guest = world.add("s1-0", FIRST_PORT, address("10.0.0.5"), address("10.0.0.6"));
    List.of(peer, guest).forEach(each -> each.turn(true));
    List.of(peer, guest).forEach(Guest::announce);
    loop.runFor(SECOND_NANOS);
    guest.port = FIRST_PORT + 3;
    guest.announceByRarp();
    loop.runFor(DECIDED_NANOS);
    for (int address : guest.addresses) {
      assertTrue(passes(peer, address, guest), Ipv4Prefix.format(address));
    }
  }

  @Test
  void guestsWhosePortsAreSwappedAreReachedThoughNoneOfThemSays() {
    for (boolean withEvents : new boolean[] {true, false}) {
      begin(5);
      Guest peer = world.add("s1-1", FIRST_PORT, address("10.0.1.9"));
      Guest one = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
      Guest other = world.add("s1-0", FIRST_PORT + 1, address("10.0.0.6"));
      List.of(peer, one, other).forEach(each -> each.turn(true));
      List.of(peer, one, other).forEach(Guest::announce);
      loop.runFor(SECOND_NANOS);
      swap("s1-0", FIRST_PORT, FIRST_PORT + 1, withEvents);
      loop.runFor(withEvents ? DECIDED_NANOS : VERIFIED_NANOS);
      assertTrue(passes(peer, one.address(), one), "with events: " + withEvents);
      assertTrue(passes(peer, other.address(), other), "with events: " + withEvents);
    }
  }

  private void swap(String leaf, int port, int other, boolean withEvents) {
    if (withEvents) {
      network.portDown(leaf, port);
      network.portDown(leaf, other);
    }
    for (Guest guest : world.guests()) {
      if (guest.leaf.equals(leaf) && (guest.port == port || guest.port == other)) {
        guest.port = guest.port == port ? other : port;
      }
    }
    if (withEvents) {
      network.portUp(leaf, port);
      network.portUp(leaf, other);
    }
  }

  @Test
  void guestsBehindOnePortReachEachOtherThroughTheirGateway() {
    begin(6);
    Guest one = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
    Guest other = world.add("s1-0", FIRST_PORT, address("10.0.0.6"));
    one.turn(true);
    one.announce();
    loop.runFor(SECOND_NANOS);
    other.turn(true);
    assertFalse(passes(one, other.address(), other), "not known: the gateway asks for it");
    loop.runFor(SECOND_NANOS);
    assertTrue(passes(one, other.address(), other));
    assertTrue(passes(other, one.address(), one));
  }

  @Test
  void aNeighbourBehindTheSamePortIsAnsweredForOnlyIfItDoesNotAnswerItself() {
    begin(7);
    Guest one = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
    Guest other = world.add("s1-0", FIRST_PORT, address("10.0.0.6"));
    List.of(one, other).forEach(each -> each.turn(true));
    List.of(one, other).forEach(Guest::announce);
    loop.runFor(SECOND_NANOS);
    one.ask(other.address());
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(), world.answers());
    one.ask(other.address());
    loop.runFor(SECOND_NANOS / 10);
    assertEquals(1, world.answers().size());
  }

  @Test
  void whatARouterDoesNotForwardIsDroppedAtTheHostsPort() {
    begin(8);
    Guest guest = world.add("s1-0", FIRST_PORT, address("10.0.0.5"));
    Guest peer = world.add("s1-0", FIRST_PORT + 1, address("10.0.0.6"));
    List.of(guest, peer).forEach(each -> each.turn(true));
    List.of(guest, peer).forEach(Guest::announce);
    loop.runFor(SECOND_NANOS);
    int own = guest.address();
    int to = peer.address();
    long handled = engine.packets().allHandled();
    List<Integer> dropped = new ArrayList<>();
    for (long mac : new long[] {0x0a00_0000_0001L, 0xffff_ffff_ffffL, 0x0180_c200_0000L}) {
      dropped.add(world.nextNumber());
      guest.sendOdd(mac, guest.mac, own, to, 0, dropped.get(dropped.size() - 1));
    }
    for (String source :
        List.of("127.0.0.1", "224.0.0.5", "240.0.0.1", "255.255.255.255", "0.0.0.0")) {
      dropped.add(world.nextNumber());
      int number = dropped.get(dropped.size() - 1);
      guest.sendOdd(Gateway.MAC, guest.mac, address(source), to, 0, number);
    }
    dropped.add(world.nextNumber());
    guest.sendOdd(Gateway.MAC, guest.mac, to, to, 0, dropped.get(dropped.size() - 1));
    dropped.add(world.nextNumber());
    guest.sendOdd(Gateway.MAC, guest.mac, own, to, 10, dropped.get(dropped.size() - 1));
    dropped.add(world.nextNumber());
    guest.sendOdd(Gateway.MAC, 0x0300_0000_0001L, own, to, 0, dropped.get(dropped.size() - 1));
    loop.runFor(SECOND_NANOS / 2);
    for (int number : dropped) {
      assertFalse(peer.hasReceived(number), "packet " + number);
    }
    assertEquals(handled, engine.packets().allHandled(), "none came to the controller");
    assertTrue(passes(guest, to, peer));
  }

  /** Seeds are printed by jqwik; {@code @Property(seed = ...)} repeats one. */
  @Property(tries = 50)
  void guestsAreReachedWhereTheyAreWhateverTheyDo(@ForAll long seed) {
    begin(seed);
    for (int i = 0; i < 12; i++) {
      String leaf = i % 2 == 0 ? "s1-0" : "s1-1";
      int address = address("10.0." + i % 2 + "." + (10 + i));
      int[] addresses = i % 4 == 0 ? new int[] {address, address + 100} : new int[] {address};
      world.add(leaf, anyPort(), addresses);
    }
    for (int step = 0; step < STEPS; step++) {
      step(step);
    }
  }

  private int anyPort() {
    return FIRST_PORT + random.nextInt(PORTS);
  }

  private void step(int step) {
    Guest guest = world.guests().get(random.nextInt(world.guests().size()));
    int kind = random.nextInt(10);
    String what = "step " + step + ", kind " + kind + ", " + guest + ": ";
    switch (kind) {
      case 0:
      case 1:
        startsWithProbes(guest, what);
        break;
      case 2:
        startsWith(guest, what + "announces itself", Guest::announce, DECIDED_NANOS);
        break;
      case 3:
        startsWith(guest, what + "is announced by RARP", Guest::announceByRarp, VERIFIED_NANOS);
        break;
      case 4:
        startsWith(guest, what + "says nothing", any -> {}, VERIFIED_NANOS);
        break;
      case 5:
        guest.turn(false);
        break;
      case 6:
        swap(guest.leaf, anyPort(), anyPort(), random.nextBoolean());
        loop.runFor(VERIFIED_NANOS);
        break;
      case 7:
        takesAnother(guest, what);
        break;
      case 8:
        claimsWhatIsNobodys(guest);
        break;
      default:
        reconnect(guest.leaf);
        break;
    }
    loop.runFor(random.nextLong(3 * SECOND_NANOS));
    Guest asked = world.guests().get(random.nextInt(world.guests().size()));
    if (guest.isOn && asked.leaf.equals(guest.leaf) && asked != guest) {
      guest.ask(asked.address());
    }
    loop.runFor(VERIFIED_NANOS);
    requireHonestAnswers(what);
    requireAllReached(what);
  }

  /** It is off until it knows that its addresses are free. */
  private void startsWithProbes(Guest guest, String what) {
    guest.turn(false);
    guest.port = anyPort();
    for (int probe = 0; probe < 3; probe++) {
      guest.probe();
      loop.runFor(SECOND_NANOS + random.nextLong(SECOND_NANOS));
      assertFalse(guest.hasConflict, what + "is told that its own address is in use");
    }
    guest.turn(true);
    guest.announce();
    loop.runFor(DECIDED_NANOS);
    requireReachedAtOnce(guest, what + "has probed and announced");
  }

  private void startsWith(
      Guest guest,
      String what,
      java.util.function.Consumer<Guest> announcement,
      long decidedNanos) {
    boolean wasKnown = isKnown(guest);
    guest.turn(true);
    guest.port = anyPort();
    announcement.accept(guest);
    loop.runFor(decidedNanos);
    if (wasKnown || decidedNanos == DECIDED_NANOS) {
      requireReachedAtOnce(guest, what);
    }
  }

  private boolean isKnown(Guest guest) {
    return guest.addresses.stream()
        .allMatch(
            address ->
                engine.view().snapshot().hosts().stream().anyMatch(h -> h.address() == address));
  }

  /** A guest that has another's address by mistake finds that out, if the other is on. */
  private void takesAnother(Guest victim, String what) {
    boolean wasOn = victim.isOn;
    Guest thief = world.add(victim.leaf, otherPort(victim.port), victim.address());
    for (int probe = 0; probe < 3; probe++) {
      thief.probe();
      loop.runFor(SECOND_NANOS);
      assertTrue(
          !wasOn || thief.hasConflict, what + "another is not told that its address is in use");
    }
    world.guests().remove(thief);
    if (wasOn) {
      requireReachedAtOnce(victim, victim.addresses.subList(0, 1), what + "another wants to be it");
    }
  }

  private int otherPort(int port) {
    return FIRST_PORT + (port - FIRST_PORT + 1 + random.nextInt(PORTS - 1)) % PORTS;
  }

  private void claimsWhatIsNobodys(Guest guest) {
    int prefix = guest.address() & 0xffff_ff00;
    for (int address : new int[] {prefix, prefix + 1, prefix + 255}) {
      guest.claim(address);
    }
    loop.runFor(SECOND_NANOS);
    assertTrue(
        engine.view().snapshot().hosts().stream()
            .noneMatch(host -> (host.address() & 0xff) < 2 || (host.address() & 0xff) == 255));
  }

  private void reconnect(String leaf) {
    network.disconnect(leaf);
    loop.runFor(random.nextLong(2 * SECOND_NANOS));
    network.connect(leaf);
    loop.runFor(SECOND_NANOS / 10);
    bringUpPorts(leaf);
    loop.runFor(10 * SECOND_NANOS);
  }

  /**
   * Nobody is told of a guest that has been off for long, nor of another MAC than the gateway's.
   */
  private void requireHonestAnswers(String what) {
    for (Answer answer : world.answers()) {
      if ((answer.address & 0xff) > 1) {
        assertEquals(Gateway.MAC, answer.mac, what);
        assertTrue(
            world.isTakenSince(answer.address, answer.atNanos - TOLD_NANOS),
            what + "ARP is answered for " + Ipv4Prefix.format(answer.address) + ", which is off");
      }
    }
  }

  private void requireReachedAtOnce(Guest guest, String what) {
    requireReachedAtOnce(guest, guest.addresses, what);
  }

  private void requireReachedAtOnce(Guest guest, List<Integer> addresses, String what) {
    for (Guest peer : List.copyOf(world.guests())) {
      if (peer.isOn && peer != guest) {
        for (int address : addresses) {
          assertTrue(
              passes(peer, address, guest),
              what + ", and is not reached from " + Ipv4Prefix.format(peer.address()));
        }
        return;
      }
    }
  }

  /** Whoever is not known is asked for when there is a packet for it. */
  private void requireAllReached(String what) {
    List<Guest> on = world.guests().stream().filter(g -> g.isOn).collect(Collectors.toList());
    for (Guest guest : on) {
      Guest peer = on.get(random.nextInt(on.size()));
      if (peer != guest && !passes(peer, guest.address(), guest)) {
        loop.runFor(SECOND_NANOS);
        assertTrue(
            passes(peer, guest.address(), guest),
            what
                + guest
                + " is not reached from "
                + peer
                + "; known "
                + engine.view().snapshot().hosts());
      }
    }
  }
}
