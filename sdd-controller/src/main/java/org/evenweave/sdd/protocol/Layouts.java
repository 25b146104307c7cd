package org.evenweave.sdd.protocol;

import static org.evenweave.sdd.protocol.Limits.MAX_ADDRESSES;
import static org.evenweave.sdd.protocol.Limits.MAX_CONDITION_BYTES;
import static org.evenweave.sdd.protocol.Limits.MAX_NAME_BYTES;
import static org.evenweave.sdd.protocol.Limits.MAX_PORTS;
import static org.evenweave.sdd.protocol.Limits.MAX_QUERIED_QUEUES;
import static org.evenweave.sdd.protocol.Limits.MAX_QUEUES;
import static org.evenweave.sdd.protocol.Limits.MAX_SLOTS;
import static org.evenweave.sdd.protocol.Limits.MAX_TEXT_BYTES;

import org.agrona.collections.Int2ObjectHashMap;
import org.evenweave.sdd.protocol.Layout.Data;
import org.evenweave.sdd.protocol.Layout.Group;
import org.evenweave.sdd.protocol.wire.AddDequeueConditionDecoder;
import org.evenweave.sdd.protocol.wire.AddTriggerDecoder;
import org.evenweave.sdd.protocol.wire.CircuitConfigureDecoder;
import org.evenweave.sdd.protocol.wire.CircuitStatsDecoder;
import org.evenweave.sdd.protocol.wire.ClearDequeueConditionsDecoder;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;
import org.evenweave.sdd.protocol.wire.CreateQueueDecoder;
import org.evenweave.sdd.protocol.wire.DemandReportDecoder;
import org.evenweave.sdd.protocol.wire.EdgeKeysDecoder;
import org.evenweave.sdd.protocol.wire.EdgeOrderDecoder;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;
import org.evenweave.sdd.protocol.wire.EdgeWeightsDecoder;
import org.evenweave.sdd.protocol.wire.EndSetupDecoder;
import org.evenweave.sdd.protocol.wire.FollowingDecoder;
import org.evenweave.sdd.protocol.wire.GetQueuesForFlowsDecoder;
import org.evenweave.sdd.protocol.wire.HelloDecoder;
import org.evenweave.sdd.protocol.wire.LeadershipDecoder;
import org.evenweave.sdd.protocol.wire.MapFlowDecoder;
import org.evenweave.sdd.protocol.wire.MissedDecoder;
import org.evenweave.sdd.protocol.wire.MoveFlowsDecoder;
import org.evenweave.sdd.protocol.wire.PolicyChangedDecoder;
import org.evenweave.sdd.protocol.wire.QueryQueuesDecoder;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.sdd.protocol.wire.RemoveDequeueConditionDecoder;
import org.evenweave.sdd.protocol.wire.RemoveQueueDecoder;
import org.evenweave.sdd.protocol.wire.RemoveTriggerDecoder;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.SetPacketSlotsDecoder;
import org.evenweave.sdd.protocol.wire.SetScheduleDecoder;
import org.evenweave.sdd.protocol.wire.StartStopDecoder;
import org.evenweave.sdd.protocol.wire.TopologyChangedDecoder;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;
import org.evenweave.sdd.protocol.wire.UnmapFlowDecoder;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;

/** The shapes of all messages of the schema. */
final class Layouts {
  private static final Data CONDITION = new Data("condition", MAX_CONDITION_BYTES);
  private static final Data TEXT = new Data("text", MAX_TEXT_BYTES);
  private static final Int2ObjectHashMap<Layout> BY_TEMPLATE = new Int2ObjectHashMap<>();

