package org.evenweave.sdd.protocol;

import static org.evenweave.sdd.protocol.Limits.MAX_QUEUES;
import static org.evenweave.sdd.protocol.Limits.MAX_RATE_BPS;

import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.CircuitStatsDecoder;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;
import org.evenweave.sdd.protocol.wire.DemandReportDecoder;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;
import org.evenweave.sdd.protocol.wire.FollowingDecoder;
import org.evenweave.sdd.protocol.wire.HelloDecoder;
import org.evenweave.sdd.protocol.wire.MissedDecoder;
import org.evenweave.sdd.protocol.wire.Network;
import org.evenweave.sdd.protocol.wire.PolicyChangedDecoder;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.Role;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;

/**
 * Reads a client's messages: a message is checked completely before any of it is passed on. One per
 * session; not thread-safe.
 */
public final class ClientMessageReader {
  private static final int LONGEST_PREFIX = 128;

  private final MessageReader frame = new MessageReader();
  private final HelloDecoder hello = new HelloDecoder();
  private final DemandReportDecoder demandReport = new DemandReportDecoder();
  private final ClockStatusDecoder clockStatus = new ClockStatusDecoder();
  private final QueueStatsDecoder queueStats = new QueueStatsDecoder();
  private final TriggerFiredDecoder triggerFired = new TriggerFiredDecoder();
  private final MissedDecoder missed = new MissedDecoder();
  private final PolicyChangedDecoder policyChanged = new PolicyChangedDecoder();
  private final ReplyDecoder reply = new ReplyDecoder();
  private final CircuitStatsDecoder circuitStats = new CircuitStatsDecoder();
  private final EdgeReportDecoder edgeReport = new EdgeReportDecoder();
  private final FollowingDecoder following = new FollowingDecoder();

  /**
   * Reads one frame.
   *
   * @param offset where the message's header starts
   * @param length the frame's bytes
   * @throws ProtocolException if the message is not allowed; nothing was passed on then
   */
  public void read(DirectBuffer buffer, int offset, int length, ClientMessages to)
      throws ProtocolException {
    int template = frame.open(buffer, offset, length);
    int body = frame.bodyOffset();
    int block = frame.blockLength();
    int version = frame.version();
    switch (template) {
      case HelloDecoder.TEMPLATE_ID:
        check(hello.wrap(buffer, body, block, version));
        to.hello(hello.sbeRewind());
        break;
      case DemandReportDecoder.TEMPLATE_ID:
        check(demandReport.wrap(buffer, body, block, version));
        to.demandReport(demandReport.sbeRewind());
        break;
      case ClockStatusDecoder.TEMPLATE_ID:
        check(clockStatus.wrap(buffer, body, block, version));
        to.clockStatus(clockStatus);
        break;
      case QueueStatsDecoder.TEMPLATE_ID:
        check(queueStats.wrap(buffer, body, block, version));
        to.queueStats(queueStats.sbeRewind());
        break;
      case TriggerFiredDecoder.TEMPLATE_ID:
        check(triggerFired.wrap(buffer, body, block, version));
        to.triggerFired(triggerFired);
        break;
      case MissedDecoder.TEMPLATE_ID:
        check(missed.wrap(buffer, body, block, version));
        to.missed(missed.sbeRewind());
        break;
      case PolicyChangedDecoder.TEMPLATE_ID:
        check(policyChanged.wrap(buffer, body, block, version));
        to.policyChanged(policyChanged);
        break;
      case ReplyDecoder.TEMPLATE_ID:
        check(reply.wrap(buffer, body, block, version));
        to.reply(reply.sbeRewind());
        break;
      case CircuitStatsDecoder.TEMPLATE_ID:
        check(circuitStats.wrap(buffer, body, block, version));
        to.circuitStats(circuitStats.sbeRewind());
        break;
      case EdgeReportDecoder.TEMPLATE_ID:
        check(edgeReport.wrap(buffer, body, block, version));
        to.edgeReport(edgeReport.sbeRewind());
        break;
      case FollowingDecoder.TEMPLATE_ID:
        check(following.wrap(buffer, body, block, version));
        to.following(following);
        break;
      case MessageReader.UNKNOWN:
        break;
      default:
        throw new ProtocolException(Layouts.of(template).name(), "is not a client's to send");
    }
  }

  /** The sender's version of the schema, of the message that is passed on. */
  public int version() {
    return frame.version();
  }

