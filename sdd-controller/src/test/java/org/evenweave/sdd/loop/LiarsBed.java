package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Leadership;
import org.evenweave.sdd.session.SessionListener;
import org.evenweave.sdd.session.TriggerEvent;
import org.evenweave.sdd.session.VirtualServer;

/**
 * Two controllers, four honest hosts with their circuit switch, and up to three liars with keys of
 * their own that send whatever they want as hosts or as edges, in virtual time.
 */
final class LiarsBed implements AutoCloseable {
  static final int HONEST = 4;
  static final int LIARS = 3;
  static final int HOSTS = HONEST + LIARS;

  /** Honest hosts hear datagrams at this port and the next ones. */
  static final int PORT = 10;

  static final long TURN_NS = 250_000_000;
  private static final int CONNECTIONS = 5;
  private static final List<String> NAMES = List.of("h0", "h1", "h2", "h3", "l0", "l1", "l2");

  final SddConfig config;
  final Directory directory;

  /** The leader first. */
  final List<VirtualServer> controllers = new ArrayList<>();

  /** Hosts, then the circuit switch. */
  final List<VirtualClient> honest = new ArrayList<>();

  /** What the circuit switch connects. */
  final VirtualCircuits circuits;

  /** Happens whenever the leader has sent a datagram. */
  Runnable afterDatagram = () -> {};

  private final long demandBytes;
  private final Lies lies = new Lies(NAMES);
  private final VirtualServer.Connection[][] connections =
      new VirtualServer.Connection[LIARS][2 * CONNECTIONS];
  private final List<HostSession> sessions = new ArrayList<>();
  private long nowNs = 1_000_000_000_000L;
  private long reports;

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

  /**
   * All honest ones have a session, and have reported.
   *
   * @param demandBytes the least that an honest host has for each other one
   */
  LiarsBed(String loop, long periodNs, long demandBytes) throws SddConfigException {
    this.demandBytes = demandBytes;
    String json =
        "{\"hosts\": [\"h0\", \"h1\", \"h2\", \"h3\", \"l0\", \"l1\", \"l2\"],"
            + " \"circuitSwitch\": \"cs\", \"loop\": \""
            + loop
            + "\", \"periodNs\": "
            + periodNs
            + "}";
    config = SddConfigReader.read(json.getBytes(StandardCharsets.UTF_8), Path.of("."));
    directory = config.directory();
    circuits = new VirtualCircuits(config.nightNs(), config.guardNs());
    for (int number = 0; number < 2; number++) {
      controllers.add(controller(number));
    }
    controllers.get(0).leadership().lead();
    for (int number = 0; number < HONEST; number++) {
      String name = NAMES.get(number);
      honest.add(
          new VirtualClient(
              name,
              ClientFrames.hostHello(name, 1, 1_000, PORT + number, 1 + number),
              controllers,
              this::nowNs,
              null));
    }
    honest.add(
        new VirtualClient(
            "cs",
            ClientFrames.switchHello("cs", NAMES.toArray(new String[0])),
            controllers,
            this::nowNs,
            circuits));
    for (int turn = 0; turn < 20; turn++) {
      turn();
    }
    for (int number = 0; number < HONEST; number++) {
      sessions.add(controllers.get(0).sessions().host(number));
    }
  }

  private VirtualServer controller(int number) {
    return new VirtualServer(
        directory,
        NAMES.subList(HONEST, HOSTS),
        config.network().weekNs(),
        this::nowNs,
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
        new Listener(
            new QueueSetup(
                directory, config.network().weekNs(), 0, List.of(), List.of(), Map.of())),
        this::datagram);
  }

  private void datagram(byte[] bytes, int port) {
    if (port >= PORT && port < PORT + HONEST) {
      honest.get(port - PORT).datagram(bytes);
    }
    afterDatagram.run();
  }

  long nowNs() {
    return nowNs;
  }

  /** Time passes, and all honest ones do what they have to. */
  void pass(long ns) {
    nowNs += ns;
    controllers.forEach(controller -> controller.advance(ns));
    honest.forEach(VirtualClient::act);
  }

