package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.evenweave.app.southbound.FakeOpenFlow.bucket;
import static org.evenweave.app.southbound.FakeOpenFlow.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.Limits;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFAsyncSet;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupFeaturesStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class SwitchReaderTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final int ID = 0x4557_0003;
  private static final FlowRule RULE = FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), ID);

  private final FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
  private final SwitchReader reader = new SwitchReader(new OpenFlowChannel(controller));

  @Test
  void tablesAreGroupsAndRulesByTheSwitchsOwnAccount() {
    CompletableFuture<SwitchTables> tables = reader.tables(DEVICE).thenApply(DeviceTables::own);
    answerGroups(entry(ID, OFGroupType.SELECT, bucket(2, 5), bucket(1, 7)));
    assertFalse(tables.isDone());
    answerRules();
    assertEquals(
        new SwitchTables(
            Map.of(ID, new SelectGroup(ID, new int[] {2, 1}, new int[] {5, 7})),
            Map.of(RULE.key(), RULE)),
        tables.join());
  }

  @Test
  void groupsOfOtherApplicationsAreNotEvenweaves() {
    assertEquals(Set.of(), groups(entry(3, OFGroupType.SELECT, bucket(2, 5))).keySet());
  }

  @Test
  void whatOtherApplicationsInstalledIsReadWithItsCookieAndPriority() {
    CompletableFuture<DeviceTables> tables = reader.tables(DEVICE);
    answerGroups(entry(3, OFGroupType.SELECT, bucket(2, 5)));
    OFFlowStatsEntry drop =
        OF.buildFlowStatsEntry()
            .setTableId(TableId.ZERO)
            .setCookie(U64.of(0x0007_0000_1234_5678L))
            .setPriority(40_001)
            .setMatch(
                OF.buildMatch()
                    .setExact(MatchField.ETH_TYPE, EthType.IPv4)
                    .setExact(MatchField.IPV4_DST, IPv4Address.of("10.0.2.1"))
                    .build())
            .build();
    controller.answerRules(DEVICE, controller.last(OFFlowStatsRequest.class).getXid(), drop);
    ForeignTables foreign = tables.join().reading().foreign();
    assertEquals("[priority=40001,ip,nw_dst=10.0.2.1 actions=drop]", foreign.rules().toString());
    assertEquals(40_000, foreign.rules().get(0).rank());
    assertEquals(0x0007_0000_1234_5678L, foreign.rules().get(0).cookie());
    assertEquals("{3=select output:2}", foreign.groups().toString());
    DeviceTables sent = WireFormat.toTables(WireFormat.tables(tables.join()));
    assertEquals(foreign, sent.reading().foreign());
    assertEquals(tables.join().own(), sent.own());
  }

  @Test
  void aGroupOfAnotherShapeOrThatWatchesNoPortEqualsNothingThatIsWanted() {
    SelectGroup changed = new SelectGroup(ID, new int[] {0}, new int[] {1});
    assertEquals(Map.of(ID, changed), groups(entry(ID, OFGroupType.ALL, bucket(2, 1))));
    SelectGroup unwatched = new SelectGroup(ID, new int[] {2}, new int[] {5}).unwatched();
    assertEquals(
        Map.of(ID, unwatched), groups(entry(ID, OFGroupType.SELECT, bucket(2, 5, OFPort.ANY))));
  }

  @Test
  void anotherInstanceReadsThatAGroupWatchesNoPort() {
    CompletableFuture<DeviceTables> tables = reader.tables(DEVICE);
    answerGroups(entry(ID, OFGroupType.SELECT, bucket(2, 5, OFPort.ANY)));
    answerRules();
    DeviceTables sent = WireFormat.toTables(WireFormat.tables(tables.join()));
    assertEquals(tables.join().own(), sent.own());
  }

  @Test
  void readingChangesNothing() {
    groups(entry(ID, OFGroupType.SELECT, bucket(2, 5, OFPort.ANY)));
    assertEquals(List.of(), controller.changes());
  }

  @Test
  void aSwitchThatIsReadSendsPacketsWhoseTtlIsUsedUpFromThenOn() {
    reader.tables(DEVICE);
    assertEquals(0b111, controller.last(OFAsyncSet.class).getPacketInMaskEqualMaster());
  }

  @Test
  void countersAreThePacketsOfGroupsAndRules() {
    CompletableFuture<SwitchCounters> counters = reader.counters(DEVICE);
    controller.say(
        DEVICE,
        OF.buildGroupStatsReply()
            .setXid(controller.last(OFGroupStatsRequest.class).getXid())
            .setEntries(List.of(counter(ID, 206), counter(3, 9)))
            .build());
    answerRules();
    assertEquals(Map.of(ID, 206L), counters.join().groups());
    assertEquals(Map.of(RULE, (long) OwnEntries.priority(RULE)), counters.join().rules());
  }

  @Test
  void routesAreCountedInBytesWithTheirAge() {
    CompletableFuture<Collection<RuleCount>> counts = reader.routes(DEVICE);
    OFFlowStatsEntry route =
        FlowEntries.ours(RULE)
            .createBuilder()
            .setByteCount(U64.of(1_500))
            .setDurationSec(3)
            .setDurationNsec(500)
            .build();
    controller.answerRules(
        DEVICE,
        controller.last(OFFlowStatsRequest.class).getXid(),
        route,
        FlowEntries.ours(FlowRule.prefixToController(Ipv4Prefix.parse("10.0.0.0/24"))));
    RuleCount count = counts.join().iterator().next();
    assertEquals(1, counts.join().size());
    assertEquals(RULE.prefix(), count.prefix());
    assertEquals(1_500, count.bytes());
    assertEquals(3_000_000_500L, count.ageNanos());
  }

  private static OFGroupStatsEntry counter(int id, long packets) {
    return OF.buildGroupStatsEntry()
        .setGroup(OFGroup.of(id))
        .setPacketCount(U64.of(packets))
        .build();
  }

  @Test
  void flowStatisticsRequestsEqualOnossSinceRulesNotInTheReplyCountAsMissing() {
    reader.tables(DEVICE);
    OFFlowStatsRequest request = controller.last(OFFlowStatsRequest.class);
    assertEquals(OF.matchWildcardAll(), request.getMatch());
    assertEquals(0xff, request.getTableId().getValue() & 0xff);
    assertEquals(OFPort.ANY, request.getOutPort());
    assertEquals(OFGroup.ANY, request.getOutGroup());
  }

  @Test
  void aSwitchIsAskedOnceForEachConnectionHowManyGroupsItCanHave() {
    assertEquals(Limits.NONE.withGroups(1024), limitsReporting(1024));
    reader.tables(DEVICE);
    assertEquals(1, featureRequests());
    controller.reconnect();
    assertEquals(Limits.NONE.withGroups(512), limitsReporting(512));
    assertEquals(2, featureRequests());
  }

  @Test
  void aSwitchThatReportsNoLimitOrNothingHasNone() {
    assertEquals(Limits.NONE, limitsReporting(0));
    controller.reconnect();
    assertEquals(Limits.NONE, limitsReporting(0xffff_ff00L));
    controller.reconnect();
    CompletableFuture<DeviceTables> tables = reader.tables(DEVICE);
    answerGroups(entry(ID, OFGroupType.SELECT, bucket(2, 5)));
    answerRules();
    assertEquals(Limits.NONE, tables.join().limits());
  }

  private Limits limitsReporting(long groups) {
    CompletableFuture<DeviceTables> tables = reader.tables(DEVICE);
    controller.say(
        DEVICE,
        OF.buildGroupFeaturesStatsReply()
            .setXid(controller.last(OFGroupFeaturesStatsRequest.class).getXid())
            .setMaxGroupsSelect(groups)
            .build());
    answerGroups(entry(ID, OFGroupType.SELECT, bucket(2, 5)));
    answerRules();
    return tables.join().limits();
  }

  private long featureRequests() {
    return controller.written.stream()
        .filter(OFGroupFeaturesStatsRequest.class::isInstance)
        .count();
  }

  /** It takes them for down after a partition, until the switch says something of them. */
  @Test
  void onosReadsThePortsWithTheTables() {
    reader.tables(DEVICE);
    assertTrue(controller.written.stream().anyMatch(OFPortDescStatsRequest.class::isInstance));
  }

  @Test
  void readingsOfGroupsAreNeverPairedByOnosAndLeaveItFewReplies() {
    Set<Long> descriptions = new HashSet<>();
    Set<Long> statistics = new HashSet<>();
    for (int reading = 0; reading < 1000; reading++) {
      reader.tables(DEVICE);
      descriptions.add(controller.last(OFGroupDescStatsRequest.class).getXid());
      reader.counters(DEVICE);
      statistics.add(controller.last(OFGroupStatsRequest.class).getXid());
    }
    assertTrue(descriptions.size() + statistics.size() <= 16, "ONOS keeps one reply for each");
    statistics.forEach(xid -> assertFalse(descriptions.contains(xid + 1)));
  }

  @Test
  void twoReadingsOfOneSwitchAtATimeHaveTransactionsOfTheirOwn() {
    reader.tables(DEVICE);
    long first = controller.last(OFGroupDescStatsRequest.class).getXid();
    reader.tables(DEVICE);
    assertNotEquals(first, controller.last(OFGroupDescStatsRequest.class).getXid());
  }

  private Map<Integer, SelectGroup> groups(OFGroupDescStatsEntry entry) {
    CompletableFuture<SwitchTables> tables = reader.tables(DEVICE).thenApply(DeviceTables::own);
    answerGroups(entry);
    answerRules();
    return tables.join().groups();
  }

  private void answerGroups(OFGroupDescStatsEntry entry) {
    controller.answerGroups(DEVICE, controller.last(OFGroupDescStatsRequest.class).getXid(), entry);
  }

  private void answerRules() {
    controller.answerRules(
        DEVICE, controller.last(OFFlowStatsRequest.class).getXid(), FlowEntries.ours(RULE));
  }
}
