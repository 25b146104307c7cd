package org.evenweave.app;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.sdd.SddService;
import org.evenweave.engine.Engine;
import org.evenweave.engine.events.TopologyWatch;
import org.evenweave.engine.shares.HopShares;
import org.evenweave.engine.shares.UsedLinks;
import org.onlab.util.Tools;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards changes of the engine on this instance to the SDD controller on this instance: weights
 * (the prior of edges), changes of the topology (edges discover their paths), and the load of links
 * (for the paths of circuits). Neither of the two depends on the other.
 */
@Component(immediate = true)
public final class SddNotifier {
  private static final Logger LOG = LoggerFactory.getLogger(SddNotifier.class);

  /** An engine starts and stops with the leadership; no event reports that here, so it polls. */
  private static final long FOLLOW_SECONDS = 2;

  private final EvenweaveService evenweave;
  private final SddService sdd;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Tools.groupedThreads("evenweave", "sdd-notifier-%d", LOG));

  /** The engine on this instance, or null. */
  private Engine watched;

  private TopologyWatch watch;

  @Activate
  public SddNotifier(@Reference EvenweaveService evenweave, @Reference SddService sdd) {
    this.evenweave = evenweave;
    this.sdd = sdd;
  }

  @Activate
  void activate() {
    executor.scheduleWithFixedDelay(
        () -> follow(evenweave.engine().orElse(null)), 0, FOLLOW_SECONDS, TimeUnit.SECONDS);
  }

  @Deactivate
  void deactivate() {
    executor.execute(() -> follow(null));
    executor.shutdown();
  }

  private TopologyWatch watch(Engine engine) {
    return new TopologyWatch(
        engine.events(), () -> sdd.topologyChanged(HopShares.of(engine.view())));
  }

  private void follow(Engine engine) {
    if (engine == watched) {
      return;
    }
    if (watch != null) {
      watch.close();
    }
    watched = engine;
    sdd.useFabric(
        engine == null
            ? Map::of
            : () -> UsedLinks.of(engine.view(), engine.traffic().meter().demands()));
    watch = engine == null ? null : watch(engine);
  }
}
