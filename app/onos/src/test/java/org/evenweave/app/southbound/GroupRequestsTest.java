package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.group.DefaultGroup;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupBucket;
import org.onosproject.net.group.GroupBuckets;
import org.onosproject.net.group.GroupDescription;
import org.onosproject.net.group.GroupKey;
import org.onosproject.net.group.GroupServiceAdapter;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFGroup;

/** Two instances; the first is master of the switch, whose store holds what the test says. */
class GroupRequestsTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final ApplicationId APPLICATION = new DefaultApplicationId(7, "org.evenweave.app");
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final NodeId TWO = NodeId.nodeId("two");

  private final FakeCluster cluster = new FakeCluster(ONE);
  private final List<String> callsOfOne = new ArrayList<>();
  private final List<String> callsOfTwo = new ArrayList<>();
  private final List<Runnable> underway = new ArrayList<>();
  private final Map<GroupKey, Group> store = new HashMap<>();
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private final PendingChanges pending = new PendingChanges();
  private final GroupRequests two =
      instance(TWO, callsOfTwo, new OpenFlowChannel(new FakeOpenFlow.Connected()));
  private final GroupRequests one = instance(ONE, callsOfOne, new OpenFlowChannel(switches));

  @Test
  void theMasterAppliesTheRequestsOfEveryInstance() {
    hold(1, Group.GroupState.ADDED);
    hold(2, Group.GroupState.ADDED);
    List<SwitchOperation> operations =
        List.of(
            SwitchOperation.modifyGroup(group(1)),
            SwitchOperation.deleteGroup(group(2)),
            SwitchOperation.addGroup(group(3)));
    for (GroupRequests instance : List.of(one, two)) {
      callsOfOne.clear();
      assertEquals(3, result(instance.request(DEVICE, operations)));
      assertEquals(List.of("set 1 to 7*2 9*1", "remove 2", "add 3 with 7*2 9*1"), callsOfOne);
    }
    assertEquals(List.of(), callsOfTwo);
  }

  @Test
  void aRequestIsNotDoneBeforeOnosHasTheChange() {
    CompletableFuture<Integer> requested =
        two.request(DEVICE, List.of(SwitchOperation.addGroup(group(3))));
    assertFalse(requested.isDone());
    assertEquals(List.of(), callsOfOne);
    assertEquals(1, result(requested));
  }

  @Test
  void changesAfterAGroupPendingDeletionWait() {
    hold(1, Group.GroupState.PENDING_DELETE);
    List<SwitchOperation> operations =
        List.of(
            SwitchOperation.addGroup(group(3)),
            SwitchOperation.addGroup(group(1)),
            SwitchOperation.addGroup(group(4)));
    assertEquals(1, result(two.request(DEVICE, operations)));
    assertEquals(List.of("add 3 with 7*2 9*1"), callsOfOne);
  }

  @Test
  void aSwitchWithoutAMasterIsNotChanged() {
    cluster.master = null;
    CompletionException error =
        assertThrows(
            CompletionException.class,
            () -> one.request(DEVICE, List.of(SwitchOperation.addGroup(group(3)))).join());
    assertTrue(error.getCause() instanceof SouthboundException, String.valueOf(error));
    assertEquals(List.of(), underway);
  }

  @Test
  void aDeletedGroupThatOnosAddsAgainIsDeletedAgainInTheSwitchAndInOnos() {
    hold(1, Group.GroupState.ADDED);
    assertEquals(1, result(two.request(DEVICE, List.of(SwitchOperation.deleteGroup(group(1))))));
    callsOfOne.clear();
    OFMessage addition = onosAdds(1);
    OFGroupDelete deletion = (OFGroupDelete) switches.lastWritten();
    assertEquals(List.of(addition, deletion), switches.written);
    assertEquals(OFGroup.of(1), deletion.getGroup());
    runUnderway();
    assertEquals(List.of("remove 1"), callsOfOne);
    assertEquals(1, pending.undoings().getCount());
  }

  @Test
  void aGroupThatIsAddedOnPurposeAfterItsDeletionStays() {
    hold(1, Group.GroupState.ADDED);
    result(one.request(DEVICE, List.of(SwitchOperation.deleteGroup(group(1)))));
    store.clear();
    result(one.request(DEVICE, List.of(SwitchOperation.addGroup(group(1)))));
    callsOfOne.clear();
    OFMessage addition = onosAdds(1);
    runUnderway();
    assertEquals(List.of(addition), switches.written);
    assertEquals(List.of(), callsOfOne);
    assertEquals(0, pending.undoings().getCount());
  }

  @Test
  void aGroupThatIsSetOnPurposeAfterOnosAddedItAgainIsNotDeletedAgain() {
    hold(1, Group.GroupState.ADDED);
    result(one.request(DEVICE, List.of(SwitchOperation.deleteGroup(group(1)))));
    hold(1, Group.GroupState.PENDING_ADD_RETRY);
    CompletableFuture<Integer> set =
        one.request(DEVICE, List.of(SwitchOperation.addGroup(group(1))));
    onosAdds(1);
    callsOfOne.clear();
    assertEquals(1, result(set));
    assertEquals(List.of("set 1 to 7*2 9*1"), callsOfOne);
  }

  @Test
  void anAdditionOnPurposeBeforeTheRepeatedRemovalStays() {
    hold(1, Group.GroupState.ADDED);
    result(one.request(DEVICE, List.of(SwitchOperation.deleteGroup(group(1)))));
    store.clear();
    CompletableFuture<Integer> added =
        one.request(DEVICE, List.of(SwitchOperation.addGroup(group(1))));
    onosAdds(1);
    callsOfOne.clear();
    assertEquals(1, result(added));
    assertEquals(List.of("add 1 with 7*2 9*1"), callsOfOne);
  }

  @Test
  void aClosedInstanceServesNoRequestsAndDeletesNothingAgain() {
    hold(1, Group.GroupState.ADDED);
    result(one.request(DEVICE, List.of(SwitchOperation.deleteGroup(group(1)))));
    one.close();
    assertEquals(Set.of(TWO), cluster.listening());
    OFMessage addition = onosAdds(1);
    assertEquals(List.of(addition), switches.written);
  }

  /** As ONOS does when it misses a group, on a thread of its own. */
  private OFMessage onosAdds(int id) {
    OFMessage addition =
        FakeOpenFlow.OF
            .buildGroupAdd()
            .setGroupType(OFGroupType.SELECT)
            .setGroup(OFGroup.of(id))
            .build();
    switches.write(FakeOpenFlow.Dpid.dpid(DEVICE.uri()), addition);
    return addition;
  }

  private void runUnderway() {
    List<Runnable> now = List.copyOf(underway);
    underway.clear();
    now.forEach(Runnable::run);
  }

  private int result(CompletableFuture<Integer> requested) {
    runUnderway();
    return requested.join();
  }

  private static SelectGroup group(int id) {
    return new SelectGroup(id, new int[] {7, 9}, new int[] {2, 1});
  }

  private void hold(int id, Group.GroupState state) {
    GroupDescription description = new GroupTranslator(APPLICATION).description(DEVICE, group(id));
    DefaultGroup held = new DefaultGroup(new GroupId(id), description);
    held.setState(state);
    store.put(description.appCookie(), held);
  }

  private static String inWords(GroupBuckets buckets) {
    StringBuilder words = new StringBuilder();
    buckets
        .buckets()
        .forEach(
            bucket -> words.append(' ').append(portOf(bucket)).append('*').append(bucket.weight()));
    return words.toString();
  }

  private static long portOf(GroupBucket bucket) {
    return ((OutputInstruction) bucket.treatment().allInstructions().get(0)).port().toLong();
  }

  private GroupRequests instance(NodeId id, List<String> calls, OpenFlowChannel channel) {
    return new GroupRequests(
        APPLICATION,
        new Groups(calls),
        channel,
        pending,
        cluster.messagesOf(id),
        cluster,
        id,
        underway::add);
  }

  private final class Groups extends GroupServiceAdapter {
    private final List<String> calls;

    Groups(List<String> calls) {
      this.calls = calls;
    }

    @Override
    public Group getGroup(DeviceId device, GroupKey key) {
      return store.get(key);
    }

    @Override
    public void addGroup(GroupDescription description) {
      calls.add("add " + description.givenGroupId() + " with" + inWords(description.buckets()));
    }

    @Override
    public void setBucketsForGroup(
        DeviceId device, GroupKey old, GroupBuckets buckets, GroupKey key, ApplicationId app) {
      calls.add("set " + store.get(old).id().id() + " to" + inWords(buckets));
    }

    @Override
    public void removeGroup(DeviceId device, GroupKey key, ApplicationId app) {
      calls.add("remove " + store.get(key).id().id());
    }
  }
}
