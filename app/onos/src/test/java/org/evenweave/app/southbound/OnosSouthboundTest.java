package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.app.Logged;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.behaviour.ExtensionTreatmentResolver;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;

/** With an ONOS of one instance, which is the switch's master or is not. */
class OnosSouthboundTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final List<SwitchOperation> CHANGE =
      List.of(SwitchOperation.putFlow(FlowRule.arpToController()));

  private final SwitchNames names = new SwitchNames(datapathId -> "s1-0");
  private final PendingChanges pending = new PendingChanges();
  private final FakeCluster cluster = new FakeCluster(ONE);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private int sent;
  private String hardware = "Open vSwitch";
  private boolean hasExtensions;
  private CompletableFuture<Void> mayChange = CompletableFuture.completedFuture(null);
  private final OnosSouthbound southbound =
      new OnosSouthbound(
          names,
          () -> mayChange,
          1,
          new MasterRequests(
              new OpenFlowChannel(switches), cluster.messagesOf(ONE), cluster, () -> ONE, ONE),
          new DeviceServiceAdapter() {
            @Override
            public Device getDevice(DeviceId id) {
              return new DefaultDevice(
                  ProviderId.NONE, id, Device.Type.SWITCH, "maker", hardware, "1", "1", null) {
                @Override
                public <B extends Behaviour> boolean is(Class<B> behaviour) {
                  return hasExtensions && behaviour == ExtensionTreatmentResolver.class;
                }
              };
            }
          },
          new PacketServiceAdapter() {
            @Override
            public void emit(OutboundPacket packet) {
              cluster.getMasterFor(packet.sendThrough());
              sent++;
            }
          },
          pending,
          application -> application == 7 ? "application org.onosproject.fwd" : "");

  @BeforeEach
  void name() {
    names.nameOf(DEVICE);
  }

  @Test
  void groupsAreHeldAsTheHardwareDoes() {
    assertEquals(SwitchTarget.OVS_UNIT_BUCKETS, southbound.target("s1-0"));
    hardware = "Tofino";
    assertEquals(SwitchTarget.REPLICATED_ENTRIES, southbound.target("s1-0"));
    assertEquals(SwitchTarget.OVS_UNIT_BUCKETS, southbound.target("never connected"));
  }

  @Test
  void largeTablesAreNotChosenWhereOnossDriverStumblesOverThem() {
    assertTrue(southbound.mayChooseLargeTables("s1-0"));
    hasExtensions = true;
    assertFalse(southbound.mayChooseLargeTables("s1-0"));
    assertTrue(southbound.mayChooseLargeTables("never connected"));
  }

  @Test
  void aLargeTableHasTheTimeThatItsRulesTake() {
    assertEquals(1, SwitchWriter.timeouts(CHANGE));
    SelectGroup largest = SelectGroup.largeTable(1, new int[1 << 16]);
    assertEquals(17, SwitchWriter.timeouts(List.of(SwitchOperation.addGroup(largest))));
  }

  @Test
  void packetsOfAnInstanceThatIsCutOffAreLost() {
    cluster.storeResponds = false;
    southbound.sendPacket("s1-0", 1, new byte[60]);
    cluster.storeResponds = true;
    southbound.sendPacket("s1-0", 1, new byte[60]);
    assertEquals(1, sent);
  }

  @Test
  void aChangeIsPendingUntilItIsConfirmed() {
    CompletableFuture<Void> change = southbound.apply("s1-0", CHANGE);
    assertEquals(CHANGE, pending.entries().get(0).operations());
    assertFalse(change.isDone());
    switches.confirm(DEVICE);
    assertEquals(List.of(), pending.entries());
    assertEquals(1, pending.confirmations().getCount());
    change.join();
  }

  @Test
  void aRefusedChangeIsNamedAndCounted() {
    CompletableFuture<Void> change = southbound.apply("s1-0", CHANGE);
    switches.refuse(DEVICE, switches.written.get(0));
    switches.confirm(DEVICE);
    assertEquals(
        "s1-0: refused PUT_FLOW arp -> TO_CONTROLLER: GROUP_MOD_FAILED/OUT_OF_GROUPS",
        failure(change).getMessage());
    assertEquals(1, pending.refused().getCount());
    assertEquals(List.of(), pending.entries());
  }

  @Test
  void aChangeThatIsNotConfirmedInTimeIsGivenUp() {
    pending.giveUpAfter(() -> 1);
    CompletableFuture<Void> change = southbound.apply("s1-0", CHANGE);
    change.handle((nothing, error) -> null).join();
    assertEquals("s1-0: no reply in time", failure(change).getMessage());
    assertEquals(1, pending.givenUp().getCount());
    assertEquals(List.of(), pending.entries());
  }

  @Test
  void aSwitchWhoseTablesCannotBeReadIsNamedAndCounted() {
    cluster.master = null;
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    assertEquals("s1-0", failure(read).switchId());
    assertEquals(1, pending.unreadable().getCount());
  }

  @Test
  void theLogWarnsOnceThatUdpIsNotSpread() {
    List<String> warnings =
        Logged.alarms(
            () -> {
              southbound.read("s1-0");
              southbound.read("s1-0");
            });
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("UDP"), warnings::toString);
  }

  @Test
  void anEngineThatMayNotChangeSwitchesWritesNothing() {
    mayChange = CompletableFuture.failedFuture(new IllegalStateException("another leads"));
    assertEquals("s1-0: another leads", failure(southbound.apply("s1-0", CHANGE)).getMessage());
    assertEquals(List.of(), switches.written);
    assertEquals(List.of(), pending.entries());
  }

  @Test
  void nothingIsWrittenBeforeThisEngineIsKnownToLead() {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    mayChange = asked;
    southbound.apply("s1-0", CHANGE);
    assertEquals(List.of(), switches.written);
    asked.complete(null);
    assertEquals(1, switches.changes().size());
  }

  /** The permission for the first takes long, and the switch was read meanwhile. */
  @Test
  void aChangeThatWasAskedForBeforeALaterReadIsNotMadeAfterIt() {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    mayChange = asked;
    CompletableFuture<Void> change = southbound.apply("s1-0", CHANGE);
    southbound.read("s1-0");
    asked.complete(null);
    assertEquals(List.of(), switches.changes());
    assertTrue(failure(change).getMessage().contains("late"));
  }

  private SouthboundException failure(CompletableFuture<?> failed) {
    return (SouthboundException) assertThrows(CompletionException.class, failed::join).getCause();
  }
}