  static {
    add(
        HelloDecoder.TEMPLATE_ID,
        "hello",
        HelloDecoder.BLOCK_LENGTH,
        Layout.groups(
            new Group(
                "addresses",
                HelloDecoder.AddressesDecoder.sbeBlockLength(),
                MAX_ADDRESSES,
                new Data("interfaceName", MAX_NAME_BYTES)),
            new Group(
                "ports",
                HelloDecoder.PortsDecoder.sbeBlockLength(),
                MAX_PORTS,
                new Data("hostName", MAX_NAME_BYTES))),
        new Data("name", MAX_NAME_BYTES));
    add(
        DemandReportDecoder.TEMPLATE_ID,
        "demandReport",
        DemandReportDecoder.BLOCK_LENGTH,
        Layout.groups(
            new Group("queues", DemandReportDecoder.QueuesDecoder.sbeBlockLength(), MAX_QUEUES)
                .grownIn(
                    DemandReportDecoder.QueuesDecoder.packetSwitchBytesSinceVersion(),
                    DemandReportDecoder.QueuesDecoder.packetSwitchBytesEncodingOffset())));
    add(ClockStatusDecoder.TEMPLATE_ID, "clockStatus", ClockStatusDecoder.BLOCK_LENGTH);
    add(
        QueueStatsDecoder.TEMPLATE_ID,
        "queueStats",
        QueueStatsDecoder.BLOCK_LENGTH,
        Layout.groups(
            new Group(
                    "queues", QueueStatsDecoder.QueuesDecoder.sbeBlockLength(), MAX_QUERIED_QUEUES)
                .grownIn(
                    QueueStatsDecoder.QueuesDecoder.packetSwitchPacketsSinceVersion(),
                    QueueStatsDecoder.QueuesDecoder.packetSwitchPacketsEncodingOffset())));
    add(TriggerFiredDecoder.TEMPLATE_ID, "triggerFired", TriggerFiredDecoder.BLOCK_LENGTH);
    add(
        MissedDecoder.TEMPLATE_ID,
        "missed",
        MissedDecoder.BLOCK_LENGTH,
        group("queues", MissedDecoder.QueuesDecoder.sbeBlockLength(), MAX_QUEUES));
    add(PolicyChangedDecoder.TEMPLATE_ID, "policyChanged", PolicyChangedDecoder.BLOCK_LENGTH);
    add(
        ReplyDecoder.TEMPLATE_ID,
        "reply",
        ReplyDecoder.BLOCK_LENGTH,
        group("queues", ReplyDecoder.QueuesDecoder.sbeBlockLength(), MAX_QUEUES),
        TEXT);
    add(
        CircuitStatsDecoder.TEMPLATE_ID,
        "circuitStats",
        CircuitStatsDecoder.BLOCK_LENGTH,
        group("ports", CircuitStatsDecoder.PortsDecoder.sbeBlockLength(), MAX_PORTS));
    add(
        EdgeReportDecoder.TEMPLATE_ID,
        "edgeReport",
        EdgeReportDecoder.BLOCK_LENGTH,
        Layout.groups(),
        new Data("document", Limits.MAX_DOCUMENT_BYTES));
    add(FollowingDecoder.TEMPLATE_ID, "following", FollowingDecoder.BLOCK_LENGTH);
    add(LeadershipDecoder.TEMPLATE_ID, "leadership", LeadershipDecoder.BLOCK_LENGTH);
    add(WelcomeDecoder.TEMPLATE_ID, "welcome", WelcomeDecoder.BLOCK_LENGTH);
    add(RefusedDecoder.TEMPLATE_ID, "refused", RefusedDecoder.BLOCK_LENGTH, Layout.groups(), TEXT);
    add(CreateQueueDecoder.TEMPLATE_ID, "createQueue", CreateQueueDecoder.BLOCK_LENGTH);
    add(RemoveQueueDecoder.TEMPLATE_ID, "removeQueue", RemoveQueueDecoder.BLOCK_LENGTH);
    add(MapFlowDecoder.TEMPLATE_ID, "mapFlow", MapFlowDecoder.BLOCK_LENGTH);
    add(UnmapFlowDecoder.TEMPLATE_ID, "unmapFlow", UnmapFlowDecoder.BLOCK_LENGTH);
    add(MoveFlowsDecoder.TEMPLATE_ID, "moveFlows", MoveFlowsDecoder.BLOCK_LENGTH);
    add(
        GetQueuesForFlowsDecoder.TEMPLATE_ID,
        "getQueuesForFlows",
        GetQueuesForFlowsDecoder.BLOCK_LENGTH);
    add(
        AddDequeueConditionDecoder.TEMPLATE_ID,
        "addDequeueCondition",
        AddDequeueConditionDecoder.BLOCK_LENGTH,
        Layout.groups(),
        CONDITION);
    add(
        RemoveDequeueConditionDecoder.TEMPLATE_ID,
        "removeDequeueCondition",
        RemoveDequeueConditionDecoder.BLOCK_LENGTH,
        Layout.groups(),
        CONDITION);
    add(
        ClearDequeueConditionsDecoder.TEMPLATE_ID,
        "clearDequeueConditions",
        ClearDequeueConditionsDecoder.BLOCK_LENGTH);
    add(QueryQueuesDecoder.TEMPLATE_ID, "queryQueues", QueryQueuesDecoder.BLOCK_LENGTH);
    add(
        AddTriggerDecoder.TEMPLATE_ID,
        "addTrigger",
        AddTriggerDecoder.BLOCK_LENGTH,
        Layout.groups(),
        CONDITION);
    add(RemoveTriggerDecoder.TEMPLATE_ID, "removeTrigger", RemoveTriggerDecoder.BLOCK_LENGTH);
    add(
        SetScheduleDecoder.TEMPLATE_ID,
        "setSchedule",
        SetScheduleDecoder.BLOCK_LENGTH,
        group("slots", SetScheduleDecoder.SlotsDecoder.sbeBlockLength(), MAX_SLOTS));
    add(
        SetPacketSlotsDecoder.TEMPLATE_ID,
        "setPacketSlots",
        SetPacketSlotsDecoder.BLOCK_LENGTH,
        group(
            "slots", SetPacketSlotsDecoder.SlotsDecoder.sbeBlockLength(), Limits.MAX_PACKET_SLOTS));
    add(EndSetupDecoder.TEMPLATE_ID, "endSetup", EndSetupDecoder.BLOCK_LENGTH);
    add(
        CircuitConfigureDecoder.TEMPLATE_ID,
        "circuitConfigure",
        CircuitConfigureDecoder.BLOCK_LENGTH,
        group("circuits", CircuitConfigureDecoder.CircuitsDecoder.sbeBlockLength(), MAX_PORTS));
    add(
        EdgeOrderDecoder.TEMPLATE_ID,
        "edgeOrder",
        EdgeOrderDecoder.BLOCK_LENGTH,
        group(
            "prefixes",
            EdgeOrderDecoder.PrefixesDecoder.sbeBlockLength(),
            Limits.MAX_ORDERED_PREFIXES));
    add(TopologyChangedDecoder.TEMPLATE_ID, "topologyChanged", TopologyChangedDecoder.BLOCK_LENGTH);
    add(
        EdgeWeightsDecoder.TEMPLATE_ID,
        "edgeWeights",
        EdgeWeightsDecoder.BLOCK_LENGTH,
        group("hops", EdgeWeightsDecoder.HopsDecoder.sbeBlockLength(), EdgeWeights.MAX_HOPS));
    add(
        EdgeKeysDecoder.TEMPLATE_ID,
        "edgeKeys",
        EdgeKeysDecoder.BLOCK_LENGTH,
        group("peers", EdgeKeysDecoder.PeersDecoder.sbeBlockLength(), EdgeKeys.MAX_PEERS));
    add(
        StartStopDecoder.TEMPLATE_ID,
        "startStop",
        StartStopDecoder.BLOCK_LENGTH,
        group("commands", StartStopDecoder.CommandsDecoder.sbeBlockLength(), MAX_QUEUES));
  }

  private Layouts() {}

  private static Group[] group(String name, int entryBytes, int maxEntries) {
    return Layout.groups(new Group(name, entryBytes, maxEntries));
  }

  private static void add(int template, String name, int blockBytes) {
    add(template, name, blockBytes, Layout.groups());
  }

  private static void add(int template, String name, int blockBytes, Group[] groups, Data... data) {
    BY_TEMPLATE.put(template, new Layout(name, blockBytes, groups, data));
  }

  /** The shape of a message, or null if the schema has no such template. */
  static Layout of(int template) {
    return BY_TEMPLATE.get(template);
  }
}
