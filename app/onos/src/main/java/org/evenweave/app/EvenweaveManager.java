package org.evenweave.app;

import static org.onosproject.net.config.basics.SubjectFactories.APP_SUBJECT_FACTORY;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cluster.SharedText;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.config.FabricConfig;
import org.evenweave.app.config.Refusals;
import org.evenweave.app.config.Tunables;
import org.evenweave.app.gui.DevicePlaces;
import org.evenweave.app.metrics.Metrics;
import org.evenweave.app.network.PortReports;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.removal.Purge;
import org.evenweave.app.removal.StoreCleanup;
import org.evenweave.app.requirements.FlowSettings;
import org.evenweave.app.requirements.RequiredApplications;
import org.evenweave.app.requirements.SolverRequirement;
import org.evenweave.app.southbound.OpenFlowChannel;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.SwitchCounters;
import org.evenweave.engine.Engine;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.reconcile.Rehearsal;
import org.evenweave.engine.status.RuntimeReport;
import org.onlab.metrics.MetricsService;
import org.onlab.util.Tools;
import org.onosproject.app.ApplicationAdminService;
import org.onosproject.app.ApplicationState;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterService;
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
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application on one instance of ONOS. The instances elect a leader ({@link LeaderElection}),
 * which runs the engine ({@link EngineRunner}). All that the next leader's engine needs is in the
 * switches, in the cluster's store and in the network configuration.
 *
 * <p>When the application is deactivated, or ONOS stops, the switches keep their tables; when it is
 * purged, or uninstalled while active, all that it installed is removed ({@link
 * ApplicationRemoval}).
 */
@Component(immediate = true, service = EvenweaveService.class)
public final class EvenweaveManager implements EvenweaveService {
  private static final Logger LOG = LoggerFactory.getLogger(EvenweaveManager.class);

  /**
   * Period of checking who leads. There are events for it; but ONOS removes a listener for good
   * that was running when the machine stalled for 1.8 s.
   */
  private static final long CHECK_SECONDS = 5;

  /** Period of looking at what the application requires; ONOS polls switches every 5 s. */
  private static final long REQUIREMENTS_SECONDS = 1;

  @Reference private CoreService core;
  @Reference private ApplicationAdminService applications;
  @Reference private ClusterService clusterNodes;
  @Reference private LeadershipService leaderships;
  @Reference private MastershipService masterships;
  @Reference private ClusterCommunicationService messages;
  @Reference private NetworkConfigRegistry configs;
  @Reference private Tunables tunables;
  @Reference private DeviceService devices;
  @Reference private PacketService packets;
  @Reference private GroupService groups;
  @Reference private FlowRuleService flows;
  @Reference private MetricsService metricsService;
  @Reference private OpenFlowChannel channel;
  @Reference private StorageService storage;
  @Reference private ComponentConfigService components;

  private final PendingChanges pending = new PendingChanges();
  private final MastershipListener mastershipListener = this::onMastership;
  private final ClusterEventListener clusterListener = event -> auditSoon();
  private final NetworkConfigListener configListener = new FabricConfigListener();
  private final ConfigFactory<ApplicationId, FabricConfig> configFactory =
      new ConfigFactory<>(APP_SUBJECT_FACTORY, FabricConfig.class, FabricConfig.KEY) {
        @Override
        public FabricConfig createConfig() {
          return new FabricConfig(
              () -> keeper.configured(), EvenweaveManager.this::hasSolver, refusals);
        }
      };

  private ApplicationId application;
  private NodeId local;
  private FlowSettings flowSettings;
  private SolverRequirement solverRequirement;
  private DevicePlaces places;
  private SharedText keptConfiguration;
  private SharedText lastRefusal;
  private Refusals refusals;
  private ConfigKeeper keeper;
  private LeaderElection election;
  private SwitchAccess switches;
  private PortReports portReports;
  private EngineRunner runner;
  private ApplicationRemoval removal;
  private StoreCleanup cleanup;
  private LeaderReports reports;
  private Metrics metrics;

