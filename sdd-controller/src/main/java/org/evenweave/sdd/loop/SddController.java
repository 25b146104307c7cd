package org.evenweave.sdd.loop;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.policy.ClassSharing;
import org.evenweave.sdd.policy.SessionApi;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.Edges;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.SessionListener;
import org.evenweave.sdd.session.SessionServer;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.TlsFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SDD controller: sessions with the hosts below, the loop above. All a runtime needs. */
public final class SddController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SddController.class);

  private final SddConfig config;
  private final SessionTerms terms;
  private final ClassSharing sharing;
  private final QueueSetup setup;
  private final SessionServer server;
  private final Edges edges;
  private final TightCoupling tight;
  private final ControlLoop loop;

  /** Null until the server is there; a host that is quicker is set up after that. */
  private volatile Sessions sessions;

  /**
   * Starts to listen and to plan.
   *
   * @throws IOException if the address cannot be bound or the keys cannot be used; nothing is left
   *     running then
   */
  public SddController(SddConfig config) throws IOException {
    this.config = config;
    edges = new Edges(config.edgeHosts(), config.edgeOrder());
    terms =
        new SessionTerms(
            config.clock().kind(),
            config.clock().nowNs(),
            config.network().weekNs(),
            config.guardNs(),
            config.lostAfterPeriods(),
            config.safePolicy(),
            config.safeRateBps());
    sharing = sharing(config.sharing());
    setup =
        new QueueSetup(
            config.directory(), config.packetBps(), config.packetFlows(), sharing.queues());
    synchronized (this) {
      server =
          new SessionServer(
              config.listen(),
              TlsFiles.forController(config.keys()),
              config.directory(),
              edges,
              terms,
              config.clock(),
              new Listener());
      sessions = server.sessions();
    }
    tight = config.loop() == SddConfig.Loop.TIGHT ? new TightCoupling(config, sessions) : null;
    Coupling coupling = tight != null ? tight : new LooseCoupling(config, sessions);
    loop = new ControlLoop(config, terms, sessions, coupling);
    loop.start();
  }

  private ClassSharing sharing(SharingConfig classes) {
    QueueConfig queues =
        QueueConfig.open().throughPacketSwitch().priority(QueueSetup.PACKET_PRIORITY);
    return new ClassSharing(
        classes,
        config.directory()::nameOf,
        terms.periodNs(),
        config.directory().packetQueue() + 1,
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
      synchronized (sharing) {
        // First: mappings need their queues.
        sharing.hostUp(host);
        setup.hostUp(host, all);
      }
    }

    @Override
    public void hostDown(HostSession host) {
      // Its demand is gone with its session; the others' mappings stay for when it returns.
    }

    @Override
    public void demandReported(HostSession host) {
      sharing.demandReported(host);
      // Null while this controller is still starting: the loop begins with the next period anyway.
      ControlLoop started = loop;
      if (started != null) {
        started.reported();
      }
    }

    @Override
    public void triggerFired(HostSession host, long cookie, long timeNs) {
      LOG.info("trigger {} of {} fired at {}", cookie, host.name(), timeNs);
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

  /** The edges of hosts, which may be others than those of the circuits. */
  public Edges edges() {
    return edges;
  }

  /** The traffic classes beside the loop. */
  public ClassSharing sharing() {
    return sharing;
  }

  /**
   * Has other traffic classes take the place of those there are, while sessions, queues and packets
   * stay; they count until this controller stops.
   *
   * @throws IllegalArgumentException naming a connected host that has too few queues; nothing is
   *     changed then
   */
  public void replaceSharing(SharingConfig classes) {
    synchronized (sharing) {
      sharing.replace(classes);
      setup.replaceClassFlows(sharing.queues());
    }
  }

  /** What the loop knew and did last. */
  public LoopState state() {
    return loop.state();
  }

  /** Days of the tight loop that were over before their START could be sent; 0 if it is loose. */
  public long lateDays() {
    return tight == null ? 0 : tight.lateDays();
  }

  /** Stops; the hosts fall back to their safe policy. */
  @Override
  public void close() {
    loop.close();
    server.close();
  }
}