  /** Honest hosts report. */
  void report() {
    reports++;
    for (int number = 0; number < HONEST; number++) {
      List<long[]> rows = new ArrayList<>();
      for (int to = 0; to < HONEST; to++) {
        if (demandOf(number, to) > 0) {
          rows.add(new long[] {to, demandOf(number, to), demandBytes, 0});
        }
      }
      VirtualClient host = honest.get(number);
      host.report(ClientFrames.clockStatus(nowNs, 0, 100, true));
      host.report(ClientFrames.demandReport(reports, nowNs, 0, 0, 0, rows.toArray(new long[0][])));
    }
  }

  /** What an honest host reports for a destination. */
  private long demandOf(int number, int to) {
    return to >= HONEST || to == number ? 0 : demandBytes * (1 + to) + number;
  }

  /** A quarter of a second, at whose end honest hosts report. */
  void turn() {
    for (int round = 0; round < 5; round++) {
      pass(TURN_NS / 5);
    }
    report();
  }

  /** All connections of all liars say that they hear nobody any more, and of a later generation. */
  private void sayInChorus(Random random) {
    for (int liar = 0; liar < LIARS; liar++) {
      String name = NAMES.get(HONEST + liar);
      for (int place = 0; place < 2 * CONNECTIONS; place++) {
        VirtualServer.Connection connection = controllers.get(place % 2).connect(name);
        connection.send(lies.hostHello(name, random));
        connection.send(ClientFrames.following(nowNs, true));
        connection.send(ClientFrames.following(nowNs, false));
        connections[liar][place] = connection;
      }
    }
  }

  /** A turn, or what a liar does. */
  void step(int what) {
    Random random = new Random(what);
    if (random.nextInt(4) == 0) {
      turn();
    } else {
      lie(random);
    }
  }

  /** A liar connects, ends a connection, or says something; or all of them do at once. */
  void lie(Random random) {
    int liar = random.nextInt(LIARS);
    String name = NAMES.get(HONEST + liar);
    int place = random.nextInt(2 * CONNECTIONS);
    VirtualServer.Connection connection = connections[liar][place];
    if (random.nextInt(4) == 0) {
      sayInChorus(random);
    } else if (connection == null || !connection.isUp()) {
      connection = controllers.get(place % 2).connect(name);
      connection.send(
          random.nextInt(3) == 0 ? ClientFrames.edgeHello(name) : lies.hostHello(name, random));
      connections[liar][place] = connection;
    } else if (random.nextInt(20) == 0) {
      connection.close();
    } else {
      long generation = controllers.get(0).leadership().generation();
      connection.send(lies.message(name, nowNs, generation, random));
    }
    pass(0);
  }

  /** A liar reports to the leader as an honest host may, often in a new session. */
  void pretend(Random random) {
    int liar = random.nextInt(LIARS);
    String name = NAMES.get(HONEST + liar);
    if (connections[liar][0] == null || !connections[liar][0].isUp() || random.nextInt(3) == 0) {
      connections[liar][0] = controllers.get(0).connect(name);
      connections[liar][0].send(lies.hostHello(name, random));
    }
    for (Frame frame : lies.pretence(reports, nowNs, random)) {
      connections[liar][0].send(frame);
    }
    pass(0);
  }

  /** What was true when the bed was made still is. */
  void assertNothingHasHappened() {
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
  void assertDemandIsPlannedFor() {
    Observed observed = config.nothingObserved();
    estimator(observed).estimate(controllers.get(0).sessions(), null, observed);
    for (int number = 0; number < HONEST; number++) {
      for (int to = 0; to < HOSTS; to++) {
        assertEquals(
            demandOf(number, to),
            observed.of(0).get(number, to),
            "h" + number + " to " + NAMES.get(to));
      }
    }
  }

  /** As the loop has it. */
  DemandEstimator estimator(Observed observed) {
    return new DemandEstimator(
        directory, observed, config.network(), config.guardNs(), config.shortestSlotNs(), null);
  }

  /** A week of the demand as it is now. */
  Week plan(long period, long startNs, DemandEstimator estimator, Observed observed) {
    estimator.estimate(controllers.get(0).sessions(), null, observed);
    observed.sum();
    Week week = new Week(HOSTS);
    week.setBusy(true);
    week.of(period, startNs);
    week.demand().copyFrom(observed.demand());
    config.scheduler().plan(observed, week.schedule());
    return week;
  }

  @Override
  public void close() {
    controllers.forEach(VirtualServer::close);
  }
}
