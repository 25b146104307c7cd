package org.evenweave.app.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.service.Serializer;

/**
 * Reports of one kind, from the instance that learns of something to the one where the engine runs:
 * a switch speaks with its master, which may be another. Every instance has one for each kind.
 */
public final class LeaderReports<T> implements AutoCloseable {
  private final MessageSubject subject;
  private final Serializer serializer;
  private final ClusterCommunicationService cluster;
  private final Supplier<NodeId> leader;

  /**
   * @param kind a name that no other kind has
   * @param serializer knows the classes of all that a report holds
   * @param leader the instance where the engine runs; null if there is none
   * @param toEngine takes a report on that instance
   * @param executor to call it on
   */
  public LeaderReports(
      String kind,
      Serializer serializer,
      ClusterCommunicationService cluster,
      Supplier<NodeId> leader,
      Consumer<T> toEngine,
      Executor executor) {
    this.subject = new MessageSubject(kind);
    this.serializer = serializer;
    this.cluster = cluster;
    this.leader = leader;
    cluster.<T>addSubscriber(subject, serializer::decode, toEngine, executor);
  }

  @Override
  public void close() {
    cluster.removeSubscriber(subject);
  }

  /** Whether there is somebody to report to. */
  public boolean areWanted() {
    return leader.get() != null;
  }

  /**
   * Sends a report; it fails where there is nobody to report to, or the message does not arrive.
   *
   * @param report of classes that ONOS's serializer has to know: {@code ArrayList} and not {@code
   *     List.of}
   */
  public CompletableFuture<Void> send(T report) {
    NodeId to = leader.get();
    return to == null
        ? CompletableFuture.failedFuture(new IllegalStateException("there is no leader"))
        : cluster.unicast(report, subject, serializer::encode, to);
  }
}
