package org.evenweave.app.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.engine.Engine;
import org.evenweave.engine.demand.SwitchDemand;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.status.FabricStatus;
import org.onlab.metrics.MetricsComponent;
import org.onlab.metrics.MetricsFeature;
import org.onlab.metrics.MetricsService;

/**
 * The application's figures among ONOS's own, from construction until closed: {@code
 * evenweave.changes.*} of changes requested of switches, {@code evenweave.audit.*} of what the
 * audit found, {@code evenweave.plans.*} of what the engine had to retry, {@code
 * evenweave.fabric.*} of what is configured and missing, and of links that are damped, {@code
 * evenweave.traffic.*} of the measured traffic matrix. Those of the engine are 0 on an instance
 * that does not lead, and count from when it began to.
 */
public final class Metrics implements AutoCloseable {
  static final String COMPONENT = "evenweave";

  private final MetricsService service;
  private final MetricsComponent component;
  private final Map<MetricsFeature, Map<String, Metric>> metrics = new LinkedHashMap<>();

  /**
   * @param engine the engine of this instance, if one runs
   */
  public Metrics(
      MetricsService service, PendingChanges pending, Supplier<Optional<Engine>> engine) {
    this.service = service;
    this.component = service.registerComponent(COMPONENT);
    register(
        "changes",
        Map.of(
            "confirmations", pending.confirmations(),
            "pending", (Gauge<Integer>) () -> pending.entries().size(),
            "refused", pending.refused(),
            "givenUp", pending.givenUp(),
            "unreadable", pending.unreadable()));
    register(
        "audit",
        Map.of(
            "drifts", ofEngine(engine, log -> log.count(Event.Kind.DRIFT)),
            "repairs", ofEngine(engine, log -> log.confirmedCount(Event.Kind.DRIFT))));
    register(
        "plans",
        Map.of(
            "refused", ofEngine(engine, log -> log.count(Event.Kind.REFUSED)),
            "unsafe", ofEngine(engine, log -> log.count(Event.Kind.UNSAFE))));
    register(
        "fabric",
        Map.of(
            "missingSwitches", ofStatus(engine, FabricStatus::missingSwitches),
            "missingLinks", ofStatus(engine, FabricStatus::missingLinks),
            "dampedLinks",
                (Gauge<Integer>)
                    () -> engine.get().map(now -> now.links().damping().links().size()).orElse(0),
            "dampings", ofEngine(engine, log -> log.count(Event.Kind.LINK_DAMPED)),
            "degraded",
                ofStatus(engine, status -> status.state() == FabricStatus.State.DEGRADED ? 1 : 0)));
    register(
        "traffic",
        Map.of(
            "measuredBps", (Gauge<Long>) () -> engine.get().map(Metrics::measuredBps).orElse(0L)));
  }

  @Override
  public void close() {
    metrics.forEach(
        (feature, named) ->
            named.keySet().forEach(name -> service.removeMetric(component, feature, name)));
  }

  private void register(String featureName, Map<String, Metric> named) {
    MetricsFeature feature = component.registerFeature(featureName);
    metrics.put(feature, named);
    named.forEach(
        (name, metric) -> {
          // Left by an earlier activation that could not remove it.
          service.removeMetric(component, feature, name);
          service.registerMetric(component, feature, name, metric);
        });
  }

  private static long measuredBps(Engine engine) {
    return Math.round(
        engine.traffic().meter().demands().stream().mapToDouble(SwitchDemand::totalBps).sum());
  }

  private static Gauge<Integer> ofStatus(
      Supplier<Optional<Engine>> engine, ToIntFunction<FabricStatus> figure) {
    return () -> engine.get().map(now -> figure.applyAsInt(now.view().status())).orElse(0);
  }

  private static Gauge<Long> ofEngine(
      Supplier<Optional<Engine>> engine, ToLongFunction<EventLog> figure) {
    return () -> engine.get().map(now -> figure.applyAsLong(now.events())).orElse(0L);
  }
}
