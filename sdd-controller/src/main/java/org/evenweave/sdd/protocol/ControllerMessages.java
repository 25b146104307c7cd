package org.evenweave.sdd.protocol;

import java.nio.charset.StandardCharsets;
import org.evenweave.sdd.protocol.wire.AddDequeueConditionEncoder;
import org.evenweave.sdd.protocol.wire.AddTriggerEncoder;
import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.CircuitConfigureEncoder;
import org.evenweave.sdd.protocol.wire.ClearDequeueConditionsEncoder;
import org.evenweave.sdd.protocol.wire.CreateQueueEncoder;
import org.evenweave.sdd.protocol.wire.EndSetupEncoder;
import org.evenweave.sdd.protocol.wire.GetQueuesForFlowsEncoder;
import org.evenweave.sdd.protocol.wire.LeadershipEncoder;
import org.evenweave.sdd.protocol.wire.MapFlowEncoder;
import org.evenweave.sdd.protocol.wire.MoveFlowsEncoder;
import org.evenweave.sdd.protocol.wire.QueryQueuesEncoder;
import org.evenweave.sdd.protocol.wire.RefusedEncoder;
import org.evenweave.sdd.protocol.wire.RemoveDequeueConditionEncoder;
import org.evenweave.sdd.protocol.wire.RemoveQueueEncoder;
import org.evenweave.sdd.protocol.wire.RemoveTriggerEncoder;
import org.evenweave.sdd.protocol.wire.SetPacketSlotsEncoder;
import org.evenweave.sdd.protocol.wire.SetScheduleEncoder;
import org.evenweave.sdd.protocol.wire.TriggerTarget;
import org.evenweave.sdd.protocol.wire.UnmapFlowEncoder;
import org.evenweave.sdd.protocol.wire.WelcomeEncoder;

/**
 * Encodes the controller's messages of a session. Values that a message cannot hold are refused
 * with an {@link IllegalArgumentException} that names the field.
 */
public final class ControllerMessages {
  private static final int KEY_BYTES = 32;

  private ControllerMessages() {}

  /**
   * Accepts a client.
   *
   * @param number the host's number, 0 or more
   * @param key 32 bytes for this session's datagrams
   */
  public static Frame welcome(long sessionId, byte[] key, int number, SessionTerms terms) {
    Ranges.between(key.length, KEY_BYTES, KEY_BYTES, "key");
    Frame frame = new Frame();
    WelcomeEncoder message =
        new WelcomeEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message
        .sessionId(sessionId)
        .putDatagramKey(key, 0, KEY_BYTES)
        .clock(terms.clock())
        .number(number)
        .epochNs(terms.epochNs())
        .periodNs(terms.periodNs())
        .guardNs(terms.guardNs())
        .lostAfterPeriods(terms.lostAfterPeriods())
        .safePolicy(terms.safePolicy())
        .safeRateBps(terms.safeRateBps())
        .packetDelayNs(terms.packetDelayNs())
        .takeOverAfterPeriods(terms.takeOverAfterPeriods());
    return frame.of(message.encodedLength());
  }

  /**
   * Says whether this controller leads.
   *
   * @param generation rises with each one that leads; 0: it stands by
   */
  public static Frame leadership(long generation) {
    Frame frame = new Frame();
    LeadershipEncoder message =
        new LeadershipEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.generation(Ranges.between(generation, 0, Long.MAX_VALUE, "generation"));
    return frame.of(message.encodedLength());
  }

  /** Turns a client away; the text may be cut. */
  public static Frame refused(String why) {
    Frame frame = new Frame();
    RefusedEncoder message =
        new RefusedEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    byte[] text = why.getBytes(StandardCharsets.UTF_8);
    message.putText(text, 0, Math.min(text.length, Limits.MAX_TEXT_BYTES));
    return frame.of(message.encodedLength());
  }

  public static Frame createQueue(long requestId, int queue, QueueConfig config) {
    Frame frame = new Frame();
    CreateQueueEncoder message =
        new CreateQueueEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message
        .requestId(requestId)
        .queue(Ranges.queue(queue))
        .priority((short) config.priority())
        .closedByDefault(config.isClosedByDefault() ? BooleanType.YES : BooleanType.NO)
        .discipline(config.discipline())
        .network(config.network())
        .drainRateBps(config.drainRateBps())
        .maxPackets(0)
        .maxBytes(config.maxBytes());
    return frame.of(message.encodedLength());
  }

