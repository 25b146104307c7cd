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
 * Tells the SDD controller on this instance what the engine on this instance has changed: edges
 * then have its weights as prior, and discover their paths; and what its traffic uses of links, for
 * paths of circuits. Neither of the two knows the other.
 */
@Component(immediate = true)
public final class TopologyNews {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyNews.class);

  /** An engine starts and stops with the leadership, of which nothing here is told. */
  private static final long FOLLOW_SECONDS = 2;

  private final EvenweaveService evenweave;
  private final SddService sdd;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Tools.groupedThreads("evenweave", "news-%d", LOG));

  /** The engine on this instance, or null. */
  private Engine watched;

  private TopologyWatch watch;

  @Activate
  public TopologyNews(@Reference EvenweaveService evenweave, @Reference SddService sdd) {
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
