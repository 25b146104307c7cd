package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;

/**
 * Reads the groups of any device from any instance: the instance that is the device's master asks
 * the switch. Every instance has one, and answers for the devices it is master of.
 */
public final class GroupReader implements AutoCloseable {
  private static final MessageSubject SUBJECT = new MessageSubject("evenweave-read-groups");
  private static final Serializer SERIALIZER = Serializer.using(KryoNamespaces.BASIC);

  /** Longer than the channel's own, so that its reason is heard first. */
  private static final long ANSWER_TIMEOUT_SECONDS = 8;

  private final ClusterCommunicationService cluster;
  private final MastershipService masterships;

  /**
   * @param channel to the switches of this instance
   */
  public GroupReader(
      ClusterCommunicationService cluster, MastershipService masterships, OpenFlowChannel channel) {
    this.cluster = cluster;
    this.masterships = masterships;
    cluster.<String, List<int[]>>addSubscriber(
        SUBJECT,
        SERIALIZER::decode,
        device -> channel.groups(DeviceId.deviceId(device)).thenApply(GroupReader::toWire),
        SERIALIZER::encode);
  }

  /**
   * Evenweave's groups on a device. Fails with a {@link SouthboundException} if no instance is its
   * master or the master or the switch does not answer.
   */
  public CompletableFuture<List<SelectGroup>> groups(DeviceId device) {
    NodeId master = masterships.getMasterFor(device);
    if (master == null) {
      return CompletableFuture.failedFuture(
          new SouthboundException(device.toString(), "no instance of ONOS is its master"));
    }
    return cluster
        .<String, List<int[]>>sendAndReceive(
            device.toString(), SUBJECT, SERIALIZER::encode, SERIALIZER::decode, master)
        .orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .thenApply(GroupReader::fromWire);
  }

  @Override
  public void close() {
    cluster.removeSubscriber(SUBJECT);
  }

  /** A group as its id, the ports of its buckets, then their weights. */
  private static List<int[]> toWire(List<SelectGroup> groups) {
    List<int[]> wire = new ArrayList<>(groups.size());
    for (SelectGroup group : groups) {
      int n = group.bucketCount();
      int[] numbers = new int[1 + 2 * n];
      numbers[0] = group.id();
      System.arraycopy(group.ports(), 0, numbers, 1, n);
      System.arraycopy(group.weights(), 0, numbers, 1 + n, n);
      wire.add(numbers);
    }
    return wire;
  }

  private static List<SelectGroup> fromWire(List<int[]> wire) {
    List<SelectGroup> groups = new ArrayList<>(wire.size());
    for (int[] numbers : wire) {
      int n = numbers.length / 2;
      int[] ports = new int[n];
      int[] weights = new int[n];
      System.arraycopy(numbers, 1, ports, 0, n);
      System.arraycopy(numbers, 1 + n, weights, 0, n);
      groups.add(new SelectGroup(numbers[0], ports, weights));
    }
    return groups;
  }
}
