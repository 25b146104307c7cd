package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.types.TableId;

/** Two instances, of which one leads and the other is a switch's master. */
class RemovedRulesTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final NodeId LEADER = NodeId.nodeId("one");
  private static final NodeId MASTER = NodeId.nodeId("two");
  private static final FlowRule RULE = FlowRule.prefixToController(Ipv4Prefix.parse("10.0.1.0/24"));

  private final FakeCluster cluster = new FakeCluster(MASTER);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private final List<String> heard = new ArrayList<>();
  private NodeId leader = LEADER;
  private final RemovedRules onLeader = instance(LEADER, new FakeOpenFlow.Connected());
  private final RemovedRules onMaster = instance(MASTER, switches);

  @Test
  void theLeaderHearsWhatAnotherMastersSwitchReports() {
    removed(OwnEntries.priority(RULE));
    assertEquals(List.of("one " + DEVICE + " " + RULE), heard);
  }

  @Test
  void rulesOfOtherApplicationsAreNotReported() {
    removed(7);
    assertEquals(List.of(), heard);
  }

  @Test
  void withoutALeaderOrOnceClosedNothingIsReported() {
    leader = null;
    removed(OwnEntries.priority(RULE));
    leader = LEADER;
    onMaster.close();
    removed(OwnEntries.priority(RULE));
    onLeader.close();
    assertEquals(List.of(), heard);
  }

  private void removed(int priority) {
    switches.say(
        DEVICE,
        OF.buildFlowRemoved()
            .setReason(OFFlowRemovedReason.DELETE)
            .setTableId(TableId.ZERO)
            .setPriority(priority)
            .setMatch(FlowEntries.match(RULE))
            .build());
  }

  private RemovedRules instance(NodeId id, FakeOpenFlow.Connected connected) {
    return new RemovedRules(
        new OpenFlowChannel(connected),
        cluster.messagesOf(id),
        () -> leader,
        (device, rule) -> heard.add(id + " " + device + " " + rule),
        Runnable::run);
  }
}
