package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.bucket;
import static org.evenweave.app.southbound.FakeOpenFlow.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupType;

/** Two instances, and a switch that one of them is master of. */
class SwitchReaderClusterTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final NodeId TWO = NodeId.nodeId("two");
  private static final int ID = 0x4557_0003;
  private static final List<FlowRule> RULES =
      List.of(
          FlowRule.arpToController(),
          FlowRule.answerArp(0xc000_0101, 0xffff_ffff_fffeL, 0xc000_0102, 3, 9),
          FlowRule.prefixToController(Ipv4Prefix.parse("10.0.0.0/24")),
          FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), ID),
          FlowRule.routeToPort(Ipv4Prefix.parse("192.0.2.0/24"), 7),
          FlowRule.deliver(0xc000_0201, 9, 0xffff_ffff_ffffL, 1));

  private final FakeCluster cluster = new FakeCluster(ONE);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private final SwitchReader one = instance(ONE, switches);
  private final SwitchReader two = instance(TWO, new FakeOpenFlow.Connected());

  @Test
  void theMasterAsksTheSwitchWithoutAMessageToItself() {
    assertEquals(answered(one.tables(DEVICE)), wanted());
    assertEquals(0, cluster.messages);
  }

  @Test
  void anotherInstanceReadsTheSameByTheMaster() {
    assertEquals(answered(two.tables(DEVICE)), wanted());
    assertEquals(1, cluster.messages);
    CompletableFuture<List<SelectGroup>> groups = two.watchedGroups(DEVICE);
    switches.answerGroups(
        DEVICE,
        switches.lastWritten().getXid(),
        entry(ID, OFGroupType.SELECT, bucket(2, 5), bucket(3, 1)));
    assertEquals(List.copyOf(wanted().groups().values()), groups.join());
  }

  /** An empty answer would be taken for an empty switch. */
  @Test
  void whileASwitchHasNoMasterItCannotBeRead() {
    cluster.master = null;
    assertRefused(one.tables(DEVICE), "no instance");
  }

  @Test
  void anInstanceThatIsNoLongerMasterDoesNotAnswerForTheSwitch() {
    switches.role = FakeOpenFlow.RoleState.SLAVE;
    assertRefused(one.tables(DEVICE), "another master");
  }

  @Test
  void onosReadsTheSwitchOnItsMaster() {
    two.pollForOnos(DEVICE);
    assertTrue(switches.lastWritten() instanceof OFGroupDescStatsRequest);
    cluster.master = null;
    two.pollForOnos(DEVICE);
    assertEquals(2, switches.written.size());
  }

  @Test
  void aClosedInstanceServesNoReads() {
    one.close();
    assertRefused(two.tables(DEVICE), "nobody listens");
  }

  private static SwitchTables wanted() {
    Map<String, FlowRule> rules = new HashMap<>();
    RULES.forEach(rule -> rules.put(rule.key(), rule));
    return new SwitchTables(
        Map.of(ID, new SelectGroup(ID, new int[] {2, 3}, new int[] {5, 1})), rules);
  }

  private SwitchTables answered(CompletableFuture<SwitchReader.ReadResult> tables) {
    switches.answerGroups(
        DEVICE,
        xidOf(OFGroupDescStatsRequest.class),
        entry(ID, OFGroupType.SELECT, bucket(2, 5), bucket(3, 1)));
    switches.answerRules(
        DEVICE,
        xidOf(OFFlowStatsRequest.class),
        RULES.stream()
            .map(rule -> FlowEntries.ofOnos(rule, 7))
            .toArray(org.projectfloodlight.openflow.protocol.OFFlowStatsEntry[]::new));
    return tables.join().tables();
  }

  private long xidOf(Class<?> kind) {
    return switches.written.stream().filter(kind::isInstance).findFirst().orElseThrow().getXid();
  }

  private static void assertRefused(CompletableFuture<?> asked, String reason) {
    CompletionException error = assertThrows(CompletionException.class, asked::join);
    assertTrue(error.getCause() instanceof SouthboundException, String.valueOf(error));
    assertTrue(error.getCause().getMessage().contains(reason), String.valueOf(error));
  }

  private SwitchReader instance(NodeId id, FakeOpenFlow.Connected connected) {
    return new SwitchReader(
        new DefaultApplicationId(7, "org.evenweave.app"),
        new OpenFlowChannel(connected),
        cluster.messagesOf(id),
        cluster,
        id,
        Runnable::run);
  }
}
