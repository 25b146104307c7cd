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
 * Asks ONOS for changes of groups, on the instance that is the switch's master. Every instance has
 * one, and does what the others ask for.
 *
 * <p>ONOS would itself pass on what any instance asks for, but not say when the master has done it.
 * Who asked could only read the switch again and again, and ask again after a while, unable to tell
 * a slow master from a lost message. On the master, ONOS has sent the switch its message when the
 * call returns.
 *
 * <p>ONOS compares what it knows with what it read from a switch while groups are changed: a group
 * that was added after the reading, and is deleted before the comparison ends, counts as missing,
 * and ONOS adds it again. Such a group is deleted again at once.
 */
public final class GroupRequests implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRequests.class);
  private static final MessageSubject CHANGE = new MessageSubject("evenweave-change-groups");

  private final ApplicationId application;
  private final GroupService groups;
  private final GroupTranslator translator;
  private final OpenFlowChannel channel;
  private final PendingChanges pending;
  private final ClusterCommunicationService cluster;
  private final MasterClient toMaster;
  private final Executor executor;
  private final Map<DeviceId, Executor> executorOf = new ConcurrentHashMap<>();
  private final DeletedGroups deleted = new DeletedGroups(System::nanoTime);

  /**
   * @param channel to the switches of this instance
   * @param pending counts the deletions that ONOS undid
   * @param local this instance
   * @param executor for questions to ONOS, which wait for its distributed store
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
    this.toMaster = new MasterClient(cluster, masterships, local);
    this.executor = executor;
    cluster.<List<Object>, int[]>addSubscriber(
        CHANGE,
        MasterClient.SERIALIZER::decode,
        message ->
            askHere(WireFormat.device(message), WireFormat.toOperations(message))
                .thenApply(asked -> new int[] {asked}),
        MasterClient.SERIALIZER::encode);
    channel.onGroupAdd(this::onAdd);
  }

  /**
   * Asks for changes of groups in order, until one cannot be asked for yet because ONOS still has
   * the group down as to be removed. When this completes, what was asked for is on its way to the
   * switch.
   *
   * @return how many were asked for, from the first; fails with a {@link SouthboundException} if
   *     the switch has no master
   */
  CompletableFuture<Integer> ask(DeviceId device, List<SwitchOperation> operations) {
    Function<int[], Integer> fromWire = answer -> answer[0];
    return toMaster.ask(
        device,
        () -> askHere(device, operations),
        CHANGE,
        WireFormat.operations(device, operations),
        fromWire);
  }

  @Override
  public void close() {
    channel.onGroupAdd((device, message) -> {});
    cluster.removeSubscriber(CHANGE);
  }

  /** One device's requests go one after another. */
  private CompletableFuture<Integer> askHere(DeviceId device, List<SwitchOperation> operations) {
    return CompletableFuture.supplyAsync(
        () -> {
          int asked = 0;
          while (asked < operations.size() && ask(device, operations.get(asked))) {
            asked++;
          }
          return asked;
        },
        executorOf(device));
  }

  private Executor executorOf(DeviceId device) {
    return executorOf.computeIfAbsent(device, any -> new OrderedExecutor(executor));
  }

  /**
   * Asks ONOS for one change.
   *
   * @return false if it cannot be asked yet
   */
  private boolean ask(DeviceId device, SwitchOperation operation) {
    SelectGroup group = operation.group();
    GroupKey key = GroupTranslator.key(group.id());
    Group known = groups.getGroup(device, key);
    if (operation.kind() == SwitchOperation.Kind.DELETE_GROUP) {
      if (known == null) {
        // ONOS removes only what it knows, and takes over what the switch has.
        groups.addGroup(translator.description(device, group));
      }
      deleted.deleted(device, group.id());
      groups.removeGroup(device, key, application);
      return true;
    }
    if (known != null && known.state() == Group.GroupState.PENDING_DELETE) {
      return false;
    }
    deleted.wanted(device, group.id());
    if (known == null) {
      groups.addGroup(translator.description(device, group));
    } else {
      groups.setBucketsForGroup(device, key, translator.buckets(group), key, application);
    }
    return true;
  }

  /** A group was added to a switch: by request, or because ONOS missed it. */
  private void onAdd(DeviceId device, OFGroupAdd message) {
    int groupId = message.getGroup().getGroupNumber();
    if (deleted.ifDeleted(device, groupId, () -> deleteAgain(device, message))) {
      pending.undone();
      executorOf(device).execute(() -> removeAgain(device, groupId));
    }
  }

  private void deleteAgain(DeviceId device, OFGroupAdd message) {
    try {
      channel.send(device, factory -> List.of(GroupTranslator.deletion(factory, message)));
    } catch (SouthboundException e) {
      LOG.debug("left to the audit: {}", e.getMessage());
    }
  }

  /** Or ONOS would add the group again each time it reads the switch. */
  private void removeAgain(DeviceId device, int groupId) {
    GroupKey key = GroupTranslator.key(groupId);
    if (deleted.contains(device, groupId) && groups.getGroup(device, key) != null) {
      groups.removeGroup(device, key, application);
    }
  }
}
