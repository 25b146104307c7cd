package org.evenweave.app;

import static org.onosproject.net.config.basics.SubjectFactories.APP_SUBJECT_FACTORY;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cluster.ClusterMemory;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.cluster.LeadershipRenewal;
import org.evenweave.app.cluster.PacketRelay;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.config.FabricConfig;
import org.evenweave.app.config.Tunables;
import org.evenweave.app.gui.DevicePlaces;
import org.evenweave.app.metrics.Metrics;
import org.evenweave.app.network.OnosTopology;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.southbound.ClusterReader;
import org.evenweave.app.southbound.FlowRequests;
import org.evenweave.app.southbound.FlowSettings;
import org.evenweave.app.southbound.FlowTranslator;
import org.evenweave.app.southbound.GroupRequests;
import org.evenweave.app.southbound.OnosSouthbound;
import org.evenweave.app.southbound.OpenFlowChannel;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.Purge;
import org.evenweave.app.southbound.SwitchReader;
import org.evenweave.app.southbound.Uninstaller;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.runtime.ThreadLoop;
import org.onlab.metrics.MetricsService;
import org.onlab.util.SharedExecutors;
import org.onlab.util.Tools;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipEvent;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.Device;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.group.GroupService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application on one instance of ONOS. The instances elect a leader; on it the engine works, on
 * the others it waits. Everything the engine needs to go on elsewhere is in the switches, in the
 * cluster's memory and in the network configuration.
 *
 * <p>When the application is deactivated, or ONOS stops, the switches go on with what they have;
 * when it is purged, or uninstalled while active, all that it installed is removed.
 */
@Component(immediate = true, service = EvenweaveService.class)
public final class EvenweaveManager implements EvenweaveService {
  private static final Logger LOG = LoggerFactory.getLogger(EvenweaveManager.class);

  /** A start that failed is tried again after this pause. */
  private static final long START_AGAIN_SECONDS = 1;

  /**
   * Pause between two looks at who leads. There are events for it; but ONOS ejects a listener for
   * good that was on its way when the machine stood still for 1.8 s.
   */
  private static final long LOOK_SECONDS = 5;

  /** An instance that was cut off can take part again so long after its return. */
  private static final long CANDIDATE_AGAIN_MILLIS = 5000;

  /** The longest time for one switch; whoever asks for a purge waits for 30 s. */
  private static final long PURGE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** The answer to whoever asked for a purge goes out before the application goes. */
  private static final long DEACTIVATE_AFTER_SECONDS = 1;

  /**
   * When all switches are audited after one has a new master, or an instance came or went. ONOS's
   * new master compares the switch with a copy of the old one's store that can be a moment too old,
   * and takes the switch back to it; it may wait 5 s before for a master that does not answer.
   */
  private static final long[] AUDIT_AFTER_MILLIS = {500, 2000, 6000, 8000};

  @Reference private CoreService core;
  @Reference private ApplicationAdminService applications;
  @Reference private ClusterService clusterNodes;
  @Reference private LeadershipService leaderships;
  @Reference private MastershipService masterships;
  @Reference private ClusterCommunicationService messages;
  @Reference private NetworkConfigRegistry configs;
  @Reference private Tunables tunables;
  @Reference private DeviceService devices;
  @Reference private LinkService links;
  @Reference private PacketService packets;
  @Reference private GroupService groups;
  @Reference private FlowRuleService flows;
  @Reference private MetricsService metricsService;
  @Reference private OpenFlowChannel channel;
  @Reference private StorageService storage;
  @Reference private ComponentConfigService components;

  private final PendingChanges pending = new PendingChanges();
  private final LeadershipEventListener leadershipListener = event -> look();
  private final MastershipListener mastershipListener = this::onMastership;
  private final ClusterEventListener clusterListener = event -> lookCloser();
  private final NetworkConfigListener configListener = new FabricConfigListener();
  private final ConfigFactory<ApplicationId, FabricConfig> configFactory =
      new ConfigFactory<>(APP_SUBJECT_FACTORY, FabricConfig.class, FabricConfig.KEY) {
        @Override
        public FabricConfig createConfig() {
          return new FabricConfig(() -> keeper.configured());
        }
      };

  private ApplicationId application;
  private NodeId local;
  private FlowSettings flowSettings;
  private DevicePlaces places;
  private ConfigKeeper keeper;
  private ClusterReader reader;
  private GroupRequests groupRequests;
  private FlowRequests flowRequests;
  private PacketRelay relay;
  private LeadershipRenewal candidacy;
  private Metrics metrics;

  /** Starts and ends the engine, one thing at a time. */
  private ScheduledExecutorService executor;

