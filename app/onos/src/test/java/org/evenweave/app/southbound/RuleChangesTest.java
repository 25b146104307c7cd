package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Two instances, of which one leads and the other is a switch's master. */
class RuleChangesTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final NodeId LEADER = NodeId.nodeId("one");
  private static final NodeId MASTER = NodeId.nodeId("two");

  private final FakeCluster cluster = new FakeCluster(MASTER);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private final OpenFlowChannel channel = new OpenFlowChannel(switches);
  private final List<String> heard = new ArrayList<>();
  private NodeId leader = LEADER;
  private final RuleChanges onLeader =
      instance(LEADER, new OpenFlowChannel(new FakeOpenFlow.Connected()));
  private final RuleChanges onMaster = instance(MASTER, channel);

  @Test
  void theLeaderHearsOfRulesThatArePolledForTheFirstTimeAndForTheLast() {
    poll(1, rule(1, 2, 10), rule(2, 2, 0));
    poll(2, rule(2, 2, 5), rule(1, 2, 99));
    assertEquals(List.of(), heard, "the same rules, in another order, have counted more");
    poll(3, rule(1, 2, 99), rule(2, 2, 5), rule(3, 2, 0));
    assertEquals(List.of("one " + DEVICE), heard);
    poll(4, rule(1, 2, 99), rule(2, 2, 5), rule(3, 7, 0));
    assertEquals(2, heard.size(), "another output");
    poll(5, rule(1, 2, 99), rule(2, 2, 5));
    assertEquals(3, heard.size());
    poll(6, rule(1, 2, 99), rule(2, 2, 5));
    assertEquals(3, heard.size());
  }

  @Test
  void aPollIsComparedWhenItsLastPartIsThere() {
    poll(1, rule(1, 2, 0), rule(2, 2, 0));
    say(2, Set.of(OFStatsReplyFlags.REPLY_MORE), rule(1, 2, 0));
    assertEquals(List.of(), heard);
    say(2, Set.of(), rule(2, 2, 0));
    assertEquals(List.of(), heard);
    for (int xid = 100; xid < 200; xid++) {
      say(xid, Set.of(OFStatsReplyFlags.REPLY_MORE), rule(xid, 2, 0));
    }
    poll(200, rule(1, 2, 0), rule(2, 2, 0));
    assertEquals(List.of(), heard, "replies that never ended");
  }

  /** Added after one poll and removed before the next; the engine would believe it. */
  @Test
  void aRuleThatOnlyAReadingOfOurOwnHasSeenIsReportedWhenItIsGone() {
    poll(1, rule(1, 2, 0));
    CompletableFuture<List<OFStatsReply>> read =
        channel.request(
            DEVICE, 55, (factory, xid) -> factory.buildFlowStatsRequest().setXid(xid).build());
    poll(55, rule(1, 2, 0), rule(9, 9, 0));
    assertEquals(1, read.join().size());
    heard.clear();
    poll(2, rule(1, 2, 0));
    assertEquals(List.of("one " + DEVICE), heard);
  }

  @Test
  void withoutALeaderOrOnceClosedNothingIsReported() {
    poll(1);
    leader = null;
    poll(2, rule(1, 2, 0));
    leader = LEADER;
    onMaster.close();
    poll(3);
    onLeader.close();
    assertEquals(List.of(), heard);
    assertEquals(Set.of(), cluster.listening());
  }

  private void poll(long xid, OFFlowStatsEntry... rules) {
    say(xid, Set.of(), rules);
  }

  private void say(long xid, Set<OFStatsReplyFlags> flags, OFFlowStatsEntry... rules) {
    switches.say(
        DEVICE,
        OF.buildFlowStatsReply().setXid(xid).setFlags(flags).setEntries(List.of(rules)).build());
  }

  private static OFFlowStatsEntry rule(int priority, int port, long packets) {
    return OF.buildFlowStatsEntry()
        .setTableId(TableId.ZERO)
        .setPriority(priority)
        .setCookie(U64.of(7))
        .setMatch(OF.buildMatch().setExact(MatchField.ETH_TYPE, EthType.IPv4).build())
        .setInstructions(
            List.of(
                OF.instructions().applyActions(List.of(OF.actions().output(OFPort.of(port), 0)))))
        .setPacketCount(U64.of(packets))
        .build();
  }

  private RuleChanges instance(NodeId id, OpenFlowChannel connected) {
    return new RuleChanges(
        connected,
        cluster.messagesOf(id),
        () -> leader,
        device -> heard.add(id + " " + device),
        Runnable::run);
  }
}
