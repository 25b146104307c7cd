package org.evenweave.standalone.controller;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.TopologyWatch;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.metrics.EngineMetrics;
import org.evenweave.engine.reconcile.Rehearsal;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.engine.runtime.ThreadLoop;
import org.evenweave.engine.shares.HopShares;
import org.evenweave.engine.shares.UsedLinks;
import org.evenweave.metrics.MetricsResource;
import org.evenweave.metrics.Source;
import org.evenweave.ovsdb.BfdSetup;
import org.evenweave.ovsdb.MasterTable;
import org.evenweave.ovsdb.OvsdbTls;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.metrics.SddMetrics;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.standalone.http.HttpApi;
import org.evenweave.standalone.log.LogMetrics;
import org.evenweave.standalone.log.LogResource;
import org.evenweave.standalone.openflow.MasterRule;
import org.evenweave.standalone.openflow.OpenFlowNetwork;
import org.evenweave.standalone.openflow.SwitchTls;
import org.evenweave.tls.Expiry;
import org.evenweave.tls.TlsIdentity;
import org.evenweave.traffic.HedgedRule;
import org.evenweave.web.PageResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine with switches below it and HTTP above: all that runs in one controller process. */
final class Controller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

  /** What is running, the last first. */
  private final Deque<Runnable> closers = new ArrayDeque<>();

  /** Null while it is not there yet; a switch that connects meanwhile is named as at the start. */
  private volatile Engine running;

  private InetSocketAddress openflow;

  /** Of the SDD controller that runs beside; null if there is none. */
  private TlsIdentity sddKeys;

  private URI http;

  private Controller() {}

  /**
   * Starts everything, or nothing.
   *
   * @param openflow where switches connect; port 0 for any
   * @param http where HTTP clients connect; port 0 for any
   * @param httpNames host names by which HTTP clients may call the server, besides localhost
   * @param timeout how long a switch may leave a request unanswered
   * @param probePeriod between the LLDP probes of a port
   * @param masterRule when the controller claims to be the switches' master
   * @param sdd an SDD controller to run beside, or null for none
   * @param security closed with the controller
   * @throws CannotListenException if one of the addresses cannot be listened on
   * @throws CannotFitException if the configured fabric does not fit its switches' tables
   */
  static Controller start(
      EngineConfig config,
      InetSocketAddress openflow,
      InetSocketAddress http,
      Collection<String> httpNames,
      Duration timeout,
      Duration probePeriod,
      MasterRule masterRule,
      SddConfig sdd,
      Security security)
      throws CannotListenException {
    Controller controller = new Controller();
    try {
      controller.run(
          config, openflow, http, httpNames, timeout, probePeriod, masterRule, sdd, security);
      return controller;
    } catch (CannotListenException | RuntimeException e) {
      controller.close();
      throw e;
    }
  }

  private void run(
      EngineConfig config,
      InetSocketAddress below,
      InetSocketAddress above,
      Collection<String> httpNames,
      Duration timeout,
      Duration probePeriod,
      MasterRule masterRule,
      SddConfig sdd,
      Security security)
      throws CannotListenException {
    closers.push(security::close);
    ThreadLoop loop = new ThreadLoop();
    closers.push(loop::close);
    OpenFlowNetwork network;
    try {
      network =
          new OpenFlowNetwork(
              below,
              id -> switchIdOf(config, id),
              timeout,
              probePeriod,
              masterRule,
              switchTls(config, security));
    } catch (IOException e) {
      throw new CannotListenException("--openflow", below, e);
    }
    closers.push(network::close);
    openflow = network.address();
    Engine engine = new Engine(config, network, network, loop);
    ExecutorService planning =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "traffic");
              thread.setDaemon(true);
              return thread;
            });
    closers.push(planning::shutdownNow);
    closers.push(engine::close);
    running = engine;
    Set<Object> resources = new HashSet<>(RestResources.of(engine));
    resources.add(new LogResource());
    resources.add(new PageResource());
    resources.add(network.connectionsResource());
    List<Source> metrics = new ArrayList<>();
    metrics.add(new EngineMetrics(engine));
    metrics.add(network.metrics());
    metrics.add(new LogMetrics());
    SddController controller = sdd == null ? null : startSdd(sdd);
    if (controller != null) {
      metrics.add(new SddMetrics(controller));
      controller.useFabric(() -> UsedLinks.of(engine.view(), engine.traffic().meter().demands()));
      resources.addAll(SddResources.of(controller));
      closers.push(new TopologyWatch(engine.events(), () -> tell(engine, controller))::close);
    }
    resources.add(new MetricsResource(metrics));
    try {
      HttpApi api =
          new HttpApi(above, resources, httpNames, security.restKeys(), security.accessControl());
      closers.push(api::close);
      closers.push(engine.events()::close);
      http = api.address();
    } catch (IOException e) {
      throw new CannotListenException("--http", above, e);
    }
    if (controller != null && !sdd.standby()) {
      controller.lead();
    }
    OvsdbTls ovsdb = security.keys().map(OvsdbTls::of).orElse(OvsdbTls.NONE);
    Rehearsal rehearsal = Rehearsal.start(config);
    closers.push(rehearsal::close);
    engine.traffic().useRule(new HedgedRule(), planning);
    network.watch(engine.watch());
    network.lookUpMasters(datapathId -> masterOf(engine.configuration(), datapathId, ovsdb));
    engine.watch().start();
    engine.start();
    BfdSetup bfd = BfdSetup.of(engine, () -> true, new HashSet<>(), ovsdb);
    closers.push(bfd::close);
    bfd.start();
    if (controller != null) {
      sddKeys = controller.tls();
    }
    Supplier<Map<String, X509Certificate>> switches = network::certificates;
    SecurityWatch watch =
        new SecurityWatch(
            () -> securityProblems(security, switches.get(), controller),
            reasons -> engine.report("security", reasons));
    closers.push(watch::close);
    watch.start();
  }

  private static List<String> securityProblems(
      Security security, Map<String, X509Certificate> switches, SddController sdd) {
    Instant now = Instant.now();
    Map<String, X509Certificate> peers = new LinkedHashMap<>();
    switches.forEach((id, certificate) -> peers.put("switch " + id, certificate));
    List<String> problems = new ArrayList<>();
    security.keys().ifPresent(keys -> problems.addAll(Expiry.warnings(keys, peers, now)));
    if (sdd != null) {
      problems.addAll(sdd.expiringCertificates(now));
    }
    problems.addAll(security.accessControl().problems());
    return problems;
  }

  /** Weights before discovery, so that paths have them from the first. */
  private static void tell(Engine engine, SddController controller) {
    controller.edges().weights(EdgeWeights.of(HopShares.of(engine.view())));
    controller.edges().topologyChanged();
  }

  /** What the configured OVSDB servers say of a switch's master; nothing if none knows it. */
  private static Optional<String> masterOf(EngineConfig config, long datapathId, OvsdbTls tls) {
    for (String server : config.bfd().ovsdb()) {
      try {
        String master = MasterTable.read(server, tls).get(datapathId);
        if (master != null) {
          return Optional.of(master);
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("{} does not say which controllers are masters: {}", server, e.getMessage());
      }
    }
    return Optional.empty();
  }

  private SddController startSdd(SddConfig config) throws CannotListenException {
    try {
      // It takes the lead from another only once nothing can end it at its start.
      SddController sdd = new SddController(config, true);
      closers.push(sdd::close);
      return sdd;
    } catch (IOException e) {
      throw new CannotListenException("\"listen\" in --sdd", config.listen(), e);
    }
  }

  private SwitchTls switchTls(EngineConfig atStart, Security security) {
    return security
        .keys()
        .map(
            keys ->
                new SwitchTls(
                    keys,
                    datapathId -> {
                      EngineConfig now = configuration(atStart);
                      return now.switchCertificates().get(now.switchIdOf(datapathId));
                    }))
        .orElse(null);
  }

  private EngineConfig configuration(EngineConfig atStart) {
    Engine engine = running;
    return engine == null ? atStart : engine.configuration();
  }

  private String switchIdOf(EngineConfig atStart, long datapathId) {
    return configuration(atStart).switchIdOf(datapathId);
  }

  /** As {@link Engine#change}. */
  EngineConfig change(UnaryOperator<EngineConfig> change) {
    return running.change(change);
  }

  /** The keys of the SDD controller that runs beside, if there is one. */
  Optional<TlsIdentity> sddKeys() {
    return Optional.ofNullable(sddKeys);
  }

  /** Whether each thread on which the controller depends runs. */
  boolean isAlive() {
    return running.watch().stalled().isEmpty();
  }

  InetSocketAddress openflow() {
    return openflow;
  }

  URI http() {
    return http;
  }

  /** Stops everything, HTTP first; the switches go on forwarding with what they have. */
  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
