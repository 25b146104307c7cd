package org.evenweave.app.rest;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.engine.Engine;
import org.evenweave.engine.rest.RestResources;
import org.onosproject.cluster.NodeId;

/** The engine, which works on the leader. */
final class EngineRespondent implements Respondent {
  private final EvenweaveService evenweave;
  private final NodeId local;

  /** Answers for the engine that was asked last; guarded by this. */
  private Engine answeredFor;

  private ResourceAnswers answers;

  EngineRespondent(EvenweaveService evenweave, NodeId local) {
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
  public Answer absent() {
    return Answer.error(503, "no instance leads; ask again in a moment");
  }

  @Override
  public Answer answer(Question question) {
    Engine engine = evenweave.engine().orElse(null);
    if (engine == null) {
      return Answer.error(503, "the engine does not run on " + local + "; its log has the reason");
    }
    ResourceAnswers known = answersFor(engine);
    // A purge ends the engine, and changes no configuration.
    return question.onlyReads() || question.isAbout(PurgeResource.PATH)
        ? known.answer(question)
        : evenweave.configuration().change(engine, () -> known.answer(question));
  }

  private synchronized ResourceAnswers answersFor(Engine engine) {
    if (engine != answeredFor) {
      Set<Object> resources = new HashSet<>(RestResources.of(engine));
      resources.add(new PendingResource(evenweave.pending()));
      resources.add(new PurgeResource(evenweave::purge));
      answers = new ResourceAnswers(resources);
      answeredFor = engine;
    }
    return answers;
  }
}
