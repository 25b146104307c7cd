package org.evenweave.standalone.controller;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.evenweave.engine.Engine;
import org.evenweave.engine.Rehearsal;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.TopologyWatch;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.engine.runtime.ThreadLoop;
import org.evenweave.engine.shares.HopShares;
import org.evenweave.engine.shares.UsedLinks;
import org.evenweave.ovsdb.BfdSetup;
import org.evenweave.ovsdb.MasterTable;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.standalone.http.HttpApi;
import org.evenweave.standalone.log.LogResource;
import org.evenweave.standalone.openflow.MasterRule;
import org.evenweave.standalone.openflow.OpenFlowNetwork;
import org.evenweave.traffic.HedgedRule;
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
      SddConfig sdd)
      throws CannotListenException {
    Controller controller = new Controller();
    try {
      controller.run(config, openflow, http, httpNames, timeout, probePeriod, masterRule, sdd);
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
      SddConfig sdd)
      throws CannotListenException {
    ThreadLoop loop = new ThreadLoop();
    closers.push(loop::close);
    OpenFlowNetwork network;
    try {
      network =
          new OpenFlowNetwork(
              below, id -> switchIdOf(config, id), timeout, probePeriod, masterRule);
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
    resources.add(network.connectionsResource());
    SddController controller = sdd == null ? null : startSdd(sdd);
    if (controller != null) {
      controller.useFabric(() -> UsedLinks.of(engine.view(), engine.traffic().meter().demands()));
      resources.addAll(SddResources.of(controller));
      closers.push(new TopologyWatch(engine.events(), () -> tell(engine, controller))::close);
    }
    try {
      HttpApi api = new HttpApi(above, resources, httpNames);
      closers.push(api::close);
      closers.push(engine.events()::close);
      http = api.address();
    } catch (IOException e) {
      throw new CannotListenException("--http", above, e);
    }
    if (controller != null && !sdd.standby()) {
      controller.lead();
    }
    Rehearsal rehearsal = Rehearsal.start(config);
    closers.push(rehearsal::close);
    engine.traffic().useRule(new HedgedRule(), planning);
    network.watch(engine.watch());
    network.lookUpMasters(datapathId -> masterOf(engine.configuration(), datapathId));
    engine.watch().start();
    engine.start();
    BfdSetup bfd = BfdSetup.of(engine, () -> true, new HashSet<>());
    closers.push(bfd::close);
    bfd.start();
  }

  /** Weights before discovery, so that paths have them from the first. */
  private static void tell(Engine engine, SddController controller) {
    controller.edges().weights(EdgeWeights.of(HopShares.of(engine.view())));
    controller.edges().topologyChanged();
  }

  /** What the configured OVSDB servers say of a switch's master; nothing if none knows it. */
  private static Optional<String> masterOf(EngineConfig config, long datapathId) {
    for (String server : config.bfd().ovsdb()) {
      try {
        String master = MasterTable.read(server).get(datapathId);
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

  private String switchIdOf(EngineConfig atStart, long datapathId) {
    Engine engine = running;
    return (engine == null ? atStart : engine.configuration()).switchIdOf(datapathId);
  }

  /** As {@link Engine#change}. */
  EngineConfig change(UnaryOperator<EngineConfig> change) {
    return running.change(change);
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
