package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchTables;
import org.onlab.util.KryoNamespace;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.service.Serializer;

/**
 * Reads what any switch holds, from any instance: the instance that is the switch's master asks it.
 * Every instance has one, and answers for the switches it is master of. Of those it asks no other
 * instance, and its messages need not pass through ONOS's messaging.
 */
public final class ClusterReader implements AutoCloseable {
  private static final MessageSubject GROUPS = new MessageSubject("evenweave-read-groups");
  private static final MessageSubject TABLES = new MessageSubject("evenweave-read-tables");
  private static final MessageSubject LET_ONOS_READ = new MessageSubject("evenweave-let-onos-read");
  private static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(ArrayList.class, int[].class, long[].class)
              .build("evenweave-read"));

  /** Longer than the channel's own, so that its reason is heard first. */
  private static final long ANSWER_TIMEOUT_SECONDS = 8;

  private final ClusterCommunicationService cluster;
  private final MastershipService masterships;
  private final NodeId local;
  private final SwitchReader here;

  /**
   * @param local this instance
   * @param here reads the switches that this instance is master of
   * @param executor for what other instances ask to be done
   */
  public ClusterReader(
      ClusterCommunicationService cluster,
      MastershipService masterships,
      NodeId local,
      SwitchReader here,
      Executor executor) {
    this.cluster = cluster;
    this.masterships = masterships;
    this.local = local;
    this.here = here;
    cluster.<String, List<int[]>>addSubscriber(
        GROUPS,
        SERIALIZER::decode,
        device -> here.groups(DeviceId.deviceId(device)).thenApply(Wire::groups),
        SERIALIZER::encode);
    cluster.<String, List<List<?>>>addSubscriber(
        TABLES,
        SERIALIZER::decode,
        device -> here.tables(DeviceId.deviceId(device)).thenApply(Wire::tables),
        SERIALIZER::encode);
    cluster.<String>addSubscriber(
        LET_ONOS_READ,
        SERIALIZER::decode,
        device -> here.letOnosRead(DeviceId.deviceId(device)),
        executor);
  }

  /**
   * Evenweave's groups on a switch. Fails with a {@link SouthboundException} if no instance is its
   * master, as for moments after its master has ended, or the master or the switch does not answer.
   */
  public CompletableFuture<List<SelectGroup>> groups(DeviceId device) {
    return fromMaster(device, here::groups, GROUPS, Wire::toGroups);
  }

  /** Evenweave's groups and rules on a switch; fails as {@link #groups} does. */
  public CompletableFuture<SwitchTables> tables(DeviceId device) {
    return fromMaster(device, here::tables, TABLES, Wire::toTables);
  }

  /** As {@link SwitchReader#letOnosRead}, by the switch's master, whichever that is. */
  public void letOnosRead(DeviceId device) {
    NodeId master = masterships.getMasterFor(device);
    if (local.equals(master)) {
      here.letOnosRead(device);
    } else if (master != null) {
      cluster.unicast(device.toString(), LET_ONOS_READ, SERIALIZER::encode, master);
    }
  }

  @Override
  public void close() {
    cluster.removeSubscriber(GROUPS);
    cluster.removeSubscriber(TABLES);
    cluster.removeSubscriber(LET_ONOS_READ);
  }

  private <W, T> CompletableFuture<T> fromMaster(
      DeviceId device,
      Function<DeviceId, CompletableFuture<T>> read,
      MessageSubject subject,
      Function<W, T> fromWire) {
    NodeId master = masterships.getMasterFor(device);
    if (master == null) {
      return CompletableFuture.failedFuture(
          new SouthboundException(device.toString(), "no instance of ONOS is its master"));
    }
    if (master.equals(local)) {
      return read.apply(device);
    }
    return cluster
        .<String, W>sendAndReceive(
            device.toString(), subject, SERIALIZER::encode, SERIALIZER::decode, master)
        .orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .thenApply(fromWire);
  }
}
