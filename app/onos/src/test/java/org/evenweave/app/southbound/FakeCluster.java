package org.evenweave.app.southbound;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.service.StorageException;

/** Instances that send each other messages, one of them master of all switches. */
public final class FakeCluster extends MastershipServiceAdapter {
  /** Null if there is none. */
  NodeId master;

  /** Whether the cluster's store responds. */
  boolean storeResponds = true;

  /** How many were sent that are answered. */
  int messages;

  private final Map<Map.Entry<NodeId, MessageSubject>, Function<byte[], CompletableFuture<byte[]>>>
      wires = new HashMap<>();

  public FakeCluster(NodeId master) {
    this.master = master;
  }

  @Override
  public NodeId getMasterFor(DeviceId device) {
    if (!storeResponds) {
      throw new StorageException.Timeout();
    }
    return master;
  }

  /** The instances that listen to anything. */
  public Set<NodeId> listening() {
    return wires.keySet().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
  }

  public ClusterCommunicationService messagesOf(NodeId instance) {
    return new Messages(instance);
  }

  private final class Messages extends ClusterCommunicationServiceAdapter {
    private final NodeId id;

    Messages(NodeId id) {
      this.id = id;
    }

    @Override
    public <M, R> void addSubscriber(
        MessageSubject subject,
        Function<byte[], M> decoder,
        Function<M, CompletableFuture<R>> handler,
        Function<R, byte[]> encoder) {
      wires.put(
          Map.entry(id, subject), bytes -> handler.apply(decoder.apply(bytes)).thenApply(encoder));
    }

    @Override
    public <M> void addSubscriber(
        MessageSubject subject,
        Function<byte[], M> decoder,
        Consumer<M> handler,
        Executor executor) {
      wires.put(
          Map.entry(id, subject),
          bytes ->
              CompletableFuture.supplyAsync(
                  () -> {
                    handler.accept(decoder.apply(bytes));
                    return null;
                  },
                  executor));
    }

    @Override
    public void removeSubscriber(MessageSubject subject) {
      wires.remove(Map.entry(id, subject));
    }

    @Override
    public <M> CompletableFuture<Void> unicast(
        M message, MessageSubject subject, Function<M, byte[]> encoder, NodeId to) {
      return wires
          .get(Map.entry(to, subject))
          .apply(encoder.apply(message))
          .thenApply(sent -> null);
    }

    @Override
    public <M, R> CompletableFuture<R> sendAndReceive(
        M message,
        MessageSubject subject,
        Function<M, byte[]> encoder,
        Function<byte[], R> decoder,
        NodeId to,
        Duration timeout) {
      messages++;
      Function<byte[], CompletableFuture<byte[]>> wire = wires.get(Map.entry(to, subject));
      return wire == null
          ? CompletableFuture.failedFuture(new SouthboundException("it", "nobody listens"))
          : wire.apply(encoder.apply(message)).thenApply(decoder);
    }
  }
}