  private static void check(HelloDecoder message) throws ProtocolException {
    known(message.role() != Role.SBE_UNKNOWN && message.role() != Role.NULL_VAL, "hello.role");
    between(message.linkBps(), 1, MAX_RATE_BPS, "hello.linkBps");
    boolean host = message.role() == Role.HOST;
    if (host) {
      between(message.datagramPort(), 1, 65_535, "hello.datagramPort");
      between(message.maxQueues(), 1, MAX_QUEUES, "hello.maxQueues");
    }
    int index = 0;
    HelloDecoder.AddressesDecoder addresses = message.addresses();
    between(addresses.count(), host ? 1 : 0, Limits.MAX_ADDRESSES, "hello.addresses");
    for (HelloDecoder.AddressesDecoder address : addresses) {
      if (address.prefixBits() > LONGEST_PREFIX) {
        throw new ProtocolException(
            "hello.addresses[" + index + "].prefixBits", address.prefixBits() + " is above 128");
      }
      address.skipInterfaceName();
      index++;
    }
    check(message.ports(), message.role() == Role.CIRCUIT_SWITCH);
    name(message.name(), "hello.name");
  }

  private static void check(HelloDecoder.PortsDecoder ports, boolean circuitSwitch)
      throws ProtocolException {
    between(
        ports.count(), circuitSwitch ? 1 : 0, circuitSwitch ? Limits.MAX_PORTS : 0, "hello.ports");
    Set<Integer> numbers = new HashSet<>();
    Set<String> hosts = new HashSet<>();
    int index = 0;
    for (HelloDecoder.PortsDecoder port : ports) {
      String path = "hello.ports[" + index++ + "]";
      String hostName = port.hostName();
      name(hostName, path + ".hostName");
      if (!numbers.add(port.port()) || !hosts.add(hostName)) {
        throw new ProtocolException(path, "repeats a port or a host");
      }
    }
  }

  private static void check(DemandReportDecoder message) throws ProtocolException {
    notNegative(message.period(), "demandReport.period");
    notNegative(message.highestSequence(), "demandReport.highestSequence");
    notNegative(message.datagramsLost(), "demandReport.datagramsLost");
    notNegative(message.datagramsRefused(), "demandReport.datagramsRefused");
    for (DemandReportDecoder.QueuesDecoder queue : message.queues()) {
      queue(queue.queue(), "demandReport.queues.queue");
      notNegative(queue.queuedBytes(), "demandReport.queues.queuedBytes");
      notNegative(queue.receivedBytes(), "demandReport.queues.receivedBytes");
      notNegative(queue.sentBytes(), "demandReport.queues.sentBytes");
      if (message.actingVersion()
          >= DemandReportDecoder.QueuesDecoder.packetSwitchBytesSinceVersion()) {
        notNegative(queue.packetSwitchBytes(), "demandReport.queues.packetSwitchBytes");
      }
    }
  }

  private static void check(ClockStatusDecoder message) throws ProtocolException {
    notNegative(message.errorBoundNs(), "clockStatus.errorBoundNs");
    known(isBoolean(message.synchronised()), "clockStatus.synchronised");
  }

  private static void check(QueueStatsDecoder message) throws ProtocolException {
    for (QueueStatsDecoder.QueuesDecoder queue : message.queues()) {
      queue(queue.queue(), "queueStats.queues.queue");
      between(queue.priority(), 0, Limits.MAX_PRIORITY, "queueStats.queues.priority");
      known(
          queue.network() != Network.SBE_UNKNOWN && queue.network() != Network.NULL_VAL,
          "queueStats.queues.network");
      between(queue.drainRateBps(), 0, MAX_RATE_BPS, "queueStats.queues.drainRateBps");
      notNegative(queue.queuedPackets(), "queueStats.queues.queuedPackets");
      notNegative(queue.queuedBytes(), "queueStats.queues.queuedBytes");
      notNegative(queue.sentPackets(), "queueStats.queues.sentPackets");
      notNegative(queue.sentBytes(), "queueStats.queues.sentBytes");
      notNegative(queue.receivedPackets(), "queueStats.queues.receivedPackets");
      notNegative(queue.receivedBytes(), "queueStats.queues.receivedBytes");
      notNegative(queue.droppedPackets(), "queueStats.queues.droppedPackets");
      if (message.actingVersion()
          >= QueueStatsDecoder.QueuesDecoder.packetSwitchBytesSinceVersion()) {
        notNegative(queue.packetSwitchPackets(), "queueStats.queues.packetSwitchPackets");
        notNegative(queue.packetSwitchBytes(), "queueStats.queues.packetSwitchBytes");
      }
    }
  }

