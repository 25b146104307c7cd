package org.evenweave.app.southbound;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.onlab.util.KryoNamespace;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageException;

/**
 * Reads and changes any switch by way of the instance that is its master: every instance has one,
 * and serves the requests of the others. If the master is this instance, they are direct calls
 * without ONOS's cluster messaging.
 */
public final class MasterRequests implements AutoCloseable {
  /** The epoch of a removal, which no leader changes switches after. */
  public static final long LAST_EPOCH = Long.MAX_VALUE;

  static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(java.util.ArrayList.class, int[].class, long[].class, byte[].class)
              .build("evenweave-to-master"));

  /** Longer than the timeout of {@link OpenFlowChannel}, whose error is more specific. */
  private static final long REPLY_TIMEOUT_SECONDS = 8;

  private static final MessageSubject APPLY = new MessageSubject("evenweave-change-switch");
  private static final MessageSubject TABLES = new MessageSubject("evenweave-read-tables");
  private static final MessageSubject COUNTERS = new MessageSubject("evenweave-read-counters");
  private static final MessageSubject ROUTES = new MessageSubject("evenweave-count-routes");
  private static final MessageSubject PORTS = new MessageSubject("evenweave-count-ports");
  private static final MessageSubject PROBES = new MessageSubject("evenweave-send-probes");
  private static final String DONE = "";

  private final OpenFlowChannel channel;
  private final SwitchWriter writer;
  private final SwitchReader reader;
  private final ClusterCommunicationService cluster;
  private final MastershipService masterships;
  private final Supplier<NodeId> leader;
  private final NodeId local;

  /**
   * @param channel to the switches of this instance
   * @param leader the instance where the engine runs; null if there is none
   * @param local this instance
   */
  public MasterRequests(
      OpenFlowChannel channel,
      ClusterCommunicationService cluster,
      MastershipService masterships,
      Supplier<NodeId> leader,
      NodeId local) {
    this.channel = channel;
    this.writer = new SwitchWriter(channel);
    this.reader = new SwitchReader(channel);
    this.cluster = cluster;
    this.masterships = masterships;
    this.leader = leader;
    this.local = local;
    this.<String>serve(
        APPLY,
        request ->
            applyHere(
                    WireFormat.device(request),
                    WireFormat.epoch(request),
                    WireFormat.number(request),
                    WireFormat.toOperations(request))
                // As text, since exceptions cannot be serialized.
                .handle((nothing, error) -> error == null ? DONE : problem(error)));
    this.<List<Object>>serve(
        TABLES,
        request ->
            tablesHere(
                    WireFormat.device(request),
                    WireFormat.epoch(request),
                    WireFormat.number(request))
                .thenApply(WireFormat::tables));
    this.<List<Object>>serve(
        COUNTERS,
        request -> reader.counters(WireFormat.device(request)).thenApply(WireFormat::counters));
    this.<List<Object>>serve(
        ROUTES, request -> reader.routes(WireFormat.device(request)).thenApply(WireFormat::counts));
    this.<List<Object>>serve(
        PORTS,
        request -> reader.ports(WireFormat.device(request)).thenApply(PortCountersFormat::write));
    this.<String>serve(
        PROBES,
        request ->
            probesHere(
                    WireFormat.device(request),
                    WireFormat.leader(request),
                    WireFormat.toFrames(request))
                .handle((nothing, error) -> error == null ? DONE : problem(error)));
  }

  private <R> void serve(
      MessageSubject subject, Function<List<Object>, CompletableFuture<R>> handler) {
    cluster.<List<Object>, R>addSubscriber(
        subject, SERIALIZER::decode, handler, SERIALIZER::encode);
  }

  /**
   * Changes a switch.
   *
   * @param epoch of the leader
   * @param number of the request in the epoch; later ones have higher numbers
   * @return completes when the switch has confirmed all operations; fails with a {@link
   *     SouthboundException} if the switch has no master, an operation is refused, or the switch
   *     does not reply
   */
  CompletableFuture<Void> apply(
      DeviceId device, long epoch, long number, List<SwitchOperation> operations) {
    return this.<String, Void>request(
        device,
        () -> applyHere(device, epoch, number, operations),
        APPLY,
        SwitchWriter.timeouts(operations),
        WireFormat.request(device, epoch, number, operations),
        problem -> requireDone(device, problem));
  }

  private static Void requireDone(DeviceId device, String problem) {
    if (!problem.equals(DONE)) {
      throw new SouthboundException(device.toString(), problem);
    }
    return null;
  }

  /**
   * The groups and rules of a switch; fails with a {@link SouthboundException} if no instance is
   * its master, as right after its master has failed, or the master or the switch does not reply. A
   * change with a lower number is refused from then on.
   */
  CompletableFuture<DeviceTables> tables(DeviceId device, long epoch, long number) {
    return request(
        device,
        () -> tablesHere(device, epoch, number),
        TABLES,
        1,
        WireFormat.request(device, epoch, number, List.of()),
        WireFormat::toTables);
  }

  /** What Evenweave's groups and rules have matched; fails as {@link #tables} does. */
  public CompletableFuture<SwitchCounters> counters(DeviceId device) {
    return request(
        device,
        () -> reader.counters(device),
        COUNTERS,
        1,
        WireFormat.request(device, 0, 0, List.of()),
        WireFormat::toCounters);
  }

  /** What the rules that route prefixes have counted; fails as {@link #tables} does. */
  CompletableFuture<Collection<RuleCount>> routes(DeviceId device) {
    return request(
        device,
        () -> reader.routes(device),
        ROUTES,
        1,
        WireFormat.request(device, 0, 0, List.of()),
        WireFormat::toCounts);
  }

  /** What the switch's ports have counted; fails as {@link #tables} does. */
  CompletableFuture<Map<Integer, PortCounters>> ports(DeviceId device) {
    return request(
        device,
        () -> reader.ports(device),
        PORTS,
        1,
        WireFormat.request(device, 0, 0, List.of()),
        PortCountersFormat::read);
  }

  /**
   * Has a switch send frames out of its ports.
   *
   * @return completes when the switch has confirmed that it sent all of them, and if what it
   *     receives by them is passed to this instance; fails as {@link #tables} does
   */
  CompletableFuture<Void> sendProbes(DeviceId device, Map<Integer, byte[]> frameByPort) {
    return this.<String, Void>request(
        device,
        () -> probesHere(device, local.id(), frameByPort),
        PROBES,
        1,
        WireFormat.frames(device, local.id(), frameByPort),
        problem -> requireDone(device, problem));
  }

  @Override
  public void close() {
    cluster.removeSubscriber(PROBES);
    cluster.removeSubscriber(APPLY);
    cluster.removeSubscriber(TABLES);
    cluster.removeSubscriber(COUNTERS);
    cluster.removeSubscriber(ROUTES);
    cluster.removeSubscriber(PORTS);
  }

  private CompletableFuture<Void> applyHere(
      DeviceId device, long epoch, long number, List<SwitchOperation> operations) {
    try {
      writer.admit(device, epoch, number);
    } catch (SouthboundException e) {
      return CompletableFuture.failedFuture(e);
    }
    return writer.apply(device, epoch, operations);
  }

  /** An instance that knows of another leader passes that one what the switch receives. */
  private CompletableFuture<Void> probesHere(
      DeviceId device, String sender, Map<Integer, byte[]> frameByPort) {
    NodeId known = leader.get();
    if (known == null || !known.id().equals(sender)) {
      return CompletableFuture.failedFuture(
          new SouthboundException(device.toString(), "its master follows another leader"));
    }
    return channel.sendPackets(device, frameByPort);
  }

  private CompletableFuture<DeviceTables> tablesHere(DeviceId device, long epoch, long number) {
    try {
      writer.admit(device, epoch, number);
    } catch (SouthboundException e) {
      return CompletableFuture.failedFuture(e);
    }
    return reader.tables(device);
  }

  private <W, T> CompletableFuture<T> request(
      DeviceId device,
      Supplier<CompletableFuture<T>> here,
      MessageSubject subject,
      long timeouts,
      List<Object> message,
      Function<W, T> fromWire) {
    NodeId master;
    try {
      master = masterships.getMasterFor(device);
    } catch (StorageException e) {
      // An instance that is cut off: the engine retries, or another instance leads.
      return CompletableFuture.failedFuture(
          new SouthboundException(device.toString(), "the cluster's store does not respond"));
    }
    if (master == null) {
      return CompletableFuture.failedFuture(
          new SouthboundException(device.toString(), "no instance of ONOS is its master"));
    }
    if (local.equals(master)) {
      return here.get();
    }
    Duration timeout = Duration.ofSeconds(timeouts * REPLY_TIMEOUT_SECONDS);
    return cluster
        .<List<Object>, W>sendAndReceive(
            message, subject, SERIALIZER::encode, SERIALIZER::decode, master, timeout)
        .orTimeout(timeout.toSeconds(), TimeUnit.SECONDS)
        .thenApply(fromWire);
  }

  private static String problem(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return String.valueOf(cause.getMessage());
  }
}
