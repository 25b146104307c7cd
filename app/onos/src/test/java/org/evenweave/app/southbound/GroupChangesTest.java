package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.group.DefaultGroup;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupBucket;
import org.onosproject.net.group.GroupBuckets;
import org.onosproject.net.group.GroupDescription;
import org.onosproject.net.group.GroupKey;
import org.onosproject.net.group.GroupServiceAdapter;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;

class GroupChangesTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final NodeId MASTER = NodeId.nodeId("one");
  private static final long MILLISECOND_NANOS = 1_000_000L;

  private final VirtualLoop loop = new VirtualLoop();
  private final PendingChanges pending = new PendingChanges();
  private final FakeGroups onos = new FakeGroups();
  private boolean readable = true;
  private long storeNanos;
  private final GroupChanges changes =
      new GroupChanges(
          requests()::request,
          device ->
              readable
                  ? CompletableFuture.completedFuture(new ArrayList<>(onos.inSwitch.values()))
                  : CompletableFuture.failedFuture(new SouthboundException("s1-0", "is silent")),
          device -> onos.read(),
          pending,
          loop);

  @Test
  void aGroupIsConfirmedOnceTheSwitchDescribesIt() {
    CompletableFuture<Void> done = apply(SwitchOperation.addGroup(group(3, 1, 2, 2)));
    assertFalse(done.isDone());
    assertEquals(1, pending.entries().size());
    onos.deliver();
    loop.runFor(10 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
    assertEquals(List.of(), pending.entries());
    assertEquals(1, pending.confirmations().getCount());
  }

  @Test
  void aGroupThatOnosHoldsIsChangedInPlace() {
    apply(SwitchOperation.addGroup(group(3, 1, 2, 2)));
    onos.deliver();
    loop.runFor(10 * MILLISECOND_NANOS);
    CompletableFuture<Void> done = apply(SwitchOperation.modifyGroup(group(3, 1, 1, 2)));
    onos.deliver();
    loop.runFor(10 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
    assertEquals(List.of("add", "set"), onos.asked);
  }

  @Test
  void otherWeightsOfTheSamePortsAreNotConfirmed() {
    onos.inSwitch.put(3, group(3, 1, 1, 2));
    CompletableFuture<Void> done = apply(SwitchOperation.modifyGroup(group(3, 1, 2, 2)));
    loop.runFor(900 * MILLISECOND_NANOS);
    assertFalse(done.isDone());
  }

  @Test
  void aLostChangeIsRetried() {
    CompletableFuture<Void> done = apply(SwitchOperation.addGroup(group(3, 1, 2)));
    onos.lose();
    loop.runFor(1200 * MILLISECOND_NANOS);
    onos.deliver();
    loop.runFor(200 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
    assertEquals(1, pending.sentAgain().getCount());
  }

  @Test
  void aSlowChangeIsNotRetried() {
    apply(SwitchOperation.addGroup(group(3, 1, 2)));
    onos.deliver();
    loop.runFor(10 * MILLISECOND_NANOS);
    storeNanos = 3000 * MILLISECOND_NANOS;
    CompletableFuture<Void> done = apply(SwitchOperation.modifyGroup(group(3, 1, 1)));
    loop.runFor(2900 * MILLISECOND_NANOS);
    assertEquals(List.of("add"), onos.asked);
    loop.runFor(200 * MILLISECOND_NANOS);
    onos.deliver();
    loop.runFor(4000 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
    assertEquals(List.of("add", "set"), onos.asked);
    assertEquals(0, pending.sentAgain().getCount());
  }

  @Test
  void whatNeverComesIntoForceIsGivenUpAndNamed() {
    CompletableFuture<Void> done = apply(SwitchOperation.addGroup(group(3, 1, 2)));
    for (int i = 0; i < 60; i++) {
      onos.lose();
      loop.runFor(100 * MILLISECOND_NANOS);
    }
    Throwable cause = assertThrows(CompletionException.class, done::join).getCause();
    assertTrue(cause instanceof SouthboundException);
    assertTrue(cause.getMessage().contains("group 0x3"), cause.getMessage());
    assertEquals(1, pending.givenUp().getCount());
  }

  @Test
  void everyTimeASwitchCannotBeReadIsCountedAndItIsReadAgain() {
    readable = false;
    CompletableFuture<Void> done = apply(SwitchOperation.addGroup(group(3, 1, 2)));
    onos.deliver();
    // It is read at once, and after 2, 4 and 8 ms.
    loop.runFor(15 * MILLISECOND_NANOS);
    assertEquals(4, pending.unreadable().getCount());
    assertFalse(done.isDone());
    readable = true;
    loop.runFor(100 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
    assertEquals(0, pending.givenUp().getCount());
  }

  @Test
  void aDeletionIsConfirmedOnceTheSwitchHasNoSuchGroup() {
    apply(SwitchOperation.addGroup(group(3, 1, 2)));
    onos.deliver();
    loop.runFor(10 * MILLISECOND_NANOS);
    CompletableFuture<Void> done = apply(SwitchOperation.deleteGroup(group(3, 1, 2)));
    loop.runFor(50 * MILLISECOND_NANOS);
    assertFalse(done.isDone());
    onos.deliver();
    loop.runFor(200 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
  }

  @Test
  void onosReadsTheSwitchAfterADeletionSoThatTheIdCanBeGivenAgain() {
    apply(SwitchOperation.addGroup(group(3, 1, 2)));
    onos.deliver();
    loop.runFor(10 * MILLISECOND_NANOS);
    CompletableFuture<Void> deleted = apply(SwitchOperation.deleteGroup(group(3, 1, 2)));
    CompletableFuture<Void> again = apply(SwitchOperation.addGroup(group(3, 2, 2)));
    assertEquals(List.of("add", "remove"), onos.asked, "ONOS still has it down as to be removed");
    onos.deliver();
    loop.runFor(200 * MILLISECOND_NANOS);
    assertTrue(deleted.isDone());
    assertEquals(List.of("add", "remove", "add"), onos.asked);
    onos.deliver();
    loop.runFor(200 * MILLISECOND_NANOS);
    assertTrue(again.isDone() && !again.isCompletedExceptionally());
  }

  @Test
  void aGroupThatOnosHasForgottenIsDeletedAllTheSame() {
    onos.inSwitch.put(3, group(3, 1, 2));
    CompletableFuture<Void> done = apply(SwitchOperation.deleteGroup(group(3, 1, 2)));
    onos.deliver();
    loop.runFor(200 * MILLISECOND_NANOS);
    assertTrue(done.isDone() && !done.isCompletedExceptionally());
    assertEquals(Map.of(), onos.inSwitch);
  }

  /** On the switch's master; ONOS's distributed store answers when the test lets it. */
  private GroupRequests requests() {
    return new GroupRequests(
        new DefaultApplicationId(7, "org.evenweave.app"),
        onos,
        new OpenFlowChannel(new FakeOpenFlow.Connected()),
        pending,
        new ClusterCommunicationServiceAdapter(),
        new MastershipServiceAdapter() {
          @Override
          public NodeId getMasterFor(DeviceId device) {
            return MASTER;
          }
        },
        MASTER,
        task -> loop.schedule(task, storeNanos));
  }

  private CompletableFuture<Void> apply(SwitchOperation... operations) {
    CompletableFuture<Void> done = changes.apply(DEVICE, List.of(operations));
    loop.runFor(MILLISECOND_NANOS);
    return done;
  }

  private static SelectGroup group(int id, int... slots) {
    return SelectGroup.ofSlots(id, slots);
  }

  /** ONOS's group service over one switch, which gets what is asked when the test says so. */
  private static final class FakeGroups extends GroupServiceAdapter {
    final Map<Integer, SelectGroup> inSwitch = new HashMap<>();
    final List<String> asked = new ArrayList<>();
    private final Map<GroupKey, Group> store = new HashMap<>();
    private final List<Runnable> underway = new ArrayList<>();

    void deliver() {
      underway.forEach(Runnable::run);
      underway.clear();
    }

    /** As ONOS's poll: what was to be removed and is gone is forgotten. */
    void read() {
      store
          .values()
          .removeIf(
              group ->
                  group.state() == Group.GroupState.PENDING_DELETE
                      && !inSwitch.containsKey(group.id().id()));
    }

    void lose() {
      underway.clear();
    }

    @Override
    public Group getGroup(DeviceId device, GroupKey key) {
      return store.get(key);
    }

    @Override
    public void addGroup(GroupDescription description) {
      asked.add("add");
      GroupId id = new GroupId(description.givenGroupId());
      store.put(description.appCookie(), new DefaultGroup(id, description));
      underway.add(() -> put(description.givenGroupId(), description.buckets()));
    }

    @Override
    public void setBucketsForGroup(
        DeviceId device, GroupKey old, GroupBuckets buckets, GroupKey key, ApplicationId app) {
      asked.add("set");
      int id = store.get(old).id().id();
      underway.add(() -> put(id, buckets));
    }

    @Override
    public void removeGroup(DeviceId device, GroupKey key, ApplicationId app) {
      asked.add("remove");
      DefaultGroup group = (DefaultGroup) store.get(key);
      group.setState(Group.GroupState.PENDING_DELETE);
      int id = group.id().id();
      underway.add(() -> inSwitch.remove(id));
    }

    private void put(int id, GroupBuckets buckets) {
      int n = buckets.buckets().size();
      int[] ports = new int[n];
      int[] weights = new int[n];
      for (int i = 0; i < n; i++) {
        GroupBucket bucket = buckets.buckets().get(i);
        OutputInstruction output = (OutputInstruction) bucket.treatment().allInstructions().get(0);
        ports[i] = (int) output.port().toLong();
        weights[i] = bucket.weight();
      }
      inSwitch.put(id, new SelectGroup(id, ports, weights));
    }
  }
}
