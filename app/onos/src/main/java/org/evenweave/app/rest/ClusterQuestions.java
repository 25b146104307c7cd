package org.evenweave.app.rest;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.evenweave.app.EvenweaveService;
import org.evenweave.engine.Engine;
import org.evenweave.engine.rest.RestResources;
import org.onlab.util.KryoNamespace;
import org.onlab.util.Tools;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.service.Serializer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions on the leader, where the engine is, and takes them there from every other
 * instance. To the status, with or without a leader, this instance adds the names of both.
 */
@Component(immediate = true, service = Questions.class)
public final class ClusterQuestions implements Questions {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterQuestions.class);

  private static final MessageSubject SUBJECT = new MessageSubject("evenweave-question");
  private static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(Question.class, Answer.class, HashMap.class, byte[].class)
              .build("evenweave-question"));

  /**
   * A verification of the largest fabrics takes seconds; a leader that is gone is noticed sooner.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** How many questions of other instances are answered at a time. */
  private static final int THREADS = 4;

  private final EvenweaveService evenweave;
  private final ClusterService cluster;
  private final ClusterCommunicationService messages;

  private ExecutorService executor;

  /** Answers for the engine that was asked last; guarded by this. */
  private Engine answeredFor;

  private EngineAnswers answers;

  @Activate
  public ClusterQuestions(
      @Reference EvenweaveService evenweave,
      @Reference ClusterService cluster,
      @Reference ClusterCommunicationService messages) {
    this.evenweave = evenweave;
    this.cluster = cluster;
    this.messages = messages;
  }

  @Activate
  void activate() {
    executor =
        Executors.newFixedThreadPool(THREADS, Tools.groupedThreads("evenweave", "answer-%d", LOG));
    messages.<Question, Answer>addSubscriber(
        SUBJECT, SERIALIZER::decode, this::answerHere, SERIALIZER::encode, executor);
  }

  @Deactivate
  void deactivate() {
    messages.removeSubscriber(SUBJECT);
    executor.shutdownNow();
  }

  @Override
  public Answer ask(Question question) {
    Answer answer = askLeader(question);
    return question.isAbout("status")
        ? answer.with(
            Map.of(
                "leader", evenweave.leader().map(NodeId::id).orElse(""),
                "instance", cluster.getLocalNode().id().id()))
        : answer;
  }

  private Answer askLeader(Question question) {
    NodeId leader = evenweave.leader().orElse(null);
    if (leader == null) {
      return Answer.error(503, "no instance leads; ask again in a moment");
    }
    return leader.equals(cluster.getLocalNode().id())
        ? answerHere(question)
        : askThere(leader, question);
  }

  private Answer askThere(NodeId leader, Question question) {
    try {
      return messages
          .<Question, Answer>sendAndReceive(
              question, SUBJECT, SERIALIZER::encode, SERIALIZER::decode, leader, ANSWER_TIMEOUT)
          .get();
    } catch (ExecutionException e) {
      LOG.warn("the leader {} did not answer: {}", leader, e.getCause().toString());
      return Answer.error(503, "the leader " + leader + " does not answer; ask again in a moment");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.error(503, "this instance is stopping");
    }
  }

  private Answer answerHere(Question question) {
    Engine engine = evenweave.engine().orElse(null);
    if (engine == null) {
      return Answer.error(
          503,
          "the engine does not run on " + cluster.getLocalNode().id() + "; its log has the reason");
    }
    EngineAnswers known = answersFor(engine);
    return question.onlyReads()
        ? known.answer(question)
        : evenweave.configuration().change(engine, () -> known.answer(question));
  }

  private synchronized EngineAnswers answersFor(Engine engine) {
    if (engine != answeredFor) {
      Set<Object> resources = new HashSet<>(RestResources.of(engine));
      resources.add(new PendingResource(evenweave.pending()));
      answers = new EngineAnswers(resources);
      answeredFor = engine;
    }
    return answers;
  }
}
