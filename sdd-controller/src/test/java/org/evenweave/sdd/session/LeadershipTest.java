package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The election of the leader, in virtual time, on clients that follow the highest generation. */
class LeadershipTest {
  private long nowNs = 1_000;
  private final List<String> events = new ArrayList<>();

  private static final int NAMES = 5;

  private Leadership controller(String name) {
    return new Leadership(
        () -> nowNs,
        NAMES,
        new Leadership.Listener() {
          @Override
          public void leads(long generation) {
            events.add(name + " leads");
          }

          @Override
          public void standsBy() {
            events.add(name + " stands by");
          }
        });
  }

  /** One that has stood by for long. */
  private Leadership standby(String name) {
    Leadership second = controller(name);
    nowNs += Leadership.PATIENCE_NS;
    return second;
  }

  private int clients;

  /** A client that waits at a controller; it is welcomed once. */
  private final class Client implements Leadership.Member {
    final String name;
    final boolean isCircuitSwitch;
    int welcomes;
    boolean isReplaced;

    Client(String name, boolean isCircuitSwitch) {
      this.name = name;
      this.isCircuitSwitch = isCircuitSwitch;
    }

    Client() {
      this("h" + clients++, false);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isCircuitSwitch() {
      return isCircuitSwitch;
    }

    @Override
    public void leads() {
      welcomes++;
    }

    @Override
    public void replaced() {
      isReplaced = true;
    }
  }

