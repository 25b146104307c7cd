package org.evenweave.app.sdd;

import static org.onosproject.net.config.basics.SubjectFactories.APP_SUBJECT_FACTORY;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.onlab.util.Tools;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.store.service.StorageService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the SDD controller on one instance, which the network configuration determines; the engine
 * is independent of it. Its state is in the hosts, so it starts without any on another instance,
 * except for what operators changed by REST and commands ({@link ClusterPolicy}).
 *
 * <p>Where the leader runs it and hosts can connect to any instance, the next leader's stands by,
 * so that it takes over as soon as hosts have lost the leader's: ONOS notices seconds later that an
 * instance has ended.
 */
@Component(immediate = true, service = SddService.class)
public final class SddManager implements SddService {
  private static final Logger LOG = LoggerFactory.getLogger(SddManager.class);

  /**
   * Key files appear and addresses become free without an event of ONOS, and events can be lost.
   */
  static final long RECONCILE_SECONDS = 2;

  /** Closing sessions takes up to 2 s, and the address must be free for a new bundle. */
  private static final long STOP_SECONDS = 8;

  private final ClusterService cluster;
  private final LeadershipService leaderships;
  private final NetworkConfigRegistry configs;
  private final ApplicationId application;
  private final NodeId local;

  private final LeadershipEventListener leadershipListener = event -> reconcileSoon();
  private final ClusterEventListener clusterListener = event -> reconcileSoon();
  private final NetworkConfigListener configListener = new SddConfigListener();
  private final ConfigFactory<ApplicationId, SddNetworkConfig> configFactory =
      new ConfigFactory<>(APP_SUBJECT_FACTORY, SddNetworkConfig.class, SddNetworkConfig.KEY) {
        @Override
        public SddNetworkConfig createConfig() {
          return new SddNetworkConfig();
        }
      };

  private final StorageService storage;

  /** From the activation on. */
  private ClusterPolicy policy;

  /** Of the fabric, if its engine is on this instance. */
  private volatile Supplier<Map<String, Map<String, Double>>> links = Map::of;

  private final SddRun run = new SddRun(this::join);

  /** Null if none is configured. */
  private volatile SddPlacement placement;

  /** Starts and stops the controller on one thread. */
  private ScheduledExecutorService executor;

  private Future<?> reconciliation;

  @Activate
  public SddManager(
      @Reference CoreService core,
      @Reference ClusterService cluster,
      @Reference LeadershipService leaderships,
      @Reference NetworkConfigRegistry configs,
      @Reference StorageService storage) {
    this.cluster = cluster;
    this.leaderships = leaderships;
    this.configs = configs;
    this.storage = storage;
    application = core.registerApplication(EvenweaveService.NAME);
    local = cluster.getLocalNode().id();
  }

  @Activate
  void activate() {
    startOn(
        Executors.newSingleThreadScheduledExecutor(
            Tools.groupedThreads("evenweave", "sdd-%d", LOG)));
  }

  /**
   * @param singleThread ends with this component
   */
  void startOn(ScheduledExecutorService singleThread) {
    executor = singleThread;
    policy = new ClusterPolicy(storage, this::changed);
    configs.registerConfigFactory(configFactory);
    configs.addListener(configListener);
    leaderships.addListener(leadershipListener);
    cluster.addListener(clusterListener);
    reconcileSoon();
    reconciliation =
        executor.scheduleWithFixedDelay(
            this::reconcile, RECONCILE_SECONDS, RECONCILE_SECONDS, TimeUnit.SECONDS);
  }

  @Deactivate
  void deactivate() {
    reconciliation.cancel(false);
    cluster.removeListener(clusterListener);
    leaderships.removeListener(leadershipListener);
    configs.removeListener(configListener);
    executor.execute(run::stop);
    executor.shutdown();
    try {
      if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the SDD controller has not stopped in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    policy.close();
    configs.unregisterConfigFactory(configFactory);
  }

  /** A controller begins with what was changed at the one before. */
  private void join(SddController started, boolean leads) {
    started.useFabric(() -> links.get());
    started.policy().tell(policy::put);
    policy.newest().ifPresent(started.policy()::offered);
    if (leads) {
      policy.deleteUnlessOf(started.policy().current().base());
    }
  }

  /** Another instance's operator, or this one's, has changed something. */
  private void changed(PolicyState state) {
    run.controller().ifPresent(running -> running.policy().offered(state));
  }

  @Override
  public boolean configured() {
    return placement != null;
  }

  @Override
  public Optional<NodeId> instance() {
    SddPlacement now = placement;
    return now == null
        ? Optional.empty()
        : now.instance(cluster.getNodes(), leaderships.getLeader(EvenweaveService.NAME));
  }

  @Override
  public Optional<NodeId> standby() {
    SddPlacement now = placement;
    return now == null
        ? Optional.empty()
        : now.standby(
            leaderships.getLeader(EvenweaveService.NAME),
            leaderships.getCandidates(EvenweaveService.NAME));
  }

  @Override
  public Optional<SddController> controller() {
    return run.controller();
  }

  @Override
  public String problem() {
    return run.problem();
  }

  @Override
  public void topologyChanged(SortedMap<String, Map<Integer, Integer>> shares) {
    run.controller()
        .ifPresent(
            running -> {
              running.edges().weights(EdgeWeights.of(shares));
              running.edges().topologyChanged();
            });
  }

  @Override
  public void useFabric(Supplier<Map<String, Map<String, Double>>> newLinks) {
    links = newLinks;
  }

  /** Ignores other configurations. */
  private final class SddConfigListener implements NetworkConfigListener {
    @Override
    public boolean isRelevant(NetworkConfigEvent event) {
      return event.configClass() == SddNetworkConfig.class;
    }

    @Override
    public void event(NetworkConfigEvent event) {
      reconcileSoon();
    }
  }

  private void reconcileSoon() {
    executor.execute(this::reconcile);
  }

  private void reconcile() {
    try {
      SddNetworkConfig config = configs.getConfig(application, SddNetworkConfig.class);
      if (config == null && placement != null) {
        policy.forget();
      }
      placement = config == null ? null : new SddPlacement(config);
      Optional<NodeId> standby = standby();
      if (instance().equals(Optional.of(local))) {
        run.run(placement.document());
        if (standby.isPresent() && run.isOvertaken()) {
          leadAgain();
        }
      } else if (standby.equals(Optional.of(local))) {
        run.standBy(placement.document());
      } else {
        run.stop();
      }
    } catch (RuntimeException e) {
      LOG.warn("cannot determine the instance of the SDD controller: {}", e.toString());
    }
  }

  /**
   * The leader's controller has been overtaken by the one that stood by, because it or its
   * connections were away for a moment: it leads again, so that requests find the one that leads.
   * Unless another instance has been elected since, of which this one may not know yet: registering
   * again has ONOS ask the cluster's store.
   */
  private void leadAgain() {
    leaderships.runForLeadership(EvenweaveService.NAME);
    if (instance().equals(Optional.of(local))) {
      run.lead();
    }
  }
}
