package org.evenweave.app.southbound;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.evenweave.engine.port.SouthboundException;
import org.onlab.util.KryoNamespace;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.service.Serializer;

/**
 * Sends requests to the instance that is a switch's master. If that is this instance, they are
 * direct calls without ONOS's cluster messaging.
 */
final class MasterClient {
  static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(java.util.ArrayList.class, int[].class, long[].class)
              .build("evenweave-to-master"));

  /** Longer than the timeout of {@link OpenFlowChannel}, whose error is more specific. */
  private static final long REPLY_TIMEOUT_SECONDS = 8;

  private final ClusterCommunicationService cluster;
  private final MastershipService masterships;
  private final NodeId local;

  /**
   * @param local this instance
   */
  MasterClient(ClusterCommunicationService cluster, MastershipService masterships, NodeId local) {
    this.cluster = cluster;
    this.masterships = masterships;
    this.local = local;
  }

  /** The instance that is the switch's master; null if none is. */
  NodeId masterOf(DeviceId device) {
    return masterships.getMasterFor(device);
  }

  boolean isLocal(NodeId node) {
    return local.equals(node);
  }

  /**
   * Sends a request.
   *
   * @param here serves it if this instance is the master
   * @param message the request to another master, for its subscriber to {@code subject}
   * @return the reply; fails with a {@link SouthboundException} if the switch has no master
   */
  <M, W, T> CompletableFuture<T> request(
      DeviceId device,
      Supplier<CompletableFuture<T>> here,
      MessageSubject subject,
      M message,
      Function<W, T> fromWire) {
    NodeId master = masterOf(device);
    if (master == null) {
      return CompletableFuture.failedFuture(
          new SouthboundException(device.toString(), "no instance of ONOS is its master"));
    }
    if (isLocal(master)) {
      return here.get();
    }
    return cluster
        .<M, W>sendAndReceive(message, subject, SERIALIZER::encode, SERIALIZER::decode, master)
        .orTimeout(REPLY_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .thenApply(fromWire);
  }
}