  private volatile EngineRun run;

  /** Whether the application is being uninstalled while active. */
  private volatile boolean uninstalled;

  /** Whether no engine is to start because the switches are, or have been, emptied. */
  private volatile boolean purged;

  /** Audits after the latest change of a master; touched by the executor only. */
  private final List<Future<?>> audits = new ArrayList<>();

  @Activate
  void activate() {
    application = core.registerApplication(NAME);
    local = clusterNodes.getLocalNode().id();
    executor =
        Executors.newSingleThreadScheduledExecutor(
            Tools.groupedThreads("evenweave", "app-%d", LOG));
    // From here to the end of the component ONOS takes seconds. By then an application that was
    // only deactivated, to be upgraded, may be uninstalled too: so the hook asks.
    applications.registerDeactivateHook(application, this::onApplicationEnds);
    flowSettings = new FlowSettings(components, storage);
    flowSettings.preset();
    places = new DevicePlaces(configs, devices, storage);
    keeper = new ConfigKeeper(configs, application);
    pending.giveUpAfter(tunables::confirmationTimeoutNanos);
    SwitchReader here = new SwitchReader(channel, new FlowTranslator(application));
    reader = new ClusterReader(messages, masterships, local, here, executor);
    groupRequests =
        new GroupRequests(
            application,
            groups,
            channel,
            pending,
            messages,
            masterships,
            local,
            SharedExecutors.getPoolThreadExecutor());
    flowRequests =
        new FlowRequests(
            application,
            flows,
            channel,
            pending,
            messages,
            masterships,
            local,
            SharedExecutors.getPoolThreadExecutor());
    relay =
        new PacketRelay(
            packets,
            messages,
            () -> leaderships.getLeader(NAME),
            this::packetIn,
            executor,
            System::nanoTime);
    metrics = new Metrics(metricsService, pending, this::engine);
    configs.registerConfigFactory(configFactory);
    configs.addListener(configListener);
    leaderships.addListener(leadershipListener);
    masterships.addListener(mastershipListener);
    clusterNodes.addListener(clusterListener);
    candidacy = new LeadershipRenewal(leaderships, NAME, this::look);
    candidacy.start(CANDIDATE_AGAIN_MILLIS);
    executor.execute(this::lookRegularly);
    LOG.info("started");
  }

  @Deactivate
  void deactivate() {
    leaderships.removeListener(leadershipListener);
    masterships.removeListener(mastershipListener);
    clusterNodes.removeListener(clusterListener);
    configs.removeListener(configListener);
    boolean led = run != null;
    candidacy.close();
    executor.execute(() -> stop("leaving the lead"));
    executor.shutdown();
    relay.close();
    metrics.close();
    reader.close();
    groupRequests.close();
    flowRequests.close();
    configs.unregisterConfigFactory(configFactory);
    if (uninstalled && led) {
      flowRequests.releaseRules(clusterNodes.getNodes());
      forgetInOnos();
    }
    LOG.info("stopped");
  }

  /**
   * The application is deactivated or uninstalled, on all instances: one of them takes back what it
   * has set in ONOS. Not called when an instance of ONOS ends.
   */
  private void onApplicationEnds() {
    uninstalled = applications.getState(application) == null;
    NodeId leader = leaderships.getLeader(NAME);
    if (leader == null || leader.equals(local)) {
      flowSettings.restore(uninstalled || purged);
      places.takeBack();
    }
  }

  private void forgetInOnos() {
    new Uninstaller(application, devices, groups, flows).remove();
    ClusterMemory.forgetHosts(storage);
  }

  @Override
  public Optional<Engine> engine() {
    EngineRun now = run;
    return now == null ? Optional.empty() : Optional.of(now.engine());
  }

  @Override
  public Optional<NodeId> leader() {
    return Optional.ofNullable(leaderships.getLeader(NAME));
  }

  @Override
  public CompletableFuture<Purge.Result> purge() {
    return CompletableFuture.supplyAsync(this::purgeSwitches, executor)
        .thenCompose(result -> result)
        .whenCompleteAsync((result, error) -> afterPurge(error), executor);
  }

  private CompletableFuture<Purge.Result> purgeSwitches() {
    purged = true;
    stop("removing all groups and rules from the switches");
    LeaderEpoch term = new LeaderEpoch(storage, System::nanoTime, this::look);
    EngineConfig config = keeper.configured();
    SwitchNames names = new SwitchNames(config::switchIdOf);
    TreeSet<String> switchIds = new TreeSet<>();
    for (int s = 0; s < config.intended().switchCount(); s++) {
      switchIds.add(config.intended().switchId(s));
    }
    for (Device device : devices.getDevices()) {
      if (SwitchNames.isSwitch(device.id())) {
        switchIds.add(names.nameOf(device.id()));
      }
    }
    ThreadLoop loop = new ThreadLoop();
    return new Purge(southbound(term, names, loop), loop, PURGE_NANOS)
        .of(switchIds)
        .whenComplete((result, error) -> loop.close());
  }