  /** Whether the application is being deactivated or uninstalled. */
  private volatile boolean ending;

  /** Starts and stops the engine on one thread. */
  private ScheduledExecutorService executor;

  /** Computes weights for the traffic, which may take seconds. */
  private ExecutorService planning;

  /** Touched by the executor only; null before it began. */
  private Rehearsal rehearsal;

  @Activate
  void activate(BundleContext bundle) {
    application = core.registerApplication(NAME);
    local = clusterNodes.getLocalNode().id();
    executor =
        Executors.newSingleThreadScheduledExecutor(
            Tools.groupedThreads("evenweave", "app-%d", LOG));
    planning =
        Executors.newSingleThreadExecutor(Tools.groupedThreads("evenweave", "traffic-%d", LOG));
    election = new LeaderElection(leaderships, local, () -> runner.followLeadershipSoon());
    flowSettings = new FlowSettings(components, storage);
    flowSettings.preset();
    solverRequirement = new SolverRequirement(bundle, planning);
    places = new DevicePlaces(configs, devices, storage);
    keptConfiguration = new SharedText(storage, "evenweave-configuration");
    keeper = new ConfigKeeper(configs, application, keptConfiguration);
    lastRefusal = new SharedText(storage, "evenweave-refusal");
    refusals = new Refusals(lastRefusal, Clock.systemUTC());
    pending.giveUpAfter(tunables::confirmationTimeoutNanos);
    cleanup = new StoreCleanup(application, devices, masterships, flows, groups, executor);
    // Before any switch is changed.
    cleanStores();
    switches =
        new SwitchAccess(
            local,
            channel,
            devices,
            packets,
            messages,
            masterships,
            election::leader,
            pending,
            core);
    portReports = new PortReports(storage);
    channel.reportPortsTo(portReports);
    runner =
        new EngineRunner(
            election,
            keeper,
            tunables,
            switches,
            devices,
            masterships,
            portReports,
            storage,
            executor);
    removal =
        new ApplicationRemoval(
            application,
            applications,
            keeper,
            runner,
            switches,
            devices,
            masterships,
            storage,
            executor);
    // ONOS takes seconds from this hook to the end of the component. By then an application that
    // was only deactivated, for an upgrade, may be uninstalled too: so the hook checks which it is.
    applications.registerDeactivateHook(application, this::onApplicationEnds);
    reports = new LeaderReports(packets, application, messages, channel, election::leader, runner);
    executor.scheduleWithFixedDelay(
        this::checkRequirements, 0, REQUIREMENTS_SECONDS, TimeUnit.SECONDS);
    metrics = new Metrics(metricsService, pending, this::engine);
    configs.registerConfigFactory(configFactory);
    configs.addListener(configListener);
    masterships.addListener(mastershipListener);
    clusterNodes.addListener(clusterListener);
    election.start();
    executor.execute(() -> new RequiredApplications(applications).retain(application));
    executor.execute(this::rehearse);
    executor.execute(this::checkRegularly);
    LOG.info("started");
  }

  @Deactivate
  void deactivate() {
    masterships.removeListener(mastershipListener);
    clusterNodes.removeListener(clusterListener);
    configs.removeListener(configListener);
    cleanup.close();
    election.close();
    executor.execute(() -> runner.stop("withdrawing from leadership"));
    executor.execute(this::endRehearsal);
    executor.shutdown();
    planning.shutdownNow();
    reports.close();
    channel.reportPortsTo(null);
    portReports.close();
    metrics.close();
    switches.close();
    configs.unregisterConfigFactory(configFactory);
    keptConfiguration.close();
    lastRefusal.close();
    LOG.info("stopped");
  }

  /** Every instance does: it may come to lead when another one fails. */
  private void rehearse() {
    rehearsal = Rehearsal.start(keeper.configured());
  }

