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
 * Answers questions where their {@link ClusterResource} is, and takes them there from every other
 * instance. To its status, wherever and even if nowhere it is, this instance adds the names of
 * both.
 */
@Component(immediate = true, service = RestClient.class)
public final class ClusterRestProxy implements RestClient {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterRestProxy.class);

  private static final MessageSubject SUBJECT = new MessageSubject("evenweave-question");
  private static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(RestRequest.class, RestResponse.class, HashMap.class, byte[].class)
              .build("evenweave-question"));

  /**
   * A verification of the largest fabrics takes seconds; a leader that is gone is noticed sooner.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** How many questions of other instances are answered at a time. */
  private static final int THREADS = 4;

  private final NodeId local;
  private final ClusterCommunicationService messages;
  private final ClusterResource engine;
  private final ClusterResource sdd;

  private ExecutorService executor;

  @Activate
  public ClusterRestProxy(
      @Reference EvenweaveService evenweave,
      @Reference SddService sdd,
      @Reference ClusterService cluster,
      @Reference ClusterCommunicationService messages) {
    this.local = cluster.getLocalNode().id();
    this.messages = messages;
    this.engine = new EngineClusterResource(evenweave, local);
    this.sdd = new SddClusterResource(sdd, local);
  }

  @Activate
  void activate() {
    executor =
        Executors.newFixedThreadPool(THREADS, Tools.groupedThreads("evenweave", "answer-%d", LOG));
    messages.<RestRequest, RestResponse>addSubscriber(
        SUBJECT, SERIALIZER::decode, this::answerHere, SERIALIZER::encode, executor);
  }

  @Deactivate
  void deactivate() {
    messages.removeSubscriber(SUBJECT);
    executor.shutdownNow();
  }

  @Override
  public RestResponse ask(RestRequest question) {
    ClusterResource asked = respondent(question);
    NodeId place = asked.place().orElse(null);
    RestResponse answer = place == null ? asked.absent() : askAt(place, asked, question);
    return question.isAbout(asked.statusResource())
        ? answer.with(
            Map.of(asked.placeField(), place == null ? "" : place.id(), "instance", local.id()))
        : answer;
  }

  private ClusterResource respondent(RestRequest question) {
    return question.isBelow(SddClusterResource.ROOT) ? sdd : engine;
  }

  private RestResponse askAt(NodeId place, ClusterResource asked, RestRequest question) {
    return place.equals(local) ? asked.answer(question) : askThere(place, asked, question);
  }

  private RestResponse askThere(NodeId place, ClusterResource asked, RestRequest question) {
    try {
      return messages
          .<RestRequest, RestResponse>sendAndReceive(
              question, SUBJECT, SERIALIZER::encode, SERIALIZER::decode, place, ANSWER_TIMEOUT)
          .get();
    } catch (ExecutionException e) {
      LOG.warn("{} {} did not answer: {}", asked.placeName(), place, e.getCause().toString());
      return RestResponse.error(
          503, asked.placeName() + " " + place + " does not answer; ask again in a moment");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return RestResponse.error(503, "this instance is stopping");
    }
  }

  private RestResponse answerHere(RestRequest question) {
    return respondent(question).answer(question);
  }
}
