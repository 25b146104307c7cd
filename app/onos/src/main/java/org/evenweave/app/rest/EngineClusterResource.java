package org.evenweave.app.rest;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.engine.Engine;
import org.evenweave.engine.rest.RestResources;
import org.onosproject.cluster.NodeId;

/** The engine, which works on the leader. */
final class EngineClusterResource implements ClusterResource {
  private final EvenweaveService evenweave;
  private final NodeId local;

  /** Answers for the engine that was asked last; guarded by this. */
  private Engine answeredFor;

  private ResourceDispatcher answers;

  EngineClusterResource(EvenweaveService evenweave, NodeId local) {
    this.evenweave = evenweave;
    this.local = local;
  }

  @Override
  public String statusResource() {
    return "status";
  }

  @Override
  public String placeField() {
    return "leader";
  }

  @Override
  public String placeName() {
    return "the leader";
  }

  @Override
  public Optional<NodeId> place() {
    return evenweave.leader();
  }

  @Override
  public RestResponse absent() {
    return RestResponse.error(503, "no instance leads; ask again in a moment");
  }

  @Override
  public RestResponse answer(RestRequest question) {
    Engine engine = evenweave.engine().orElse(null);
    if (engine == null) {
      return RestResponse.error(
          503, "the engine does not run on " + local + "; its log has the reason");
    }
    ResourceDispatcher known = answersFor(engine);
    // A purge ends the engine, and changes no configuration.
    return question.onlyReads() || question.isAbout(PurgeResource.PATH)
        ? known.answer(question)
        : evenweave.configuration().change(engine, () -> known.answer(question));
  }

  private synchronized ResourceDispatcher answersFor(Engine engine) {
    if (engine != answeredFor) {
      Set<Object> resources = new HashSet<>(RestResources.of(engine));
      resources.add(new PendingResource(evenweave.pending()));
      resources.add(new PurgeResource(evenweave::purge));
      answers = new ResourceDispatcher(resources);
      answeredFor = engine;
    }
    return answers;
  }
}
