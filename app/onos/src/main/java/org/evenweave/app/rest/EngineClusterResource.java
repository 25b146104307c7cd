package org.evenweave.app.rest;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.engine.Engine;
import org.evenweave.engine.metrics.EngineMetrics;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.metrics.MetricsResource;
import org.evenweave.web.PageResource;
import org.onosproject.cluster.NodeId;

/** The engine, which runs on the leader. */
final class EngineClusterResource implements ClusterResource {
  private final EvenweaveService evenweave;
  private final NodeId local;

  /** The engine of {@link #dispatcher}; guarded by this. */
  private Engine dispatcherFor;

  private ResourceDispatcher dispatcher;

  EngineClusterResource(EvenweaveService evenweave, NodeId local) {
    this.evenweave = evenweave;
    this.local = local;
  }

  @Override
  public String statusResource() {
    return "status";
  }

  @Override
  public String instanceField() {
    return "leader";
  }

  @Override
  public String instanceLabel() {
    return "the leader";
  }

  @Override
  public Optional<NodeId> instance() {
    return evenweave.leader();
  }

  @Override
  public RestResponse unavailable() {
    return RestResponse.error(503, "no instance leads; try again in a moment");
  }

  @Override
  public RestResponse handle(RestRequest request) {
    Engine engine = evenweave.engine().orElse(null);
    if (engine == null) {
      return RestResponse.error(
          503, "the engine does not run on " + local + "; its log has the reason");
    }
    ResourceDispatcher known = dispatcher(engine);
    // A purge stops the engine, and changes no configuration.
    return request.isReadOnly() || request.isTo(PurgeResource.PATH)
        ? known.handle(request)
        : evenweave.configuration().change(engine, () -> known.handle(request));
  }

  private synchronized ResourceDispatcher dispatcher(Engine engine) {
    if (engine != dispatcherFor) {
      Set<Object> resources = new HashSet<>(RestResources.of(engine));
      resources.add(new PageResource());
      resources.add(new PendingResource(evenweave.pending()));
      resources.add(new PurgeResource(evenweave::purge));
      resources.add(new TablesResource(engine, evenweave::counters));
      resources.add(
          new MetricsResource(
              List.of(new EngineMetrics(engine), new ChangeMetrics(evenweave.pending()))));
      dispatcher = new ResourceDispatcher(resources);
      dispatcherFor = engine;
    }
    return dispatcher;
  }
}