  private void endRehearsal() {
    if (rehearsal != null) {
      rehearsal.close();
    }
  }

  /**
   * The application is deactivated or uninstalled, on all instances: if nothing of it is left in
   * the switches, one of them restores the settings of ONOS. Not called when an instance of ONOS
   * stops.
   */
  private void onApplicationEnds() {
    NodeId leader = election.leader();
    ending = true;
    boolean isEmptied = runner.isSuspended();
    if (applications.getState(application) == null) {
      removal.removeHere();
      isEmptied = true;
    }
    if (leader == null || leader.equals(local)) {
      if (isEmptied) {
        flowSettings.restore();
      }
      places.takeBack();
    }
  }

  @Override
  public Optional<Engine> engine() {
    return runner.engine();
  }

  @Override
  public Optional<NodeId> leader() {
    return Optional.ofNullable(election.leader());
  }

  @Override
  public CompletableFuture<Purge.Result> purge() {
    return removal.purge();
  }

  @Override
  public CompletableFuture<SwitchCounters> counters(String switchId) {
    SwitchNames names = new SwitchNames(keeper.configured()::switchIdOf);
    for (Device device : devices.getDevices()) {
      if (SwitchNames.isSwitch(device.id()) && names.nameOf(device.id()).equals(switchId)) {
        return switches.counters(device.id());
      }
    }
    return CompletableFuture.failedFuture(
        new SouthboundException(switchId, "ONOS does not know it"));
  }

  @Override
  public PendingChanges pending() {
    return pending;
  }

  @Override
  public ConfigKeeper configuration() {
    return keeper;
  }

  private void cleanStores() {
    try {
      cleanup.clean();
    } catch (RuntimeException e) {
      LOG.debug("the next check cleans ONOS's stores", e);
    }
  }

  /** On one instance, and not once it may have restored ONOS's own settings. */
  private void checkRequirements() {
    try {
      if (!ending && election.isWon()) {
        List<String> problems = new ArrayList<>(flowSettings.insist());
        runner.engine().ifPresent(engine -> report(engine, problems));
      }
    } catch (StorageException e) {
      LOG.debug("the next check reads ONOS's settings", e);
    } catch (RuntimeException e) {
      LOG.warn("cannot read ONOS's settings", e);
    }
  }

  private void report(Engine engine, List<String> problems) {
    problems.addAll(solverRequirement.provide(engine));
    engine.runtimeProblems(problems);
    engine.report("configuration", keeper.problems());
    engine.runtimeReport(new RuntimeReport(flowSettings.inForce(), refusals.last().orElse(null)));
  }

  /**
   * Whether the application with the solver is active, though it may not offer it yet: ONOS takes
   * the network configuration of before its restart while applications start.
   */
  private boolean hasSolver() {
    ApplicationId id = core.getAppId(SolverRequirement.APPLICATION);
    return id != null && applications.getState(id) == ApplicationState.ACTIVE;
  }

  private void checkRegularly() {
    executor.schedule(this::checkRegularly, CHECK_SECONDS, TimeUnit.SECONDS);
    cleanStores();
    runner.followLeadership();
    if (runner.engine().isPresent()) {
      runner.confirmEpoch();
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
      LOG.debug("the next check places devices", e);
    }
  }

  /** Ignores the configurations of other applications. */
  private final class FabricConfigListener implements NetworkConfigListener {
    @Override
    public boolean isRelevant(NetworkConfigEvent event) {
      return event.configClass() == FabricConfig.class;
    }

    @Override
    public void event(NetworkConfigEvent event) {
      runner.followConfigurationSoon();
    }
  }

  private void onMastership(MastershipEvent event) {
    if (event.type() == MastershipEvent.Type.MASTER_CHANGED) {
      auditSoon();
    }
  }

  private void auditSoon() {
    runner.auditSoon();
  }
}
