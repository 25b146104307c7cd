package org.evenweave.app;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.southbound.MasterRequests;
import org.evenweave.app.southbound.OnosSouthbound;
import org.evenweave.app.southbound.OpenFlowChannel;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.SwitchCounters;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/**
 * This instance's part in reading and changing switches: serves the requests of the leader for the
 * switches that this instance is master of, and makes the leader's southbound.
 */
final class SwitchAccess implements AutoCloseable {
  private final DeviceService devices;
  private final PacketService packets;
  private final PendingChanges pending;
  private final CoreService core;
  private final MasterRequests masters;

  /**
   * @param local this instance
   * @param leader the instance where the engine runs; null if there is none
   */
  SwitchAccess(
      NodeId local,
      OpenFlowChannel channel,
      DeviceService devices,
      PacketService packets,
      ClusterCommunicationService messages,
      MastershipService masterships,
      Supplier<NodeId> leader,
      PendingChanges pending,
      CoreService core) {
    this.devices = devices;
    this.packets = packets;
    this.pending = pending;
    this.core = core;
    masters = new MasterRequests(channel, messages, masterships, leader, local);
  }

  /** The southbound of an engine, or of a purge, which changes switches while the epoch lasts. */
  OnosSouthbound southbound(LeaderEpoch epoch, SwitchNames names) {
    return new OnosSouthbound(
        names, epoch::confirm, epoch.number(), masters, devices, packets, pending, this::nameOf);
  }

  /** The southbound of a removal: no leader changes a switch again that it has read. */
  OnosSouthbound lastSouthbound(SwitchNames names) {
    return new OnosSouthbound(
        names,
        () -> CompletableFuture.completedFuture(null),
        MasterRequests.LAST_EPOCH,
        masters,
        devices,
        packets,
        pending,
        this::nameOf);
  }

  private String nameOf(Short application) {
    ApplicationId id = core.getAppId(application);
    return id == null ? "" : "application " + id.name();
  }

  /** As {@link MasterRequests#counters}. */
  CompletableFuture<SwitchCounters> counters(DeviceId device) {
    return masters.counters(device);
  }

  @Override
  public void close() {
    masters.close();
  }
}