  private static void check(TriggerFiredDecoder message) throws ProtocolException {
    queue(message.queue(), "triggerFired.queue");
    notNegative(message.queuedPackets(), "triggerFired.queuedPackets");
    notNegative(message.queuedBytes(), "triggerFired.queuedBytes");
    notNegative(message.eventsLost(), "triggerFired.eventsLost");
  }

  private static void check(MissedDecoder message) throws ProtocolException {
    notNegative(message.period(), "missed.period");
    for (MissedDecoder.QueuesDecoder queue : message.queues()) {
      queue(queue.queue(), "missed.queues.queue");
      notNegative(queue.packetsOutOfSlot(), "missed.queues.packetsOutOfSlot");
      notNegative(queue.lateStarts(), "missed.queues.lateStarts");
      notNegative(queue.latestStartNs(), "missed.queues.latestStartNs");
    }
  }

  private static void check(PolicyChangedDecoder message) throws ProtocolException {
    known(isBoolean(message.safe()), "policyChanged.safe");
    known(
        message.reason() != Reason.SBE_UNKNOWN && message.reason() != Reason.NULL_VAL,
        "policyChanged.reason");
  }

  private static void check(ReplyDecoder message) throws ProtocolException {
    known(
        message.status() != Status.SBE_UNKNOWN && message.status() != Status.NULL_VAL,
        "reply.status");
    notNegative(message.value(), "reply.value");
    for (ReplyDecoder.QueuesDecoder queue : message.queues()) {
      queue(queue.queue(), "reply.queues.queue");
    }
  }

  private static void check(CircuitStatsDecoder message) throws ProtocolException {
    notNegative(message.configurations(), "circuitStats.configurations");
    notNegative(message.lateConfigurations(), "circuitStats.lateConfigurations");
    notNegative(message.latestConfigurationNs(), "circuitStats.latestConfigurationNs");
    for (CircuitStatsDecoder.PortsDecoder port : message.ports()) {
      notNegative(port.circuitPackets(), "circuitStats.ports.circuitPackets");
      notNegative(port.circuitBytes(), "circuitStats.ports.circuitBytes");
      notNegative(port.packetPackets(), "circuitStats.ports.packetPackets");
      notNegative(port.packetBytes(), "circuitStats.ports.packetBytes");
      notNegative(port.droppedInNight(), "circuitStats.ports.droppedInNight");
      notNegative(port.droppedOutOfSlot(), "circuitStats.ports.droppedOutOfSlot");
      notNegative(port.droppedOther(), "circuitStats.ports.droppedOther");
    }
  }

  private static void check(EdgeReportDecoder message) throws ProtocolException {
    between(message.peers(), 1, Limits.MAX_PEERS, "edgeReport.peers");
    between(message.peer(), 0, message.peers() - 1, "edgeReport.peer");
  }

  private static void check(FollowingDecoder message) throws ProtocolException {
    notNegative(message.generation(), "following.generation");
    known(isBoolean(message.hears()), "following.hears");
  }

  private static boolean isBoolean(BooleanType value) {
    return value == BooleanType.NO || value == BooleanType.YES;
  }

  private static void known(boolean known, String path) throws ProtocolException {
    if (!known) {
      throw new ProtocolException(path, "has a value that the enumeration does not have");
    }
  }

  private static void queue(long queue, String path) throws ProtocolException {
    between(queue, 0, MAX_QUEUES - 1, path);
  }

  private static void notNegative(long value, String path) throws ProtocolException {
    if (value < 0) {
      throw new ProtocolException(path, Long.toUnsignedString(value) + " is 2^63 or more");
    }
  }

  private static void between(long value, long least, long most, String path)
      throws ProtocolException {
    if (value < least || value > most) {
      throw new ProtocolException(path, value + " is not in " + least + " to " + most);
    }
  }

  private static void name(String name, String path) throws ProtocolException {
    if (!Limits.isName(name)) {
      throw new ProtocolException(path, "is not a name of 1 to 63 letters, digits, . _ -");
    }
  }
}