  /** Clients that have entered. */
  private List<Client> clientsOf(Leadership controller, int count) {
    List<Client> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Client());
      controller.enter(all.get(i));
    }
    return all;
  }

  @Test
  void aControllerThatLeadsLetsNobodyWait() {
    Leadership first = controller("first");
    first.lead();
    assertTrue(first.enter(new Client()));
    assertEquals(1_000, first.generation());
    assertEquals(List.of("first leads"), events);
  }

  @Test
  void itTakesOverAtOnceWhenBothClientsHearNobodyAnyMore() {
    Leadership second = standby("second");
    Client host = new Client();
    Client circuitSwitch = new Client("cs", true);
    assertFalse(second.enter(host));
    assertFalse(second.enter(circuitSwitch));
    second.reported(host, 0, 900, true);
    second.reported(circuitSwitch, 0, 900, true);
    nowNs += Leadership.SILENCE_NS - 1;
    second.reported(host, 0, 900, false);
    assertEquals(List.of(), events);
    second.reported(circuitSwitch, 0, 900, false);
    assertEquals(List.of("second leads"), events);
    assertEquals(2, host.welcomes + circuitSwitch.welcomes);
    assertEquals(nowNs, second.generation());
    assertEquals(0, second.waiting());
  }

  @Test
  void oneThatGoesWhileTheOthersHearNobodyIsWaitedForNoMore() {
    Leadership second = standby("second");
    List<Client> both = clientsOf(second, 2);
    both.forEach(client -> second.reported(client, 0, 900, true));
    second.reported(both.get(1), 0, 900, false);
    second.left(both.get(0));
    assertEquals(1, both.get(1).welcomes);
    assertEquals(0, both.get(0).welcomes);
  }

  @Test
  void itTakesOverWhenMoreThanHalfHearNobody() {
    Leadership second = standby("second");
    List<Client> five = clientsOf(second, 5);
    five.forEach(client -> second.reported(client, 0, 900, true));
    second.reported(five.get(4), 0, 900, false);
    second.reported(five.get(0), 0, 900, false);
    second.reported(five.get(0), 0, 900, true);
    second.reported(five.get(2), 0, 900, false);
    assertEquals(List.of(), events);
    second.reported(five.get(1), 0, 900, false);
    assertEquals(List.of("second leads"), events);
    five.forEach(client -> assertEquals(1, client.welcomes));
  }

  /** It hangs, maybe together with the controller that it followed. */
  @Test
  void aClientThatSaysNothingCountsAsNeither() {
    Leadership second = standby("second");
    List<Client> all = clientsOf(second, 3); // The last is of a schema in which they say nothing.
    second.reported(all.get(0), 0, 900, true);
    second.reported(all.get(1), 0, 900, true);
    second.reported(all.get(1), 0, 900, false);
    nowNs += Leadership.SILENCE_NS - 1;
    second.reported(all.get(1), 0, 900, false);
    assertEquals(List.of(), events);
    nowNs++;
    second.reported(all.get(1), 0, 900, false);
    assertEquals(List.of("second leads"), events);
  }

  /** A client that has just started may not have found the one that leads yet. */
  @Test
  void aClientThatHasHeardNobodyYetIsGivenTime() {
    Leadership second = standby("second");
    Client host = new Client();
    second.enter(host);
    second.reported(host, 0, 0, false);
    nowNs += Leadership.PATIENCE_NS - 1;
    second.reported(host, 0, 0, false);
    assertEquals(List.of(), events);
    nowNs++;
    second.reported(host, 0, 0, false);
    assertEquals(List.of("second leads"), events);
  }

  /** The first to connect would be more than half of all. */
  @Test
  void oneThatHasJustStartedGivesAllOthersTime() {
    Leadership second = controller("second");
    Client liar = new Client();
    second.enter(liar);
    second.reported(liar, 0, 900, true);
    nowNs += Leadership.PATIENCE_NS - 1;
    second.reported(liar, 0, 900, false);
    assertEquals(List.of(), events);
    clientsOf(second, 2).forEach(client -> second.reported(client, 0, 900, true));
    nowNs++;
    second.reported(liar, 0, 900, false);
    assertEquals(List.of(), events);
  }

  @Test
  void aNameHasOneVoteHoweverOftenItConnects() {
    Leadership second = standby("second");
    List<Client> honest = clientsOf(second, 3);
    honest.forEach(client -> second.reported(client, 0, 900, true));
    List<Client> liars = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      liars.add(new Client("liar", false));
      second.enter(liars.get(i));
      second.reported(liars.get(i), 0, 900, true);
      second.reported(liars.get(i), 0, 900, false);
    }
    liars.forEach(client -> second.reported(client, 0, 900, false));
    assertEquals(List.of(), events);
    assertEquals(4, second.waiting());
    assertTrue(liars.get(0).isReplaced);
    assertFalse(liars.get(4).isReplaced);
    second.left(liars.get(0));
    assertEquals(4, second.waiting());
  }

  /** Two of three follow another one. */
  @Test
  void mostOfThoseConnectedHaveItStandBy() {
    Leadership first = controller("first");
    first.lead();
    List<Client> three = clientsOf(first, 3);
    nowNs += Leadership.PATIENCE_NS;
    first.reported(three.get(0), first.generation(), nowNs, true);
    assertEquals(List.of("first leads"), events);
    first.reported(three.get(1), first.generation(), nowNs, true);
    assertEquals(List.of("first leads", "first stands by"), events);
    nowNs += Leadership.PATIENCE_NS;
    three.forEach(client -> first.reported(client, first.generation(), nowNs, false));
    assertEquals("first leads", events.get(2));
    three.forEach(client -> assertEquals(1, client.welcomes));
  }

  /** The one that it followed has ended. */
  @Test
  void oneThatFollowsALaterGenerationAloneIsServedAgainAndNobodyElseNotices() {
    Leadership first = controller("first");
    first.lead();
    List<Client> three = clientsOf(first, 3);
    long later = nowNs + 5;
    nowNs += Leadership.PATIENCE_NS;
    first.reported(three.get(0), first.generation(), later, false);
    nowNs += Leadership.PATIENCE_NS - 1;
    first.reported(three.get(0), 0, later, false);
    assertEquals(1_000, first.generation());
    nowNs++;
    first.reported(three.get(0), 0, later, false);
    assertTrue(first.generation() > later);
    assertEquals(List.of("first leads"), events);
    assertEquals(1, three.get(0).welcomes);
    assertEquals(0, three.get(1).welcomes + three.get(2).welcomes);
  }

  /** It leads as a later generation by now, which the client has not been offered. */
  @Test
  void oneThatDeclinesWhatItWasOfferedBeforeIsWelcomedAgainAtOnce() {
    Leadership first = controller("first");
    first.lead();
    List<Client> four = clientsOf(first, 4);
    nowNs += Leadership.PATIENCE_NS;
    first.reported(four.get(0), 1_000, 7_000, false);
    nowNs += Leadership.PATIENCE_NS;
    first.reported(four.get(0), 0, 7_000, false);
    assertTrue(first.generation() > 7_000);
    first.reported(four.get(1), 1_000, 6_000, false);
    assertEquals(1, four.get(1).welcomes);
  }

  @Test
  void theCircuitSwitchAndALinkedControllerVouchForALaterGeneration() {
    Leadership first = controller("first");
    first.lead();
    List<Client> hosts = clientsOf(first, 3);
    nowNs += Leadership.PATIENCE_NS;
    long later = nowNs - 1;
    first.reported(hosts.get(0), first.generation(), later, true);
    assertEquals(List.of("first leads"), events);
    first.linkedLeads(later - 1);
    assertEquals(List.of("first leads"), events);
    first.linkedLeads(later);
    assertEquals(List.of("first leads", "first stands by"), events);

    Leadership other = controller("other");
    other.lead();
    Client circuitSwitch = new Client("cs", true);
    other.enter(circuitSwitch);
    clientsOf(other, 3);
    other.reported(circuitSwitch, other.generation(), nowNs + 1, true);
    assertEquals("other stands by", events.get(3));
  }

  @Test
  void aGenerationOfTheFutureIsNobodysWhoeverSaysIt() {
    Leadership first = controller("first");
    first.lead();
    Client circuitSwitch = new Client("cs", true);
    first.enter(circuitSwitch);
    List<Client> hosts = clientsOf(first, 3);
    nowNs += Leadership.PATIENCE_NS;
    for (long lie : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, nowNs + 2_000_000_000L}) {
      first.reported(circuitSwitch, first.generation(), lie, true);
      first.reported(hosts.get(0), first.generation(), lie, false);
    }
    assertEquals(List.of("first leads"), events);
    Leadership second = standby("second");
    Client liar = new Client("liar", false);
    second.enter(liar);
    second.reported(liar, 0, Long.MAX_VALUE - 1, false);
    second.lead();
    assertEquals(nowNs, second.generation());
  }

  /** They have seen it lead before the clock was set back. */
  @Test
  void aClockThatWentBackDoesNotKeepItFromALaterGeneration() {
    Leadership first = controller("first");
    first.lead();
    List<Client> most = clientsOf(first, 3);
    long before = nowNs + 10 * Leadership.AHEAD_NS;
    most.forEach(client -> first.reported(client, first.generation(), before, false));
    assertEquals(List.of("first leads", "first stands by"), events);
    nowNs += Leadership.PATIENCE_NS;
    most.forEach(client -> first.reported(client, first.generation(), before, false));
    assertEquals(before + 1, first.generation());
  }

  @Test
  void oneThatEndsBeginsNothing() {
    Leadership second = standby("second");
    Client host = new Client();
    second.enter(host);
    second.reported(host, 0, 900, true);
    second.end();
    second.reported(host, 0, 900, false);
    assertEquals(List.of(), events);
  }

  /**
   * Two controllers and clients between which messages take any time, connections break and pauses
   * last any time: generations of those who lead differ, a client's only rise, and when all is
   * quiet one leads whom all follow.
   */
  @Property
  void inTheEndOneLeadsWhomAllFollow(@ForAll long seed) {
    Random random = new Random(seed);
    LeadershipModel model = new LeadershipModel(random, 2, 1 + random.nextInt(4));
    for (int step = 0; step < 300; step++) {
      model.step();
    }
    model.settle();
  }
}
