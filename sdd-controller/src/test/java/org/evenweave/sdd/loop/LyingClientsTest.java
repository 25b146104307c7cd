package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Leadership;
import org.evenweave.sdd.session.SessionListener;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.TriggerEvent;
import org.evenweave.sdd.session.VirtualServer;

/**
 * Two controllers, four honest hosts with their circuit switch, and up to three liars with keys of
 * their own that send whatever they want as hosts or as edges, in virtual time: the honest ones
 * keep their sessions, one controller leads, what is sent to an honest host goes to it, what it
 * wants to send is planned for, and it is told each slot of the plan. What a step does is a number,
 * so that a failing run shrinks to the few that matter.
 */
class LyingClientsTest {
  private static final int HONEST = 4;
  private static final int LIARS = 3;
  private static final int HOSTS = HONEST + LIARS;
  private static final int CONNECTIONS = 5;
  private static final long PERIOD_NS = 10_000_000;
  private static final long TURN_NS = 250_000_000;
  private static final long SILENCE_NS = 3_000_000_000L;
  private static final List<String> NAMES = List.of("h0", "h1", "h2", "h3", "l0", "l1", "l2");
  private static final String CONFIGURATION =
      "{\"hosts\": [\"h0\", \"h1\", \"h2\", \"h3\", \"l0\", \"l1\", \"l2\"],"
          + " \"circuitSwitch\": \"cs\", \"loop\": \"loose\", \"periodNs\": "
          + PERIOD_NS
          + "}";

  /** Of edges' reports: large in memory, deep, of wrong types, and none. */
  private static final List<String> DOCUMENTS =
      List.of(
          "{\"peers\":[" + "[],".repeat(2_000) + "[]]}",
          "[".repeat(1_000),
          "{\"peers\":{\"peers\":-1}}",
          "{}",
          "");

  private final SddConfig config;
  private final Directory directory = new Directory(NAMES, "cs");
  private final List<VirtualServer> controllers = new ArrayList<>();
  private final List<QueueSetup> setups = new ArrayList<>();
  private final List<VirtualClient> honest = new ArrayList<>();
  private final VirtualServer.Connection[][] lies =
      new VirtualServer.Connection[LIARS][2 * CONNECTIONS];
  private long nowNs = 1_000_000_000_000L;
  private long period;

  private static final class Listener implements SessionListener {
    private final QueueSetup setup;

    Listener(QueueSetup setup) {
      this.setup = setup;
    }

    @Override
    public void hostUp(HostSession host) {
      setup.hostUp(host);
    }

    @Override
    public void hostDown(HostSession host) {
      setup.hostDown(host);
    }

    @Override
    public void demandReported(HostSession host) {
      setup.demandReported(host);
    }

    @Override
    public void triggerFired(HostSession host, TriggerEvent event) {
      // There are no triggers.
    }
  }

  LyingClientsTest() throws SddConfigException {
    config = SddConfigReader.read(CONFIGURATION.getBytes(StandardCharsets.UTF_8), Path.of("."));
  }

  /** Of all tries of a property there is one object. */
  private void start() throws IOException {
    controllers.clear();
    setups.clear();
    honest.clear();
    for (VirtualServer.Connection[] of : lies) {
      Arrays.fill(of, null);
    }
    for (int c = 0; c < 2; c++) {
      QueueSetup setup = new QueueSetup(directory, PERIOD_NS, 0, List.of(), List.of(), Map.of());
      setups.add(setup);
      int number = c;
      controllers.add(
          new VirtualServer(
              directory,
              List.of("l0", "l1", "l2"),
              PERIOD_NS,
              () -> nowNs,
              new Leadership.Listener() {
                @Override
                public void leads(long generation) {
                  // There is no loop to start.
                }

                @Override
                public void standsBy() {
                  controllers.get(number).sessions().endAll();
                }
              },
              new Listener(setup)));
    }
    controllers.get(0).leadership().lead();
    for (int number = 0; number < HONEST; number++) {
      honest.add(
          client("h" + number, ClientFrames.hostHello("h" + number, 1, 1_000, 9, 1 + number)));
    }
    honest.add(client("cs", ClientFrames.switchHello("cs", NAMES.toArray(new String[0]))));
    for (int turn = 0; turn < 20; turn++) {
      turn();
    }
  }

  private VirtualClient client(String name, Frame hello) {
    return new VirtualClient(name, hello, controllers);
  }

