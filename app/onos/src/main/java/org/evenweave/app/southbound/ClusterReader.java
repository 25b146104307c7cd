package org.evenweave.app.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;

/**
 * Reads any switch from any instance, by way of the switch's master. Every instance has one, and
 * serves the others' requests for the switches that it is master of.
 */
public final class ClusterReader implements AutoCloseable {
  private static final MessageSubject GROUPS = new MessageSubject("evenweave-watched-groups");
  private static final MessageSubject TABLES = new MessageSubject("evenweave-read-tables");
  private static final MessageSubject POLL_FOR_ONOS = new MessageSubject("evenweave-let-onos-read");

  private final ClusterCommunicationService cluster;
  private final MasterClient master;
  private final SwitchReader here;

  /**
   * @param local this instance
   * @param here reads the switches that this instance is master of
   * @param executor for requests of other instances
   */
  public ClusterReader(
      ClusterCommunicationService cluster,
      MastershipService masterships,
      NodeId local,
      SwitchReader here,
      Executor executor) {
    this.cluster = cluster;
    this.master = new MasterClient(cluster, masterships, local);
    this.here = here;
    cluster.<String, List<int[]>>addSubscriber(
        GROUPS,
        MasterClient.SERIALIZER::decode,
        device -> here.watchedGroups(DeviceId.deviceId(device)).thenApply(WireFormat::groups),
        MasterClient.SERIALIZER::encode);
    cluster.<String, List<Object>>addSubscriber(
        TABLES,
        MasterClient.SERIALIZER::decode,
        device -> here.tables(DeviceId.deviceId(device)).thenApply(WireFormat::tables),
        MasterClient.SERIALIZER::encode);
    cluster.<String>addSubscriber(
        POLL_FOR_ONOS,
        MasterClient.SERIALIZER::decode,
        device -> here.pollForOnos(DeviceId.deviceId(device)),
        executor);
  }

  /**
   * As {@link SwitchReader#watchedGroups}, which may change the switch. Fails with a {@link
   * SouthboundException} if no instance is its master, as right after its master has failed, or the
   * master or the switch does not reply.
   */
  public CompletableFuture<List<SelectGroup>> watchedGroups(DeviceId device) {
    return master.request(
        device, () -> here.watchedGroups(device), GROUPS, device.toString(), WireFormat::toGroups);
  }

  /** As {@link SwitchReader#tables}; fails as {@link #watchedGroups} does. */
  public CompletableFuture<ReadResult> tables(DeviceId device) {
    return master.request(
        device, () -> here.tables(device), TABLES, device.toString(), WireFormat::toTables);
  }

  /** As {@link SwitchReader#pollForOnos}, on the switch's master. */
  public void pollForOnos(DeviceId device) {
    NodeId masterNode = master.masterOf(device);
    if (master.isLocal(masterNode)) {
      here.pollForOnos(device);
    } else if (masterNode != null) {
      cluster.unicast(
          device.toString(), POLL_FOR_ONOS, MasterClient.SERIALIZER::encode, masterNode);
    }
  }

  @Override
  public void close() {
    cluster.removeSubscriber(GROUPS);
    cluster.removeSubscriber(TABLES);
    cluster.removeSubscriber(POLL_FOR_ONOS);
  }
}
