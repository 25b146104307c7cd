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
 * Reads what any switch holds, from any instance: the instance that is the switch's master asks it.
 * Every instance has one, and answers for the switches it is master of. Of those it asks no other
 * instance, and its messages need not pass through ONOS's messaging.
 */
public final class ClusterReader implements AutoCloseable {
  private static final MessageSubject GROUPS = new MessageSubject("evenweave-watched-groups");
  private static final MessageSubject TABLES = new MessageSubject("evenweave-read-tables");
  private static final MessageSubject LET_ONOS_READ = new MessageSubject("evenweave-let-onos-read");

  private final ClusterCommunicationService cluster;
  private final MasterClient toMaster;
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
    this.toMaster = new MasterClient(cluster, masterships, local);
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
        LET_ONOS_READ,
        MasterClient.SERIALIZER::decode,
        device -> here.letOnosRead(DeviceId.deviceId(device)),
        executor);
  }

  /**
   * As {@link SwitchReader#watchedGroups}, which may change the switch. Fails with a {@link
   * SouthboundException} if no instance is its master, as for moments after its master has ended,
   * or the master or the switch does not answer.
   */
  public CompletableFuture<List<SelectGroup>> watchedGroups(DeviceId device) {
    return toMaster.ask(
        device, () -> here.watchedGroups(device), GROUPS, device.toString(), WireFormat::toGroups);
  }

  /** As {@link SwitchReader#tables}; fails as {@link #watchedGroups} does. */
  public CompletableFuture<ReadResult> tables(DeviceId device) {
    return toMaster.ask(
        device, () -> here.tables(device), TABLES, device.toString(), WireFormat::toTables);
  }

  /** As {@link SwitchReader#letOnosRead}, by the switch's master, whichever that is. */
  public void letOnosRead(DeviceId device) {
    NodeId master = toMaster.masterOf(device);
    if (toMaster.isLocal(master)) {
      here.letOnosRead(device);
    } else if (master != null) {
      cluster.unicast(device.toString(), LET_ONOS_READ, MasterClient.SERIALIZER::encode, master);
    }
  }

  @Override
  public void close() {
    cluster.removeSubscriber(GROUPS);
    cluster.removeSubscriber(TABLES);
    cluster.removeSubscriber(LET_ONOS_READ);
  }
}