  /** A quarter of a second, in which all honest ones do what they have to. */
  private void turn() {
    nowNs += TURN_NS;
    period++;
    for (int round = 0; round < 3; round++) {
      controllers.forEach(controller -> controller.advance(round(TURN_NS)));
      honest.forEach(VirtualClient::act);
    }
    for (int number = 0; number < HONEST; number++) {
      int to = (number + 1) % HONEST;
      honest.get(number).report(ClientFrames.clockStatus(nowNs, 0, 100, true));
      honest
          .get(number)
          .report(
              ClientFrames.demandReport(
                  period, nowNs, 0, 0, 0, new long[] {to, 10_000 + number, 10_000, 0}));
    }
  }

  /**
   * The leader plans a week and tells it, as its loop does every period: each honest host is told
   * all of its slots, and the circuit switch all days.
   */
  private void assertAWeekIsTold() {
    Sessions sessions = controllers.get(0).sessions();
    Observed observed = new Observed(HOSTS, List.of());
    new DemandEstimator(
            directory, observed, config.network(), config.guardNs(), config.shortestSlotNs(), null)
        .estimate(sessions, null, observed);
    Week week = new Week(HOSTS);
    week.setBusy(true);
    week.of(period + 1, nowNs + PERIOD_NS);
    config.scheduler().plan(observed, week.schedule());
    new LooseCoupling(config, sessions).announce(week, sessions.circuitSwitch());
    controllers.get(0).advance(0);
    honest.forEach(VirtualClient::act);
    int slots = 0;
    for (int number = 0; number < HONEST; number++) {
      List<List<Long>> planned = new ArrayList<>();
      week.schedule()
          .visitSlots(
              number,
              week.startNs(),
              (destination, startNs, endNs) ->
                  planned.add(List.of((long) directory.queueTo(destination, 0), startNs, endNs)));
      assertEquals(planned, honest.get(number).takeSlots(), "h" + number);
      slots += planned.size();
    }
    assertTrue(slots > 0, "honest hosts have demand");
    assertEquals(week.schedule().days(), honest.get(HONEST).takeConfigurations().size());
  }

  private static long round(long ns) {
    return ns / 3;
  }

  /** What a liar says: a message of any kind, with numbers that hurt. */
  private byte[] lie(int liar, Random random) {
    String name = random.nextInt(4) == 0 ? NAMES.get(random.nextInt(HOSTS)) : "l" + liar;
    long[] numbers = {
      0,
      1,
      nowNs,
      nowNs + 500_000_000,
      nowNs + 1_500_000_000,
      Long.MAX_VALUE,
      Long.MAX_VALUE - 1,
      controllers.get(0).leadership().generation() + 1,
      Long.MIN_VALUE + 1,
      1L << 62
    };
    long number = numbers[random.nextInt(numbers.length)];
    long positive = number & Long.MAX_VALUE - 1;
    int queue = random.nextInt(HOSTS + 2);
    switch (random.nextInt(16)) {
      case 0:
      case 1:
        return ClientFrames.hostHello(name, 1, 1_000, 9, 1 + random.nextInt(HOSTS)).bytes();
      case 2:
      case 3:
      case 4:
        return ClientFrames.following(positive, random.nextBoolean()).bytes();
      case 5:
        return ClientFrames.demandReport(
                positive, number, 0, 0, 0, new long[] {queue, positive, positive, positive})
            .bytes();
      case 6:
        return ClientFrames.clockStatus(number, number, positive, random.nextBoolean()).bytes();
      case 7:
        return ClientFrames.missed(positive, number, new long[] {queue, positive, positive, 9})
            .bytes();
      case 8:
        return ClientFrames.policyChanged(number, random.nextBoolean(), Reason.CLOCK_OFF).bytes();
      case 9:
        return ClientFrames.reply(random.nextInt(50), Status.BUSY, 0, 0, "no").bytes();
      case 10:
        return ClientFrames.switchHello("cs", NAMES.toArray(new String[0])).bytes();
      case 11:
        return ClientFrames.circuitStats(number, 3, 1).bytes();
      case 12:
        return ClientFrames.triggerFired(positive, queue, number, number, positive, positive)
            .bytes();
      case 13:
        return ClientFrames.edgeHello(name).bytes();
      case 14:
        String document = DOCUMENTS.get(random.nextInt(DOCUMENTS.size()));
        return ClientFrames.edgeReport(queue, random.nextInt(HOSTS + 2), document).bytes();
      default:
        byte[] noise = new byte[8 + random.nextInt(60)];
        random.nextBytes(noise);
        return noise;
    }
  }

