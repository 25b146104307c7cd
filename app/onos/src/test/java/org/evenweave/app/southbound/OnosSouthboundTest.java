package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.group.GroupServiceAdapter;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;

/** With an ONOS of which no instance is master of any switch. */
class OnosSouthboundTest {
  private final ApplicationId application = new DefaultApplicationId(7, "org.evenweave.app");
  private final SwitchNames names = new SwitchNames(datapathId -> "s1-0");
  private final PendingChanges pending = new PendingChanges();
  private final VirtualLoop loop = new VirtualLoop();
  private CompletableFuture<Void> mayChange = CompletableFuture.completedFuture(null);
  private final OnosSouthbound southbound =
      new OnosSouthbound(
          application,
          names,
          () -> mayChange,
          new GroupRequests(
              application,
              new GroupServiceAdapter(),
              new OpenFlowChannel(new FakeOpenFlow.Connected()),
              pending,
              new ClusterCommunicationServiceAdapter(),
              new MastershipServiceAdapter(),
              NodeId.nodeId("one"),
              Runnable::run),
          new FlowRuleServiceAdapter(),
          new PacketServiceAdapter(),
          new ClusterReader(
              new ClusterCommunicationServiceAdapter(),
              new MastershipServiceAdapter() {
                @Override
                public NodeId getMasterFor(DeviceId device) {
                  return null;
                }
              },
              NodeId.nodeId("one"),
              new SwitchReader(
                  new OpenFlowChannel(new FakeOpenFlow.Connected()),
                  new FlowTranslator(application)),
              Runnable::run),
          pending,
          loop);

  @Test
  void aSwitchWhoseTablesCannotBeReadIsNamedAndCounted() {
    names.nameOf(DeviceId.deviceId("of:0000000000000001"));
    Throwable cause =
        assertThrows(CompletionException.class, () -> southbound.read("s1-0").join()).getCause();
    assertEquals("s1-0", ((SouthboundException) cause).switchId());
    assertEquals(1, pending.unreadable().getCount());
  }

  @Test
  void anIdIsNotGivenAgainWhileOnosMayStillHaveItsGroupDownAsToBeRemoved() {
    names.nameOf(DeviceId.deviceId("of:0000000000000001"));
    int[] ids = southbound.groupIds("s1-0").limit(2).toArray();
    SelectGroup group = new SelectGroup(ids[0], new int[] {7, 9}, new int[] {2, 1});
    southbound.apply("s1-0", List.of(SwitchOperation.deleteGroup(group)));
    assertEquals(ids[1], southbound.groupIds("s1-0").findFirst().getAsInt());
    loop.runFor(DeletedGroups.REMEMBERED_NANOS);
    assertEquals(ids[0], southbound.groupIds("s1-0").findFirst().getAsInt());
  }

  @Test
  void anEngineThatMayNotChangeSwitchesAsksOnosForNothing() {
    names.nameOf(DeviceId.deviceId("of:0000000000000001"));
    mayChange = CompletableFuture.failedFuture(new IllegalStateException("another leads"));
    CompletableFuture<Void> changed =
        southbound.apply("s1-0", List.of(SwitchOperation.putFlow(FlowRule.arpToController())));
    Throwable cause = assertThrows(CompletionException.class, changed::join).getCause();
    assertEquals("s1-0", ((SouthboundException) cause).switchId());
    assertEquals(List.of(), List.copyOf(pending.entries()));
  }
}
