package org.evenweave.sdd.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.ControlPacket;
import org.evenweave.sdd.protocol.ControllerMessages;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.wire.AddDequeueConditionDecoder;
import org.evenweave.sdd.protocol.wire.AddTriggerDecoder;
import org.evenweave.sdd.protocol.wire.CreateQueueDecoder;
import org.evenweave.sdd.protocol.wire.EndSetupDecoder;
import org.evenweave.sdd.protocol.wire.FlowMatchDecoder;
import org.evenweave.sdd.protocol.wire.MapFlowDecoder;
import org.evenweave.sdd.protocol.wire.MessageHeaderDecoder;
import org.evenweave.sdd.protocol.wire.RemoveDequeueConditionDecoder;
import org.evenweave.sdd.protocol.wire.RemoveQueueDecoder;
import org.evenweave.sdd.protocol.wire.RemoveTriggerDecoder;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;
import org.evenweave.sdd.protocol.wire.TriggerTarget;
import org.evenweave.sdd.protocol.wire.UnmapFlowDecoder;

/**
 * A host in virtual time: queues, their conditions and triggers, and mappings, as sdd-host has
 * them, as plainly as can be. The test decides when it answers a request or sends an event.
 * Conditions of triggers are comparisons of {@code bytes} with a number.
 */
public final class VirtualHost {
  private static final Pattern COMPARISON =
      Pattern.compile("(?:Q\\[(\\d+)\\]\\.)?bytes ([<>]) (\\d+)");

  private final int number;
  private final int maxEvents;
  private final int maxTriggers;

  /** Of each queue there is, its conditions. */
  public final Map<Integer, List<String>> conditions = new TreeMap<>();

  /** The queue of each flow that is mapped; see {@link #text}. */
  public final Map<String, Integer> mappings = new TreeMap<>();

  private final Set<Integer> queuesSetUp = new TreeSet<>();
  private final Set<String> flowsSetUp = new TreeSet<>();
  private final Map<Integer, Long> bytes = new TreeMap<>();
  private final Map<Long, Trigger> triggers = new TreeMap<>();
  private final Deque<long[]> events = new ArrayDeque<>();

  /** What its applications were told: cookies. */
  public final List<Long> applicationsTold = new ArrayList<>();

  private long lost;
  private int refusals;
  private long nextTrigger;
  private EmbeddedChannel channel;
  private HostSession session;

  private static final class Trigger {
    private int queue;
    private long cookie;
    private TriggerTarget target;
    private String condition;
    private boolean wasTrue;
  }

  /**
   * @param maxEvents how many wait at most; more are lost
   * @param maxTriggers how many there is room for
   */
  public VirtualHost(int number, int maxEvents, int maxTriggers) {
    this.number = number;
    this.maxEvents = maxEvents;
    this.maxTriggers = maxTriggers;
  }

  /** A new session: without the conditions and triggers of the one before; its events stay. */
  public HostSession connect() {
    return connect(MessageHeaderDecoder.SCHEMA_VERSION, List.of());
  }

  /** The same of a host that knows this version of the schema and has these addresses. */
  public HostSession connect(int schemaVersion, List<IpPrefix> addresses) {
    channel = new EmbeddedChannel();
    // However long the test takes, no answer comes too late.
    channel.freezeTime();
    ControlPacket packet = new ControlPacket(1, new byte[32]);
    session =
        new HostSession(
            channel,
            "h" + number,
            new ClientLog(),
            number,
            1_000,
            64,
            schemaVersion,
            addresses,
            packet,
            null);
    queuesSetUp.clear();
    flowsSetUp.clear();
    triggers.clear();
    conditions.values().forEach(List::clear);
    return session;
  }

  /** Ends the session, if there is one; whatever it has not answered is gone. */
  public void disconnect() {
    if (session != null) {
      channel.close();
      channel.releaseOutbound();
      session.ended();
      session = null;
    }
  }

  /** Null if it is not connected. */
  public HostSession session() {
    return session;
  }

  /** How many requests it could not carry out. */
  public int refusals() {
    return refusals;
  }

  public int triggers() {
    return triggers.size();
  }

  public long bytes(int queue) {
    return bytes.getOrDefault(queue, 0L);
  }

  /** What waits in a queue from now on. */
  public void bytes(int queue, long waiting) {
    bytes.put(queue, waiting);
    triggers.values().forEach(this::settle);
  }

  /** Whether a queue may ever transmit by its conditions. */
  public boolean isOpen(int queue) {
    List<String> all = conditions.get(queue);
    return all.isEmpty() || all.stream().anyMatch(condition -> !condition.equals("FALSE"));
  }