  /** All connections of all liars say that they hear nobody any more, and of a later generation. */
  private void sayInChorus() {
    for (int liar = 0; liar < LIARS; liar++) {
      for (int place = 0; place < 2 * CONNECTIONS; place++) {
        VirtualServer.Connection connection = controllers.get(place % 2).connect("l" + liar);
        connection.send(ClientFrames.hostHello("l" + liar, 1, 1_000, 9, HOSTS));
        connection.send(ClientFrames.following(nowNs, true));
        connection.send(ClientFrames.following(nowNs, false));
        lies[liar][place] = connection;
      }
    }
    controllers.forEach(controller -> controller.advance(0));
    honest.forEach(VirtualClient::act);
  }

  private void step(int what) {
    Random random = new Random(what);
    if (random.nextInt(4) == 0) {
      turn();
      return;
    }
    int liar = random.nextInt(LIARS);
    if (random.nextInt(4) == 0) {
      sayInChorus();
      return;
    }
    int place = random.nextInt(2 * CONNECTIONS);
    VirtualServer.Connection connection = lies[liar][place];
    if (connection == null || !connection.isUp()) {
      connection = controllers.get(place % 2).connect("l" + liar);
      connection.send(
          random.nextInt(3) == 0
              ? ClientFrames.edgeHello("l" + liar)
              : ClientFrames.hostHello("l" + liar, 1, 1_000, 9, 1 + random.nextInt(HOSTS)));
      lies[liar][place] = connection;
    } else if (random.nextInt(20) == 0) {
      connection.close();
    } else {
      connection.send(lie(liar, random));
    }
    controllers.forEach(controller -> controller.advance(0));
    honest.forEach(VirtualClient::act);
  }

  private void assertNothingHasHappened(List<HostSession> sessions) {
    assertTrue(controllers.get(0).leadership().leads());
    assertFalse(controllers.get(1).leadership().leads());
    for (int number = 0; number < HONEST; number++) {
      assertEquals(sessions.get(number), controllers.get(0).sessions().host(number));
      assertTrue(sessions.get(number).isUp());
      for (int other = 0; other < HONEST; other++) {
        Long queue = other == number ? null : (Long) (long) other;
        assertEquals(queue, honest.get(number).queueTo(1 + other), "h" + number + " to h" + other);
      }
    }
    honest.forEach(client -> assertEquals(0, client.followed()));
    honest.forEach(client -> assertEquals(1, client.begun()));
  }

  /** Each honest host's part of the demand is what it said. */
  private void assertDemandIsPlannedFor() {
    turn();
    Observed observed = new Observed(HOSTS, List.of());
    new DemandEstimator(
            directory,
            observed,
            new CircuitNetwork(HOSTS, 1_000_000_000, 0, 100_000, PERIOD_NS),
            20_000,
            1,
            null)
        .estimate(controllers.get(0).sessions(), null, observed);
    for (int number = 0; number < HONEST; number++) {
      for (int to = 0; to < HOSTS; to++) {
        long bytes = to == (number + 1) % HONEST ? 10_000 + number : 0;
        assertEquals(bytes, observed.of(0).get(number, to), "h" + number + " to " + NAMES.get(to));
      }
    }
  }

  @Property(tries = 300)
  void liarsHarmNobodyButThemselves(@ForAll @Size(max = 150) List<Integer> steps)
      throws IOException {
    start();
    List<HostSession> sessions = new ArrayList<>();
    for (int number = 0; number < HONEST; number++) {
      sessions.add(controllers.get(0).sessions().host(number));
    }
    try {
      assertNothingHasHappened(sessions);
      long lastTurnNs = nowNs;
      for (int what : steps) {
        step(what);
        // Honest ones are never silent for so long that they have no say.
        assertTrue(nowNs - lastTurnNs < SILENCE_NS);
        lastTurnNs = nowNs;
        assertNothingHasHappened(sessions);
      }
      assertDemandIsPlannedFor();
      assertAWeekIsTold();
      assertNothingHasHappened(sessions);
    } finally {
      controllers.forEach(VirtualServer::close);
    }
  }

  /**
   * The leader ends in the midst of it: the other one takes over, and all honest ones follow it.
   */
  @Property(tries = 100)
  void amongLiarsTheNextControllerTakesOver(@ForAll @Size(max = 60) List<Integer> steps)
      throws IOException {
    start();
    try {
      steps.forEach(this::step);
      controllers.get(0).leadership().end();
      controllers.get(0).close();
      honest.forEach(VirtualClient::act);
      for (int turn = 0; turn < 40; turn++) {
        turn();
      }
      assertTrue(controllers.get(1).leadership().leads());
      honest.forEach(client -> assertEquals(1, client.followed()));
      assertTrue(
          controllers.get(1).leadership().generation() <= nowNs + Leadership.PATIENCE_NS,
          "a generation of the future");
    } finally {
      controllers.get(1).close();
    }
  }
}
