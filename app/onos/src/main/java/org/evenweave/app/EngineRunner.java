package org.evenweave.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.evenweave.app.cluster.ClusterMemory;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.config.Tunables;
import org.evenweave.app.network.OnosTopology;
import org.evenweave.app.network.PortReports;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.southbound.OnosSouthbound;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.runtime.ThreadLoop;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the engine while this instance leads. Starts and stops it on the executor's one thread; the
 * methods whose names end in "soon", {@link #engine} and {@link #packetIn} are for any thread.
 */
final class EngineRunner {
  private static final Logger LOG = LoggerFactory.getLogger(EngineRunner.class);

  /** Pause before a failed start is retried. */
  private static final long RETRY_SECONDS = 1;

  /**
   * When all switches are audited after a change of a master or of the cluster's instances: a
   * switch without a master reports no removed rule. It gets another after 5 s at most.
   */
  private static final long[] AUDIT_AFTER_MILLIS = {500, 2000, 6000};

  private final LeaderElection election;
  private final ConfigKeeper keeper;
  private final Tunables tunables;
  private final SwitchAccess switches;
  private final DeviceService devices;
  private final MastershipService masterships;
  private final PortReports portReports;
  private final StorageService storage;
  private final ScheduledExecutorService executor;

  /** The OVSDB servers where BFD is set up: the configuration may name them no more. */
  private final Set<String> bfdServers = ConcurrentHashMap.newKeySet();

  private volatile EngineRun run;

  /** Whether no engine is to start because the switches are being purged, or have been. */
  private volatile boolean suspended;

  /** Audits after the latest change of a master; touched by the executor only. */
  private final List<Future<?>> audits = new ArrayList<>();

  /**
   * @param executor with one thread
   */
  EngineRunner(
      LeaderElection election,
      ConfigKeeper keeper,
      Tunables tunables,
      SwitchAccess switches,
      DeviceService devices,
      MastershipService masterships,
      PortReports portReports,
      StorageService storage,
      ScheduledExecutorService executor) {
    this.election = election;
    this.keeper = keeper;
    this.tunables = tunables;
    this.switches = switches;
    this.devices = devices;
    this.masterships = masterships;
    this.portReports = portReports;
    this.storage = storage;
    this.executor = executor;
  }

  /** The engine, if it runs on this instance. */
  Optional<Engine> engine() {
    EngineRun now = run;
    return now == null ? Optional.empty() : Optional.of(now.engine());
  }

  /** Passes a packet-in to the engine, if it runs. */
  void packetIn(ConnectPoint from, byte[] frame) {
    EngineRun now = run;
    if (now != null) {
      now.packetIn(from, frame);
    }
  }

  /** Passes a switch's report of a removed rule to the engine, if it runs. */
  void ruleRemoved(DeviceId device, FlowRule rule) {
    EngineRun now = run;
    if (now != null) {
      now.ruleRemoved(device, rule);
    }
  }

  /** Notes packets that an instance did not pass on to the engine, if it runs. */
  void packetsDropped(ConnectPoint from, long count) {
    EngineRun now = run;
    if (now != null) {
      now.packetsDropped(from, count);
    }
  }

  /** Passes a switch whose rules are others than before to the engine, if it runs. */
  void rulesChanged(DeviceId device) {
    EngineRun now = run;
    if (now != null) {
      now.rulesChanged(device);
    }
  }

  void followLeadershipSoon() {
    executor.execute(this::followLeadership);
  }

  /** Starts the engine if this instance leads, and stops it if not. */
  void followLeadership() {
    boolean leading = election.isWon();
    if (run != null && (!leading || run.epoch().hasEnded())) {
      stop("no longer leading");
    }
    if (leading && run == null && !suspended) {
      start();
    }
  }

  void followConfigurationSoon() {
    executor.execute(this::followConfiguration);
  }

  private void followConfiguration() {
    if (run != null && !keeper.follow(run.engine())) {
      stop("restarting the engine");
    }
    followLeadership();
  }

  /** Renews the confirmation that this engine leads, if one runs. */
  void confirmEpoch() {
    if (run != null) {
      run.epoch().confirm();
    }
  }

  /** Stops the engine, and starts none until {@link #resume}. */
  void suspend(String reason) {
    suspended = true;
    stop(reason);
  }

  void resume() {
    suspended = false;
    followLeadership();
  }

  boolean isSuspended() {
    return suspended;
  }

  /** The OVSDB servers where BFD is or has been set up. */
  Set<String> bfdServers() {
    Set<String> servers = new TreeSet<>(bfdServers);
    servers.addAll(keeper.configured().bfd().ovsdb());
    return servers;
  }

  /** An epoch of this instance, which ends the one before. */
  LeaderEpoch newEpoch() {
    return new LeaderEpoch(storage, System::nanoTime, this::followLeadershipSoon);
  }

  /** The store does not respond while most of the cluster is away, and may be slow to start. */
  private void start() {
    if (!keeper.isKnown()) {
      executor.schedule(this::followLeadership, RETRY_SECONDS, TimeUnit.SECONDS);
      return;
    }
    try {
      start(newEpoch(), new ClusterMemory(storage));
    } catch (StorageException e) {
      LOG.warn("cannot lead yet, the cluster's store does not respond", e);
      executor.schedule(this::followLeadership, RETRY_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void start(LeaderEpoch epoch, ClusterMemory memory) {
    EngineConfig config = keeper.configured();
    AtomicReference<Engine> running = new AtomicReference<>();
    SwitchNames names = new SwitchNames(id -> running.get().configuration().switchIdOf(id));
    ThreadLoop loop = new ThreadLoop();
    OnosSouthbound southbound = switches.southbound(epoch, names);
    OnosTopology topology =
        new OnosTopology(
            devices, masterships, portReports, names, southbound, tunables::linkProbeNanos, loop);
    try {
      Engine engine = new Engine(config, topology, southbound, loop, memory);
      running.set(engine);
      engine.auditEvery(tunables::auditIntervalNanos);
      engine.watch().start();
      run = new EngineRun(epoch, engine, topology, bfdServers, loop::close);
      keeper.keep();
      LOG.info("this instance is the leader: its engine runs");
      scheduleAudits();
    } catch (CannotFitException e) {
      loop.close();
      LOG.error("the configured fabric does not fit: {}", e.getMessage());
    }
  }

  /** Stops the engine, if one runs; the switches keep their tables. */
  void stop(String reason) {
    if (run != null) {
      run.close();
      run = null;
      LOG.info(reason);
    }
  }

  /** Audits all switches several times, after a change of a master or of the cluster. */
  void auditSoon() {
    executor.execute(this::scheduleAudits);
  }

  private void scheduleAudits() {
    audits.forEach(audit -> audit.cancel(false));
    audits.clear();
    for (long millis : AUDIT_AFTER_MILLIS) {
      audits.add(
          executor.schedule(
              () -> engine().ifPresent(Engine::audit), millis, TimeUnit.MILLISECONDS));
    }
  }
}