  /** The oldest event that it has not told; null if there is none. */
  public TriggerEvent tellEvent() {
    long[] event = session == null ? null : events.poll();
    if (event == null) {
      return null;
    }
    Frame frame = ClientFrames.triggerFired(0, 0, event[0], 7, event[1], lost);
    return new TriggerEvent(
        new TriggerFiredDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(frame.bytes()), 0, new MessageHeaderDecoder()));
  }

  /** Carries out and answers the oldest request; false if there is none. */
  public boolean answer() {
    if (session == null) {
      return false;
    }
    channel.runPendingTasks();
    ByteBuf request = channel.readOutbound();
    if (request == null) {
      return false;
    }
    byte[] message = new byte[request.readIntLE()];
    request.readBytes(message);
    request.release();
    Frame reply = carryOut(new UnsafeBuffer(message));
    session.answered(
        new ReplyDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(reply.bytes()), 0, new MessageHeaderDecoder()));
    return true;
  }

  private Frame carryOut(UnsafeBuffer at) {
    MessageHeaderDecoder header = new MessageHeaderDecoder();
    switch (header.wrap(at, 0).templateId()) {
      case CreateQueueDecoder.TEMPLATE_ID:
        CreateQueueDecoder create = new CreateQueueDecoder().wrapAndApplyHeader(at, 0, header);
        conditions.putIfAbsent((int) create.queue(), new ArrayList<>());
        queuesSetUp.add((int) create.queue());
        return ok(create.requestId(), 0);
      case RemoveQueueDecoder.TEMPLATE_ID:
        RemoveQueueDecoder remove = new RemoveQueueDecoder().wrapAndApplyHeader(at, 0, header);
        conditions.remove((int) remove.queue());
        triggers.values().removeIf(trigger -> trigger.queue == remove.queue());
        return ok(remove.requestId(), 0);
      case MapFlowDecoder.TEMPLATE_ID:
        return map(new MapFlowDecoder().wrapAndApplyHeader(at, 0, header));
      case UnmapFlowDecoder.TEMPLATE_ID:
        UnmapFlowDecoder unmap = new UnmapFlowDecoder().wrapAndApplyHeader(at, 0, header);
        boolean mapped = mappings.remove(text(unmap.match())) != null;
        return mapped ? ok(unmap.requestId(), 0) : refuse(unmap.requestId(), Status.NOT_FOUND);
      case EndSetupDecoder.TEMPLATE_ID:
        mappings.keySet().retainAll(flowsSetUp);
        conditions.keySet().retainAll(queuesSetUp);
        return ok(new EndSetupDecoder().wrapAndApplyHeader(at, 0, header).requestId(), 0);
      case AddDequeueConditionDecoder.TEMPLATE_ID:
        AddDequeueConditionDecoder add =
            new AddDequeueConditionDecoder().wrapAndApplyHeader(at, 0, header);
        conditions.get((int) add.queue()).add(add.condition());
        return ok(add.requestId(), 0);
      case RemoveDequeueConditionDecoder.TEMPLATE_ID:
        RemoveDequeueConditionDecoder drop =
            new RemoveDequeueConditionDecoder().wrapAndApplyHeader(at, 0, header);
        boolean was = conditions.get((int) drop.queue()).remove(drop.condition());
        return was ? ok(drop.requestId(), 0) : refuse(drop.requestId(), Status.NOT_FOUND);
      case AddTriggerDecoder.TEMPLATE_ID:
        return add(new AddTriggerDecoder().wrapAndApplyHeader(at, 0, header));
      case RemoveTriggerDecoder.TEMPLATE_ID:
        RemoveTriggerDecoder gone = new RemoveTriggerDecoder().wrapAndApplyHeader(at, 0, header);
        boolean known = triggers.remove(gone.trigger()) != null;
        return known ? ok(gone.requestId(), 0) : refuse(gone.requestId(), Status.NOT_FOUND);
      default:
        throw new AssertionError("request " + header.templateId());
    }
  }

  private Frame map(MapFlowDecoder message) {
    if (!conditions.containsKey((int) message.queue())) {
      return refuse(message.requestId(), Status.QUEUE);
    }
    mappings.put(text(message.match()), (int) message.queue());
    flowsSetUp.add(text(message.match()));
    return ok(message.requestId(), 0);
  }

  /** Different flows have different texts. */
  public static String text(FlowMatch flow) {
    UnsafeBuffer message = new UnsafeBuffer(ControllerMessages.unmapFlow(0, flow).bytes());
    return text(
        new UnmapFlowDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder()).match());
  }

  private static String text(FlowMatchDecoder flow) {
    byte[] bytes = new byte[flow.encodedLength()];
    flow.buffer().getBytes(flow.offset(), bytes);
    return Arrays.toString(bytes);
  }

  private Frame add(AddTriggerDecoder message) {
    if (triggers.size() == maxTriggers) {
      return refuse(message.requestId(), Status.FULL);
    }
    if (!conditions.containsKey((int) message.queue())) {
      return refuse(message.requestId(), Status.QUEUE);
    }
    Trigger trigger = new Trigger();
    trigger.queue = (int) message.queue();
    trigger.cookie = message.cookie();
    trigger.target = message.target();
    trigger.condition = message.condition();
    triggers.put(nextTrigger, trigger);
    settle(trigger);
    return ok(message.requestId(), nextTrigger++);
  }

  private void settle(Trigger trigger) {
    boolean isTrue = isTrue(trigger.queue, trigger.condition);
    if (isTrue && !trigger.wasTrue) {
      if (trigger.target == TriggerTarget.APPLICATION) {
        applicationsTold.add(trigger.cookie);
      } else if (events.size() == maxEvents) {
        lost++;
      } else {
        events.add(new long[] {trigger.cookie, bytes(trigger.queue)});
      }
    }
    trigger.wasTrue = isTrue;
  }

  private boolean isTrue(int own, String condition) {
    Matcher matcher = COMPARISON.matcher(condition);
    if (!matcher.matches()) {
      throw new AssertionError(condition);
    }
    long read = bytes(matcher.group(1) == null ? own : Integer.parseInt(matcher.group(1)));
    long bound = Long.parseLong(matcher.group(3));
    return matcher.group(2).equals("<") ? read < bound : read > bound;
  }

  private static Frame ok(long requestId, long value) {
    return ClientFrames.reply(requestId, Status.OK, 0, value, "");
  }

  private Frame refuse(long requestId, Status status) {
    refusals++;
    return ClientFrames.reply(requestId, status, 0, 0, "not here");
  }
}
