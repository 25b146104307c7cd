package org.evenweave.sdd.loop;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.handover.UnconfirmedException;
import org.evenweave.sdd.policy.ClassSharing;
import org.evenweave.sdd.policy.SessionApi;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.session.Controllers;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.Edges;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Leadership;
import org.evenweave.sdd.session.SessionListener;
import org.evenweave.sdd.session.SessionServer;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.TriggerEvent;
import org.evenweave.sdd.trigger.HeldPairs;
import org.evenweave.sdd.trigger.Triggers;
import org.evenweave.tls.Expiry;
import org.evenweave.tls.TlsIdentity;

/**
 * The SDD controller: the sessions with hosts, and the control loop. A runtime needs only this
 * class.
 */
public final class SddController implements AutoCloseable {

  /**
   * Periods are counted from the clock's beginning, so that all controllers have the same. One that
   * begins to lead in period p plans its first week at the start of p + 1, for p + 2: behind the
   * last that one before it may have announced, which is p + 1.
   */
  private static final long EPOCH_NS = 0;

  private static final long CHANGE_SECONDS = 5;

  private final SddConfig config;
  private final SessionTerms terms;
  private final ClassSharing sharing;
  private final QueueSetup setup;
  private final HeldPairs held;
  private final Triggers triggers;
  private final SessionServer server;
  private final Edges edges;
  private final Leadership leadership;
  private final OperatorPolicy policy;
  private final Controllers controllers;

  /** Starts and closes leader loops, one after the other. */
  private final ExecutorService changes =
      Executors.newSingleThreadExecutor(new DefaultThreadFactory("sdd-leadership", true));

  private final TlsIdentity tls;

  private volatile Supplier<Map<String, Map<String, Double>>> fabricLinks = Map::of;

  private volatile LeaderLoop leaderLoop;

  /** Null until the server and the first leader loop exist; an earlier caller waits for that. */
  private volatile Sessions sessions;

  /**
   * Starts to listen, and to plan unless it stands by at first.
   *
   * @throws IOException if the address cannot be bound or the keys cannot be used; nothing is left
   *     running then
   */
  public SddController(SddConfig config) throws IOException {
    this(config, config.standby());
  }

  /**
   * Starts to listen, and to plan unless it stands by at first, whatever the configuration says.
   *
   * @throws IOException if the address cannot be bound or the keys cannot be used; nothing is left
   *     running then
   */
  public SddController(SddConfig config, boolean standsBy) throws IOException {
    this.config = config;
    leadership = new Leadership(config.clock()::nowNs, config.directory().clients(), new Changes());
    edges = new Edges(config.edgeHosts(), config.edgeAddresses(), config.edgeOrder());
    terms =
        new SessionTerms(
            config.clock().kind(),
            EPOCH_NS,
            config.network().weekNs(),
            config.guardNs(),
            config.lostAfterPeriods(),
            config.takeOverAfterPeriods(),
            config.safePolicy(),
            config.safeRateBps(),
            config.packetDelayNs());
    sharing = sharing(config.sharing());
    setup =
        new QueueSetup(
            config.directory(),
            terms.periodNs(),
            config.packetBps(),
            config.packetFlows(),
            config.circuitClasses(),
            sharing.queues());
    held = new HeldPairs(config.directory().count());
    triggers = new Triggers(config.directory(), sharing, held, config.clock()::nowNs);
    triggers.replace(config.triggers());
    policy = new OperatorPolicy(config, sharing, setup, triggers, edges, leadership::leads);
    tls = TlsIdentity.read(config.keys());
    edges.handOutKeys(tls);
    controllers =
        new Controllers(config.controllers(), tls, policy, config.commonDigest(), leadership);
    policy.tell(controllers::handOver);
    synchronized (this) {
      server = server();
      leaderLoop = new LeaderLoop(config, terms, server.sessions(), held);
      sessions = server.sessions();
    }
    controllers.start();
    if (!standsBy) {
      leadership.lead();
    }
  }

  /** Leads from now on, whoever else does; without effect on one that leads. */
  public void lead() {
    leadership.lead();
  }

  /** The keys of the configuration, to be read again when they were renewed. */
  public TlsIdentity tls() {
    return tls;
  }

  /**
   * Reads the keys again if a file of theirs has changed, for runtimes without a signal for it.
   *
   * @return whether they were read
   * @throws IOException if they cannot be used; those before stay
   */
  public boolean reloadChangedKeys() throws IOException {
    return tls.reloadIfChanged();
  }

  /** A sentence on each certificate, the controller's and its clients', that expires soon. */
  public List<String> expiringCertificates(Instant now) {
    return Expiry.warnings(tls, server.certificates(), now);
  }

  private SessionServer server() throws IOException {
    try {
      return new SessionServer(
          config.listen(),
          tls,
          config.directory(),
          edges,
          leadership,
          controllers,
          terms,
          config.clock(),
          new Listener());
    } catch (IOException e) {
      controllers.close();
      throw e;
    }
  }

  private ClassSharing sharing(SharingConfig classes) {
    // Shut until there is a rate: a new session has none of the conditions of the one before.
    QueueConfig queues =
        QueueConfig.open()
            .closedByDefault()
            .throughPacketSwitch()
            .priority(QueueSetup.PACKET_PRIORITY);
    return new ClassSharing(
        classes,
        config.directory()::nameOf,
        terms.periodNs(),
        config.directory().queues(),
        new SessionApi(number -> known().host(number), queues));
  }

