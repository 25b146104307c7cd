package org.evenweave.app.sdd;

import static org.onosproject.net.config.basics.SubjectFactories.APP_SUBJECT_FACTORY;

import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.sdd.loop.SddController;
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
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the SDD controller on the one instance where it belongs, as the network configuration has
 * it; the engine neither knows of it nor waits for it. What it knows is in the hosts, so it begins
 * anew wherever it starts.
 */
@Component(immediate = true, service = SddService.class)
public final class SddManager implements SddService {
  private static final Logger LOG = LoggerFactory.getLogger(SddManager.class);

  /** Keys may come and addresses become free without any word of ONOS, and its words be lost. */
  static final long LOOK_SECONDS = 2;

  /** Ending sessions takes up to 2 s, and a new bundle is to find the address free. */
  private static final long STOP_SECONDS = 8;

  private final ClusterService cluster;
  private final LeadershipService leaderships;
  private final NetworkConfigRegistry configs;
  private final ApplicationId application;
  private final NodeId local;

  private final LeadershipEventListener leadershipListener = event -> look();
  private final ClusterEventListener clusterListener = event -> look();
  private final NetworkConfigListener configListener = new SddConfigListener();
  private final ConfigFactory<ApplicationId, SddNetworkConfig> configFactory =
      new ConfigFactory<>(APP_SUBJECT_FACTORY, SddNetworkConfig.class, SddNetworkConfig.KEY) {
        @Override
        public SddNetworkConfig createConfig() {
          return new SddNetworkConfig();
        }
      };

  private final SddRun run = new SddRun();

  /** Null if none is configured. */
  private volatile SddPlacement wanted;

  /** Starts and ends the controller, one thing at a time. */
  private ScheduledExecutorService executor;

  private Future<?> regularLook;

  @Activate
  public SddManager(
      @Reference CoreService core,
      @Reference ClusterService cluster,
      @Reference LeadershipService leaderships,
      @Reference NetworkConfigRegistry configs) {
    this.cluster = cluster;
    this.leaderships = leaderships;
    this.configs = configs;
    application = core.registerApplication(EvenweaveService.NAME);
    local = cluster.getLocalNode().id();
  }

  @Activate
  void activate() {
    executor =
        Executors.newSingleThreadScheduledExecutor(
            Tools.groupedThreads("evenweave", "sdd-%d", LOG));
    configs.registerConfigFactory(configFactory);
    configs.addListener(configListener);
    leaderships.addListener(leadershipListener);
    cluster.addListener(clusterListener);
    look();
    regularLook =
        executor.scheduleWithFixedDelay(this::follow, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  @Deactivate
  void deactivate() {
    regularLook.cancel(false);
    cluster.removeListener(clusterListener);
    leaderships.removeListener(leadershipListener);
    configs.removeListener(configListener);
    executor.execute(run::stop);
    executor.shutdown();
    try {
      if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the SDD controller is slow to stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    configs.unregisterConfigFactory(configFactory);
  }

  @Override
  public boolean configured() {
    return wanted != null;
  }

  @Override
  public Optional<NodeId> place() {
    SddPlacement now = wanted;
    return now == null
        ? Optional.empty()
        : now.place(cluster.getNodes(), leaderships.getLeader(EvenweaveService.NAME));
  }

  @Override
  public Optional<SddController> controller() {
    return run.controller();
  }

  @Override
  public String problem() {
    return run.problem();
  }

  /** Other configurations are none of the controller's business. */
  private final class SddConfigListener implements NetworkConfigListener {
    @Override
    public boolean isRelevant(NetworkConfigEvent event) {
      return event.configClass() == SddNetworkConfig.class;
    }

    @Override
    public void event(NetworkConfigEvent event) {
      look();
    }
  }

  private void look() {
    executor.execute(this::follow);
  }

  private void follow() {
    try {
      SddNetworkConfig config = configs.getConfig(application, SddNetworkConfig.class);
      wanted = config == null ? null : new SddPlacement(config);
      if (place().equals(Optional.of(local))) {
        run.run(wanted.document());
      } else {
        run.stop();
      }
    } catch (RuntimeException e) {
      LOG.warn("ONOS does not say where the SDD controller belongs: {}", e.toString());
    }
  }
}