  public static Frame removeQueue(long requestId, int queue) {
    Frame frame = new Frame();
    RemoveQueueEncoder message =
        new RemoveQueueEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).queue(Ranges.queue(queue));
    return frame.of(message.encodedLength());
  }

  /**
   * @param flowPriority 0 to 7: decides among a queue's flows under strict priority
   */
  public static Frame mapFlow(long requestId, int queue, FlowMatch match, int flowPriority) {
    Ranges.between(flowPriority, 0, Limits.MAX_FLOW_PRIORITY, "flowPriority");
    Frame frame = new Frame();
    MapFlowEncoder message =
        new MapFlowEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).queue(Ranges.queue(queue)).flowPriority((short) flowPriority);
    match.encode(message.match());
    return frame.of(message.encodedLength());
  }

  public static Frame unmapFlow(long requestId, FlowMatch match) {
    Frame frame = new Frame();
    UnmapFlowEncoder message =
        new UnmapFlowEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    match.encode(message.requestId(requestId).match());
    return frame.of(message.encodedLength());
  }

  public static Frame moveFlows(long requestId, int fromQueue, int toQueue, FlowMatch match) {
    Frame frame = new Frame();
    MoveFlowsEncoder message =
        new MoveFlowsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).fromQueue(Ranges.queue(fromQueue)).toQueue(Ranges.queue(toQueue));
    match.encode(message.match());
    return frame.of(message.encodedLength());
  }

  public static Frame getQueuesForFlows(long requestId, FlowMatch match) {
    Frame frame = new Frame();
    GetQueuesForFlowsEncoder message =
        new GetQueuesForFlowsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    match.encode(message.requestId(requestId).match());
    return frame.of(message.encodedLength());
  }

  /**
   * @param condition text of the grammar; the host parses it
   */
  public static Frame addDequeueCondition(long requestId, int queue, String condition) {
    byte[] text = conditionText(condition);
    Frame frame = new Frame();
    AddDequeueConditionEncoder message =
        new AddDequeueConditionEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).queue(Ranges.queue(queue)).putCondition(text, 0, text.length);
    return frame.of(message.encodedLength());
  }

  public static Frame removeDequeueCondition(long requestId, int queue, String condition) {
    byte[] text = conditionText(condition);
    Frame frame = new Frame();
    RemoveDequeueConditionEncoder message =
        new RemoveDequeueConditionEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).queue(Ranges.queue(queue)).putCondition(text, 0, text.length);
    return frame.of(message.encodedLength());
  }

  public static Frame clearDequeueConditions(long requestId, int queue) {
    Frame frame = new Frame();
    ClearDequeueConditionsEncoder message =
        new ClearDequeueConditionsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).queue(Ranges.queue(queue));
    return frame.of(message.encodedLength());
  }

  /**
   * @param count 1 to {@link Limits#MAX_QUERIED_QUEUES}
   */
  public static Frame queryQueues(long requestId, int firstQueue, int count) {
    Ranges.between(count, 1, Limits.MAX_QUERIED_QUEUES, "count");
    Frame frame = new Frame();
    QueryQueuesEncoder message =
        new QueryQueuesEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).firstQueue(Ranges.queue(firstQueue)).count(count);
    return frame.of(message.encodedLength());
  }

  /**
   * @param cookie comes back when the trigger fires
   */
  public static Frame addTrigger(
      long requestId, int queue, TriggerTarget target, long cookie, String condition) {
    byte[] text = conditionText(condition);
    Frame frame = new Frame();
    AddTriggerEncoder message =
        new AddTriggerEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message
        .requestId(requestId)
        .queue(Ranges.queue(queue))
        .target(target)
        .cookie(cookie)
        .putCondition(text, 0, text.length);
    return frame.of(message.encodedLength());
  }

  public static Frame removeTrigger(long requestId, long trigger) {
    Ranges.between(trigger, 0, 0xFFFF_FFFEL, "trigger");
    Frame frame = new Frame();
    RemoveTriggerEncoder message =
        new RemoveTriggerEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).trigger(trigger);
    return frame.of(message.encodedLength());
  }

  public static Frame setSchedule(long requestId, long period, SlotBatch slots) {
    Frame frame = new Frame();
    SetScheduleEncoder message =
        new SetScheduleEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).period(period);
    SetScheduleEncoder.SlotsEncoder group = message.slotsCount(slots.count());
    for (int i = 0; i < slots.count(); i++) {
      group.next().queue(slots.queue(i)).startNs(slots.startNs(i)).endNs(slots.endNs(i));
    }
    return frame.of(message.encodedLength());
  }

  public static Frame setPacketSlots(long requestId, long period, PacketSlotBatch slots) {
    Frame frame = new Frame();
    SetPacketSlotsEncoder message =
        new SetPacketSlotsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).period(period);
    SetPacketSlotsEncoder.SlotsEncoder group = message.slotsCount(slots.count());
    for (int i = 0; i < slots.count(); i++) {
      group
          .next()
          .queue(slots.queue(i))
          .startNs(slots.startNs(i))
          .endNs(slots.endNs(i))
          .rateBps(slots.rateBps(i));
    }
    return frame.of(message.encodedLength());
  }

  public static Frame endSetup(long requestId) {
    Frame frame = new Frame();
    EndSetupEncoder message =
        new EndSetupEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId);
    return frame.of(message.encodedLength());
  }

  /**
   * @param atNs when the switch goes dark
   * @param outputOf the output port of each input port, or a negative number for none; the port's
   *     number is its index
   */
  public static Frame circuitConfigure(long requestId, long atNs, long nightNs, int[] outputOf) {
    Ranges.between(nightNs, 0, Long.MAX_VALUE, "nightNs");
    Ranges.between(outputOf.length, 1, Limits.MAX_PORTS, "outputOf");
    Frame frame = new Frame();
    CircuitConfigureEncoder message =
        new CircuitConfigureEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).atNs(atNs).nightNs(nightNs);
    int count = 0;
    for (int output : outputOf) {
      count += output >= 0 ? 1 : 0;
    }
    CircuitConfigureEncoder.CircuitsEncoder group = message.circuitsCount(count);
    for (int input = 0; input < outputOf.length; input++) {
      if (outputOf[input] >= 0) {
        group.next().inputPort(input).outputPort(outputOf[input]);
      }
    }
    return frame.of(message.encodedLength());
  }

  private static byte[] conditionText(String condition) {
    byte[] text = condition.getBytes(StandardCharsets.UTF_8);
    Ranges.between(text.length, 1, Limits.MAX_CONDITION_BYTES, "condition");
    return text;
  }
}
