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
 * Serves REST requests from every instance by forwarding them to the instance where their {@link
 * ClusterResource} runs. To a resource's status, even if it runs nowhere, it adds the name of that
 * instance and of its own.
 */
@Component(immediate = true, service = RestClient.class)
public final class ClusterRestProxy implements RestClient {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterRestProxy.class);

  private static final MessageSubject SUBJECT = new MessageSubject("evenweave-rest-request");
  private static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(RestRequest.class, RestResponse.class, HashMap.class, byte[].class)
              .build("evenweave-rest-request"));

  /** A verification of the largest fabrics takes seconds; a failed leader is detected sooner. */
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

  /** How many requests of other instances are served at a time. */
  private static final int THREADS = 4;

  private final ClusterService cluster;
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
    this.cluster = cluster;
    this.local = cluster.getLocalNode().id();
    this.messages = messages;
    this.engine = new EngineClusterResource(evenweave, local);
    this.sdd = new SddClusterResource(sdd, local);
  }

  @Activate
  void activate() {
    executor =
        Executors.newFixedThreadPool(THREADS, Tools.groupedThreads("evenweave", "rest-%d", LOG));
    messages.<RestRequest, RestResponse>addSubscriber(
        SUBJECT, SERIALIZER::decode, this::handleHere, SERIALIZER::encode, executor);
  }

  @Deactivate
  void deactivate() {
    messages.removeSubscriber(SUBJECT);
    executor.shutdownNow();
  }

  @Override
  public RestResponse send(RestRequest request) {
    ClusterResource resource = resource(request);
    NodeId instance = resource.instance().orElse(null);
    RestResponse response =
        instance == null ? resource.unavailable() : route(instance, resource, request);
    if (!request.isTo(resource.statusResource())) {
      return response;
    }
    Map<String, String> fields = new HashMap<>(resource.statusFields());
    fields.put(resource.instanceField(), instance == null ? "" : instance.id());
    fields.put("instance", local.id());
    return response.with(fields);
  }

  private ClusterResource resource(RestRequest request) {
    return request.isBelow(SddClusterResource.ROOT) ? sdd : engine;
  }

  private RestResponse route(NodeId instance, ClusterResource resource, RestRequest request) {
    return instance.equals(local) ? resource.handle(request) : sendTo(instance, resource, request);
  }

  private RestResponse sendTo(NodeId instance, ClusterResource resource, RestRequest request) {
    // ONOS's own search for a single node fails where there is none.
    if (cluster.getNodes().stream().noneMatch(node -> node.id().equals(instance))) {
      return RestResponse.error(
          503, resource.instanceLabel() + " " + instance + " is not in the cluster now");
    }
    try {
      return messages
          .<RestRequest, RestResponse>sendAndReceive(
              request, SUBJECT, SERIALIZER::encode, SERIALIZER::decode, instance, RESPONSE_TIMEOUT)
          .get();
    } catch (ExecutionException e) {
      LOG.warn(
          "{} {} did not respond: {}", resource.instanceLabel(), instance, e.getCause().toString());
      return RestResponse.error(
          503,
          resource.instanceLabel() + " " + instance + " does not answer; try again in a moment");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return RestResponse.error(503, "this instance is stopping");
    }
  }

  private RestResponse handleHere(RestRequest request) {
    return resource(request).handle(request);
  }
}