  private Sessions known() {
    Sessions known = sessions;
    if (known == null) {
      synchronized (this) {
        known = sessions;
      }
    }
    return known;
  }

  /** Sets up hosts as they come. */
  private final class Listener implements SessionListener {
    @Override
    public void hostUp(HostSession host) {
      Sessions all = known();
      synchronized (triggers) {
        if (all.host(host.number()) != host) {
          return; // The host has a newer session by now, which may have been set up already.
        }
        synchronized (sharing) {
          // First: mappings need their queues, and hosts close what is not there by their end.
          sharing.hostUp(host);
          setup.hostUp(host);
        }
        triggers.hostUp(host);
      }
    }

    @Override
    public void hostDown(HostSession host) {
      // Its demand is gone with its session; what is mapped to it stays for when it returns, but
      // for
      // addresses that others say they have.
      synchronized (triggers) {
        synchronized (sharing) {
          setup.hostDown(host);
        }
        triggers.hostDown(host);
      }
    }

    @Override
    public void demandReported(HostSession host) {
      sharing.demandReported(host);
      setup.demandReported(host);
      triggers.demandReported(host);
      // Null while this controller is still starting: the loop begins with the next period anyway.
      LeaderLoop now = leaderLoop;
      if (now != null) {
        now.loop().reported();
      }
    }

    @Override
    public void triggerFired(HostSession host, TriggerEvent event) {
      triggers.fired(host, event);
    }
  }

  /** Begins and ends the loop with this controller's leadership. */
  private final class Changes implements Leadership.Listener {
    @Override
    public void leads(long generation) {
      changes.execute(
          () -> {
            known();
            leaderLoop.start();
          });
    }

    @Override
    public void standsBy() {
      changes.execute(
          () -> {
            leaderLoop.close();
            sessions.endAll();
            leaderLoop = new LeaderLoop(config, terms, sessions, held);
          });
    }
  }

  /** Where hosts connect; the port is the real one. */
  public InetSocketAddress address() {
    return server.address();
  }

  public SddConfig config() {
    return config;
  }

  public Directory directory() {
    return config.directory();
  }

  public SessionTerms terms() {
    return terms;
  }

  /** Who is connected, and each host's API. */
  public Sessions sessions() {
    return sessions;
  }

  /** What a host says that it has and does not get, and why. */
  public Map<IpPrefix, String> refusedAddresses(int number) {
    return setup.refused(number);
  }

  /** The edges of hosts, which may be others than those of the circuits. */
  public Edges edges() {
    return edges;
  }

  /** The traffic classes beside the loop. */
  public ClassSharing sharing() {
    return sharing;
  }

  /** The operator's triggers, and what they did. */
  public Triggers triggers() {
    return triggers;
  }

  /**
   * Has other traffic classes take the place of those there are, while sessions, queues and packets
   * stay; other controllers of these hosts have them, too.
   *
   * @throws IllegalArgumentException naming a connected host that has too few queues, or a trigger
   *     that needs a class which would be gone; nothing is changed then
   * @throws UnconfirmedException if it counts here, and others may not have it
   */
  public void replaceSharing(SharingConfig classes) {
    policy.replaceSharing(classes);
  }

  /**
   * Has other triggers take the place of those there are, here and at other controllers of these
   * hosts.
   *
   * @param document {@code triggers} of the configuration, by itself
   * @throws SddConfigException if it is invalid; nothing is changed then
   * @throws UnconfirmedException if it counts here, and others may not have it
   */
  public void replaceTriggers(JsonNode document) throws SddConfigException {
    policy.replaceTriggers(document);
  }

  /**
   * Orders something else of all edges, here and at other controllers of these hosts.
   *
   * @throws UnconfirmedException if it counts here, and others may not have it
   */
  public void replaceEdgeOrder(EdgeOrder order) {
    policy.replaceEdgeOrder(order);
  }

  /**
   * Has the traffic classes and triggers of another configuration of the same hosts take the place
   * of those there are.
   *
   * @throws IllegalArgumentException naming a connected host that has too few queues; nothing is
   *     changed then
   */
  public void replacePolicy(SddConfig other) {
    policy.reconfigure(other);
  }

  /** What operators changed, and who is told. */
  public OperatorPolicy policy() {
    return policy;
  }

  /** The other controllers of these hosts. */
  public Controllers controllers() {
    return controllers;
  }

  /**
   * Has a fabric tell what part of the links from one switch to another its traffic uses; nothing
   * while it does not know.
   */
  public void useFabric(Supplier<Map<String, Map<String, Double>>> links) {
    fabricLinks = links;
  }

  /** What the fabric tells now, by the switches' names. */
  public Map<String, Map<String, Double>> usedLinks() {
    return fabricLinks.get();
  }

  /** Whether this controller leads, or stands by for another. */
  public Leadership leadership() {
    return leadership;
  }

  /** What the loop knew and did last. */
  public LoopState state() {
    return leaderLoop.loop().state();
  }

  /** What the loop planned for last, class by class. */
  public Observed observed() {
    return leaderLoop.loop().observed();
  }

  /** What the tight loop's START came too late for, by weeks; nothing if the loop is loose. */
  public LateTotals late() {
    return leaderLoop.late();
  }

  /** Stops; the hosts fall back to their safe policy. */
  @Override
  public void close() {
    leadership.end();
    changes.shutdown();
    try {
      // What it may still be at takes no longer than a thread needs to end.
      changes.awaitTermination(CHANGE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    leaderLoop.close();
    controllers.close();
    server.close();
  }
}