  private void afterPurge(Throwable error) {
    if (error != null) {
      LOG.error("the switches cannot be purged now", error);
      purged = false;
      followLeadership();
      return;
    }
    flowRequests.releaseRules(clusterNodes.getNodes());
    forgetInOnos();
    LOG.info("all groups and rules are removed; deactivating {}", NAME);
    executor.schedule(
        () -> applications.deactivate(application), DEACTIVATE_AFTER_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public PendingChanges pending() {
    return pending;
  }

  @Override
  public ConfigKeeper configuration() {
    return keeper;
  }

  private void packetIn(org.onosproject.net.ConnectPoint from, byte[] frame) {
    EngineRun now = run;
    if (now != null) {
      now.packetIn(from, frame);
    }
  }

  private void look() {
    executor.execute(this::followLeadership);
  }

  private void lookRegularly() {
    executor.schedule(this::lookRegularly, LOOK_SECONDS, TimeUnit.SECONDS);
    followLeadership();
    if (run != null) {
      run.term().confirm();
      placeDevices();
    }
  }

  private void placeDevices() {
    try {
      if (tunables.placesDevices()) {
        places.place(keeper.configured());
      } else {
        places.takeBack();
      }
    } catch (RuntimeException e) {
      LOG.debug("devices are placed later", e);
    }
  }

  /** Other applications' configurations are none of the engine's business. */
  private final class FabricConfigListener implements NetworkConfigListener {
    @Override
    public boolean isRelevant(NetworkConfigEvent event) {
      return event.configClass() == FabricConfig.class;
    }

    @Override
    public void event(NetworkConfigEvent event) {
      executor.execute(EvenweaveManager.this::followConfiguration);
    }
  }

  private void followConfiguration() {
    if (run != null && !keeper.follow(run.engine())) {
      stop("restarting the engine");
    }
    followLeadership();
  }

  private void followLeadership() {
    boolean leading = local.equals(leaderships.getLeader(NAME));
    if (run != null && (!leading || run.term().hasEnded())) {
      stop("no longer leading");
    }
    if (leading && run == null && !purged) {
      start();
    }
  }

  /** The store does not answer while most of the cluster is away, and may be slow to begin. */
  private void start() {
    try {
      start(new LeaderEpoch(storage, System::nanoTime, this::look), new ClusterMemory(storage));
    } catch (StorageException e) {
      LOG.warn("cannot lead yet, the cluster's store does not answer", e);
      executor.schedule(this::followLeadership, START_AGAIN_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void start(LeaderEpoch term, ClusterMemory memory) {
    EngineConfig config = keeper.configured();
    SwitchNames names = new SwitchNames(config::switchIdOf);
    ThreadLoop loop = new ThreadLoop();
    OnosTopology topology = new OnosTopology(devices, links, masterships, names, loop);
    try {
      Engine engine = new Engine(config, topology, southbound(term, names, loop), loop, memory);
      engine.auditEvery(tunables::auditIntervalNanos);
      run = new EngineRun(term, engine, topology, loop::close);
      LOG.info("leading");
      auditSoon();
    } catch (CannotFitException e) {
      loop.close();
      LOG.error("the configured fabric does not fit: {}", e.getMessage());
    }
  }

  private OnosSouthbound southbound(LeaderEpoch term, SwitchNames names, ThreadLoop loop) {
    return new OnosSouthbound(
        application,
        names,
        term::confirm,
        groupRequests,
        flowRequests,
        flows,
        packets,
        reader,
        pending,
        SharedExecutors.getPoolThreadExecutor(),
        loop);
  }

  private void onMastership(MastershipEvent event) {
    if (event.type() == MastershipEvent.Type.MASTER_CHANGED) {
      lookCloser();
    }
  }

  private void lookCloser() {
    executor.execute(this::auditSoon);
  }

  private void auditSoon() {
    audits.forEach(audit -> audit.cancel(false));
    audits.clear();
    for (long millis : AUDIT_AFTER_MILLIS) {
      audits.add(executor.schedule(this::audit, millis, TimeUnit.MILLISECONDS));
    }
  }

  private void audit() {
    engine().ifPresent(Engine::audit);
  }

  private void stop(String reason) {
    if (run != null) {
      run.close();
      run = null;
      LOG.info(reason);
    }
  }
}
