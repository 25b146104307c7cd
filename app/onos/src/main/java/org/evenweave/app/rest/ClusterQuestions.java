package org.evenweave.app.rest;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.sdd.SddService;
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
 * Answers questions where their {@link Respondent} is, and takes them there from every other
 * instance. To its status, wherever and even if nowhere it is, this instance adds the names of
 * both.
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

  private final NodeId local;
  private final ClusterCommunicationService messages;
  private final Respondent engine;
  private final Respondent sdd;

  private ExecutorService executor;

  @Activate
  public ClusterQuestions(
      @Reference EvenweaveService evenweave,
      @Reference SddService sdd,
      @Reference ClusterService cluster,
      @Reference ClusterCommunicationService messages) {
    this.local = cluster.getLocalNode().id();
    this.messages = messages;
    this.engine = new EngineRespondent(evenweave, local);
    this.sdd = new SddRespondent(sdd, local);
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
    Respondent asked = respondent(question);
    NodeId place = asked.place().orElse(null);
    Answer answer = place == null ? asked.absent() : askAt(place, asked, question);
    return question.isAbout(asked.statusResource())
        ? answer.with(
            Map.of(asked.placeField(), place == null ? "" : place.id(), "instance", local.id()))
        : answer;
  }

  private Respondent respondent(Question question) {
    return question.isBelow(SddRespondent.ROOT) ? sdd : engine;
  }

  private Answer askAt(NodeId place, Respondent asked, Question question) {
    return place.equals(local) ? asked.answer(question) : askThere(place, asked, question);
  }

  private Answer askThere(NodeId place, Respondent asked, Question question) {
    try {
      return messages
          .<Question, Answer>sendAndReceive(
              question, SUBJECT, SERIALIZER::encode, SERIALIZER::decode, place, ANSWER_TIMEOUT)
          .get();
    } catch (ExecutionException e) {
      LOG.warn("{} {} did not answer: {}", asked.placeName(), place, e.getCause().toString());
      return Answer.error(
          503, asked.placeName() + " " + place + " does not answer; ask again in a moment");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.error(503, "this instance is stopping");
    }
  }

  private Answer answerHere(Question question) {
    return respondent(question).answer(question);
  }
}
