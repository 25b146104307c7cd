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

/** Who leads, in virtual time, on clients that follow the highest generation. */
class LeadershipTest {
  private long nowNs = 1_000;
  private final List<String> events = new ArrayList<>();

  private Leadership controller(String name) {
    return new Leadership(
        () -> nowNs,
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

  /** A client that waits at a controller; it is welcomed once. */
  private static final class Client implements Leadership.Waiting {
    int welcomes;

    @Override
    public void leads() {
      welcomes++;
    }
  }

  @Test
  void aControllerThatLeadsLetsNobodyWait() {
    Leadership first = controller("first");
    first.lead();
    assertFalse(first.await(new Client()));
    assertEquals(1_000, first.generation());
    assertEquals(List.of("first leads"), events);
  }

  @Test
  void itTakesOverAtOnceWhenBothClientsHearNobodyAnyMore() {
    Leadership second = controller("second");
    Client host = new Client();
    Client circuitSwitch = new Client();
    assertTrue(second.await(host));
    assertTrue(second.await(circuitSwitch));
    second.said(host, 900, true);
    second.said(circuitSwitch, 900, true);
    nowNs += Leadership.SILENCE_NS - 1;
    second.said(host, 900, false);
    assertEquals(List.of(), events);
    second.said(circuitSwitch, 900, false);
    assertEquals(List.of("second leads"), events);
    assertEquals(2, host.welcomes + circuitSwitch.welcomes);
    assertEquals(nowNs, second.generation());
    assertEquals(0, second.waiting());
  }

  @Test
  void oneThatGoesWhileTheOthersHearNobodyIsWaitedForNoMore() {
    Leadership second = controller("second");
    Client gone = new Client();
    Client stays = new Client();
    second.await(gone);
    second.await(stays);
    second.said(gone, 900, true);
    second.said(stays, 900, true);
    second.said(stays, 900, false);
    second.left(gone);
    assertEquals(1, stays.welcomes);
    assertEquals(0, gone.welcomes);
  }

  @Test
  void itTakesOverWhenMoreThanHalfHearNobody() {
    Leadership second = controller("second");
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      clients.add(new Client());
      second.await(clients.get(i));
      second.said(clients.get(i), 900, true);
    }
    second.said(clients.get(4), 900, false);
    second.said(clients.get(0), 900, false);
    second.said(clients.get(0), 900, true);
    second.said(clients.get(2), 900, false);
    assertEquals(List.of(), events);
    second.said(clients.get(1), 900, false);
    assertEquals(List.of("second leads"), events);
    clients.forEach(client -> assertEquals(1, client.welcomes));
  }

  /** It hangs, maybe together with the controller that it followed. */
  @Test
  void aClientThatSaysNothingCountsAsNeither() {
    Leadership second = controller("second");
    Client hangs = new Client();
    Client host = new Client();
    second.await(hangs);
    second.await(host);
    second.await(new Client()); // of a schema in which clients do not say anything
    second.said(hangs, 900, true);
    second.said(host, 900, true);
    second.said(host, 900, false);
    nowNs += Leadership.SILENCE_NS - 1;
    second.said(host, 900, false);
    assertEquals(List.of(), events);
    nowNs++;
    second.said(host, 900, false);
    assertEquals(List.of("second leads"), events);
  }

  /** One that reaches a few clients only has taken over; these may as well follow the first. */
  @Test
  void oneThatWasOvertakenByAFewTakesOverAgain() {
    Leadership first = controller("first");
    first.lead();
    first.said(new Client(), 1_100, true);
    assertEquals(List.of("first leads", "first stands by"), events);
    Client few = new Client();
    List<Client> most = List.of(new Client(), new Client());
    first.await(few);
    first.said(few, 1_100, true);
    most.forEach(first::await);
    most.forEach(client -> first.said(client, 1_000, false));
    assertEquals(0, first.generation());
    nowNs += Leadership.PATIENCE_NS;
    first.said(few, 1_100, true);
    most.forEach(client -> first.said(client, 1_000, false));
    assertTrue(first.generation() > 1_100);
    assertEquals(1, few.welcomes);
  }

  /** A client that has just started may not have found the one that leads yet. */
  @Test
  void aClientThatHasHeardNobodyYetIsGivenTime() {
    Leadership second = controller("second");
    Client host = new Client();
    second.await(host);
    second.said(host, 0, false);
    nowNs += Leadership.PATIENCE_NS - 1;
    second.said(host, 0, false);
    assertEquals(List.of(), events);
    nowNs++;
    second.said(host, 0, false);
    assertEquals(List.of("second leads"), events);
  }

  @Test
  void aClockThatWentBackDoesNotKeepItFromALaterGeneration() {
    Leadership first = controller("first");
    first.lead();
    first.said(new Client(), 5_000, false);
    assertEquals(List.of("first leads", "first stands by"), events);
    Client host = new Client();
    assertTrue(first.await(host));
    nowNs += Leadership.PATIENCE_NS;
    nowNs -= Leadership.PATIENCE_NS;
    first.said(host, 5_000, true);
    first.said(host, 5_000, false);
    assertEquals(5_001, first.generation());
  }

  @Test
  void oneThatEndsBeginsNothing() {
    Leadership second = controller("second");
    Client host = new Client();
    second.await(host);
    second.said(host, 900, true);
    second.end();
    second.said(host, 900, false);
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
