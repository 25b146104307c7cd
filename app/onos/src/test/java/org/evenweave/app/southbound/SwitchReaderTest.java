package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.evenweave.app.southbound.FakeOpenFlow.bucket;
import static org.evenweave.app.southbound.FakeOpenFlow.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

class SwitchReaderTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final int ID = 0x4557_0003;

  private final FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
  private final FakeCluster cluster = new FakeCluster(ONE);
  private final SwitchReader reader =
      new SwitchReader(
          new DefaultApplicationId(7, "org.evenweave.app"),
          new OpenFlowChannel(controller),
          cluster.messagesOf(ONE),
          cluster,
          ONE,
          Runnable::run);

  @Test
  void groupsComeWithTheirWeightsInTheOrderOfTheirBuckets() {
    CompletableFuture<List<SelectGroup>> groups = reader.watchedGroups(DEVICE);
    controller.answerGroups(
        DEVICE, lastXid(), entry(ID, OFGroupType.SELECT, bucket(2, 5), bucket(1, 7)));
    assertEquals(List.of(new SelectGroup(ID, new int[] {2, 1}, new int[] {5, 7})), groups.join());
  }

  @Test
  void groupsOfOtherApplicationsAreNotShown() {
    CompletableFuture<List<SelectGroup>> groups = reader.watchedGroups(DEVICE);
    controller.answerGroups(DEVICE, lastXid(), entry(3, OFGroupType.SELECT, bucket(2, 5)));
    assertEquals(List.of(), groups.join());
  }

  @Test
  void aGroupOfAnotherShapeEqualsNothingThatIsWanted() {
    CompletableFuture<List<SelectGroup>> groups = reader.watchedGroups(DEVICE);
    controller.answerGroups(DEVICE, lastXid(), entry(ID, OFGroupType.ALL, bucket(2, 1)));
    assertEquals(List.of(new SelectGroup(ID, new int[] {0}, new int[] {1})), groups.join());
  }

  @Test
  void aGroupThatWatchesNoPortIsSetToAndReadAgain() {
    CompletableFuture<List<SelectGroup>> groups = reader.watchedGroups(DEVICE);
    controller.answerGroups(
        DEVICE, lastXid(), entry(ID, OFGroupType.SELECT, bucket(2, 5, OFPort.ANY)));
    assertFalse(groups.isDone());
    OFGroupMod change = (OFGroupMod) controller.written.get(1);
    assertEquals(OFGroup.of(ID), change.getGroup());
    assertEquals(List.of(bucket(2, 5)), change.getBuckets());
    controller.answerGroups(DEVICE, lastXid(), entry(ID, OFGroupType.SELECT, bucket(2, 5)));
    assertEquals(List.of(new SelectGroup(ID, new int[] {2}, new int[] {5})), groups.join());
  }

  /** Whoever asks may have been overtaken by another leader, and must not change what that does. */
  @Test
  void readingTheTablesChangesNothingAndTellsWhichGroupsDoNotWatch() {
    CompletableFuture<SwitchReader.ReadResult> tables = reader.tables(DEVICE);
    controller.answerGroups(
        DEVICE,
        xidOf(OFGroupDescStatsRequest.class),
        entry(ID, OFGroupType.SELECT, bucket(2, 5, OFPort.ANY)));
    controller.answerRules(DEVICE, xidOf(OFFlowStatsRequest.class));
    assertEquals(Set.of(ID), tables.join().unwatched());
    assertEquals(
        List.of(new SelectGroup(ID, new int[] {2}, new int[] {5})),
        tables.join().unwatchedGroups());
    assertFalse(controller.written.stream().anyMatch(OFGroupMod.class::isInstance));
  }

  @Test
  void tablesAreGroupsAndRulesByTheSwitchsOwnAccount() {
    CompletableFuture<SwitchReader.ReadResult> tables = reader.tables(DEVICE);
    controller.answerGroups(
        DEVICE, xidOf(OFGroupDescStatsRequest.class), entry(ID, OFGroupType.SELECT, bucket(2, 5)));
    assertFalse(tables.isDone());
    FlowRule rule = FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), ID);
    controller.answerRules(DEVICE, xidOf(OFFlowStatsRequest.class), FlowEntries.ofOnos(rule, 7));
    assertEquals(
        new SwitchTables(
            Map.of(ID, new SelectGroup(ID, new int[] {2}, new int[] {5})),
            Map.of(rule.key(), rule)),
        tables.join().tables());
    assertEquals(Set.of(), tables.join().unwatched());
  }

  @Test
  void flowStatisticsRequestsEqualOnossSinceRulesNotInTheReplyCountAsMissing() {
    reader.tables(DEVICE);
    OFFlowStatsRequest request =
        (OFFlowStatsRequest)
            controller.written.stream()
                .filter(message -> message instanceof OFFlowStatsRequest)
                .findFirst()
                .orElseThrow();
    assertEquals(OF.matchWildcardAll(), request.getMatch());
    assertEquals(0xff, request.getTableId().getValue() & 0xff);
    assertEquals(OFPort.ANY, request.getOutPort());
    assertEquals(OFGroup.ANY, request.getOutGroup());
  }

  /** It takes them for down after a partition, until the switch says something of them. */
  @Test
  void onosReadsThePortsWithTheTables() {
    reader.tables(DEVICE);
    assertTrue(controller.written.stream().anyMatch(m -> m instanceof OFPortDescStatsRequest));
  }

  @Test
  void readingsOfGroupsAreNeverPairedByOnosAndLeaveItFewReplies() {
    Set<Long> xids = new HashSet<>();
    for (int reading = 0; reading < 1000; reading++) {
      CompletableFuture<List<SelectGroup>> groups = reader.watchedGroups(DEVICE);
      xids.add(lastXid());
      controller.answerGroups(DEVICE, lastXid());
      assertTrue(groups.isDone());
    }
    assertTrue(xids.size() <= 8, "ONOS keeps " + xids.size());
    for (int reading = 0; reading < 1000; reading++) {
      reader.pollForOnos(DEVICE);
      int n = controller.written.size();
      OFMessage statistics = controller.written.get(n - 2);
      OFMessage description = controller.written.get(n - 1);
      assertTrue(statistics instanceof OFGroupStatsRequest);
      assertTrue(description instanceof OFGroupDescStatsRequest);
      assertEquals(statistics.getXid() + 1, description.getXid());
      assertFalse(xids.contains(description.getXid()));
    }
    xids.forEach(xid -> assertFalse(xids.contains(xid + 1)));
  }

  @Test
  void twoReadingsOfOneSwitchAtATimeHaveTransactionsOfTheirOwn() {
    reader.watchedGroups(DEVICE);
    long first = lastXid();
    reader.watchedGroups(DEVICE);
    assertNotEquals(first, lastXid());
  }

  @Test
  void onosIsNotLetToReadASwitchOfAnotherMaster() {
    controller.role = FakeOpenFlow.RoleState.SLAVE;
    reader.pollForOnos(DEVICE);
    assertEquals(List.of(), controller.written);
  }

  private long lastXid() {
    return controller.lastWritten().getXid();
  }

  private long xidOf(Class<?> kind) {
    return controller.written.stream().filter(kind::isInstance).findFirst().orElseThrow().getXid();
  }
}
