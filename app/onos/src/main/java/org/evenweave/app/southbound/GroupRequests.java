package org.evenweave.app.southbound;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.GroupCodec;
import org.onlab.util.OrderedExecutor;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupKey;
import org.onosproject.net.group.GroupService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes groups through ONOS's GroupService, on the instance that is the switch's master. Every
 * instance has one, and serves the requests of the others.
 *
 * <p>ONOS itself forwards a change from any instance to the master, but does not report when the
 * master has sent it. The requester could only poll the switch and retry after a timeout, unable to
 * tell a slow master from a lost message. On the master, ONOS has sent the group-mod when the call
 * returns.
 *
 * <p>ONOS compares group statistics with its store while groups change: a group that was added
 * after the reply, and is deleted before the comparison ends, counts as missing, and ONOS adds it
 * again. Such a group is deleted again at once.
 */
public final class GroupRequests implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRequests.class);

  /**
   * How long ONOS may undo a deletion. It acts on a statistics reply for seconds at most. And its
   * own poll of all groups, every 10 s, must have found a group gone by then.
   */
  static final long DELETED_NANOS = 30_000_000_000L;

  private static final MessageSubject CHANGE = new MessageSubject("evenweave-change-groups");

  private final ApplicationId application;
  private final GroupService groups;
  private final GroupTranslator translator;
  private final OpenFlowChannel channel;
  private final PendingChanges pending;
  private final ClusterCommunicationService cluster;
  private final MasterClient master;
  private final Executor executor;
  private final Map<DeviceId, Executor> executorOf = new ConcurrentHashMap<>();

  /** Groups that are to stay deleted until they are added on purpose; the values mean nothing. */
  private final ExpiringMap<Map.Entry<DeviceId, Integer>, Boolean> deleted =
      new ExpiringMap<>(DELETED_NANOS, System::nanoTime);

  /**
   * @param channel to the switches of this instance
   * @param pending counts the deletions that ONOS undid
   * @param local this instance
   * @param executor for calls to ONOS, which block on its distributed store
   */
  public GroupRequests(
      ApplicationId application,
      GroupService groups,
      OpenFlowChannel channel,
      PendingChanges pending,
      ClusterCommunicationService cluster,
      MastershipService masterships,
      NodeId local,
      Executor executor) {
    this.application = application;
    this.groups = groups;
    this.translator = new GroupTranslator(application);
    this.channel = channel;
    this.pending = pending;
    this.cluster = cluster;
    this.master = new MasterClient(cluster, masterships, local);
    this.executor = executor;
    cluster.<List<Object>, int[]>addSubscriber(
        CHANGE,
        MasterClient.SERIALIZER::decode,
        message ->
            applyHere(WireFormat.device(message), WireFormat.toOperations(message))
                .thenApply(applied -> new int[] {applied}),
        MasterClient.SERIALIZER::encode);
    channel.onGroupAdd(this::onAdd);
  }

  /**
   * Requests changes of groups in order, up to one that is not possible yet because ONOS still has
   * the group as pending deletion. When this completes, the group-mods are sent.
   *
   * @return how many changes were made, from the first; fails with a {@link SouthboundException} if
   *     the switch has no master
   */
  CompletableFuture<Integer> request(DeviceId device, List<SwitchOperation> operations) {
    Function<int[], Integer> fromWire = reply -> reply[0];
    return master.request(
        device,
        () -> applyHere(device, operations),
        CHANGE,
        WireFormat.operations(device, operations),
        fromWire);
  }

  @Override
  public void close() {
    channel.onGroupAdd((device, message) -> {});
    cluster.removeSubscriber(CHANGE);
  }

  /** Requests for one device are applied one after another. */
  private CompletableFuture<Integer> applyHere(DeviceId device, List<SwitchOperation> operations) {
    return CompletableFuture.supplyAsync(
        () -> {
          int applied = 0;
          while (applied < operations.size() && apply(device, operations.get(applied))) {
            applied++;
          }
          return applied;
        },
        executorOf(device));
  }

  private Executor executorOf(DeviceId device) {
    return executorOf.computeIfAbsent(device, any -> new OrderedExecutor(executor));
  }

  /**
   * Makes one change in ONOS.
   *
   * @return false if it is not possible yet
   */
  private boolean apply(DeviceId device, SwitchOperation operation) {
    SelectGroup group = operation.group();
    GroupKey key = GroupTranslator.key(group.id());
    Group known = groups.getGroup(device, key);
    if (operation.kind() == SwitchOperation.Kind.DELETE_GROUP) {
      if (known == null) {
        // ONOS removes only groups of its store; adding one that the switch has changes nothing
        // there.
        groups.addGroup(translator.description(device, group));
      }
      deleted.put(Map.entry(device, group.id()), true);
      groups.removeGroup(device, key, application);
      return true;
    }
    if (known != null && known.state() == Group.GroupState.PENDING_DELETE) {
      return false;
    }
    deleted.remove(Map.entry(device, group.id()));
    if (known == null) {
      groups.addGroup(translator.description(device, group));
    } else {
      groups.setBucketsForGroup(device, key, translator.buckets(group), key, application);
    }
    return true;
  }

  /** A group-mod adds a group: by request, or because ONOS took the group for missing. */
  private void onAdd(DeviceId device, OFGroupAdd message) {
    int groupId = message.getGroup().getGroupNumber();
    if (deleted.runIfPresent(Map.entry(device, groupId), () -> deleteAgain(device, groupId))) {
      pending.undone();
      executorOf(device).execute(() -> removeAgain(device, groupId));
    }
  }

  private void deleteAgain(DeviceId device, int groupId) {
    try {
      channel.send(
          device, factory -> List.of(GroupCodec.delete(factory, groupId, factory.nextXid())));
    } catch (SouthboundException e) {
      LOG.debug("not deleted again, left to the audit: {}", e.getMessage());
    }
  }

  /** Corrects ONOS's store, or ONOS would add the group again with each statistics reply. */
  private void removeAgain(DeviceId device, int groupId) {
    GroupKey key = GroupTranslator.key(groupId);
    boolean staysDeleted = deleted.get(Map.entry(device, groupId)) != null;
    if (staysDeleted && groups.getGroup(device, key) != null) {
      groups.removeGroup(device, key, application);
    }
  }
}
