package org.evenweave.sdd.protocol;

import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.CircuitStatsEncoder;
import org.evenweave.sdd.protocol.wire.ClockStatusEncoder;
import org.evenweave.sdd.protocol.wire.DemandReportEncoder;
import org.evenweave.sdd.protocol.wire.EdgeReportEncoder;
import org.evenweave.sdd.protocol.wire.FollowingEncoder;
import org.evenweave.sdd.protocol.wire.HelloEncoder;
import org.evenweave.sdd.protocol.wire.MissedEncoder;
import org.evenweave.sdd.protocol.wire.Network;
import org.evenweave.sdd.protocol.wire.PolicyChangedEncoder;
import org.evenweave.sdd.protocol.wire.QueueStatsEncoder;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.ReplyEncoder;
import org.evenweave.sdd.protocol.wire.Role;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.TriggerFiredEncoder;

/** What hosts and the circuit switch send, encoded: the clients' side in tests. */
public final class ClientFrames {
  private ClientFrames() {}

  /** A host at 10.0.0.{@code lastByte}. */
  public static Frame hostHello(String name, int version, long linkBps, int port, int lastByte) {
    return hostHello(name, version, linkBps, port, mapped(10, 0, 0, lastByte), 120);
  }

  /** A host that gives this as its address. */
  public static Frame hostHello(String name, IpPrefix address) {
    return hostHello(name, 1, 1_000, 9, address.mapped(), address.mappedBits());
  }

  private static Frame hostHello(
      String name, int version, long linkBps, int port, byte[] mapped, int prefixBits) {
    Frame frame = new Frame();
    HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    hello
        .protocolVersion(version)
        .role(Role.HOST)
        .linkBps(linkBps)
        .datagramPort(port)
        .maxQueues(1000);
    HelloEncoder.AddressesEncoder address = hello.addressesCount(1).next();
    for (int i = 0; i < mapped.length; i++) {
      address.address(i, (short) (mapped[i] & 0xFF));
    }
    address.prefixBits((short) prefixBits).interfaceName("eth0");
    hello.portsCount(0);
    hello.name(name);
    return frame.of(hello.encodedLength());
  }

  /** A circuit switch whose port {@code i} leads to host {@code i}. */
  public static Frame switchHello(String name, String... hosts) {
    Frame frame = new Frame();
    HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    hello
        .protocolVersion(1)
        .role(Role.CIRCUIT_SWITCH)
        .linkBps(10_000_000_000L)
        .datagramPort(0)
        .maxQueues(0);
    hello.addressesCount(0);
    HelloEncoder.PortsEncoder ports = hello.portsCount(hosts.length);
    for (int i = 0; i < hosts.length; i++) {
      ports.next().port(i).hostName(hosts[i]);
    }
    hello.name(name);
    return frame.of(hello.encodedLength());
  }

  /**
   * @param rows of queue, queuedBytes, receivedBytes, sentBytes and, of them, what left by the
   *     packet switch: without it 0
   */
  public static Frame demandReport(
      long period, long timeNs, long highest, long lost, long refused, long[]... rows) {
    Frame frame = new Frame();
    DemandReportEncoder report =
        new DemandReportEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    report
        .period(period)
        .timeNs(timeNs)
        .highestSequence(highest)
        .datagramsLost(lost)
        .datagramsRefused(refused);
    DemandReportEncoder.QueuesEncoder queues = report.queuesCount(rows.length);
    for (long[] row : rows) {
      queues
          .next()
          .queue(row[0])
          .queuedBytes(row[1])
          .receivedBytes(row[2])
          .sentBytes(row[3])
          .packetSwitchBytes(row.length > 4 ? row[4] : 0);
    }
    return frame.of(report.encodedLength());
  }

  public static Frame following(long generation, boolean hears) {
    Frame frame = new Frame();
    FollowingEncoder message =
        new FollowingEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.generation(generation).hears(hears ? BooleanType.YES : BooleanType.NO);
    return frame.of(message.encodedLength());
  }

  public static Frame clockStatus(long timeNs, long offsetNs, long boundNs, boolean synchronised) {
    Frame frame = new Frame();
    ClockStatusEncoder status =
        new ClockStatusEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    status
        .timeNs(timeNs)
        .offsetNs(offsetNs)
        .errorBoundNs(boundNs)
        .synchronised(synchronised ? BooleanType.YES : BooleanType.NO);
    return frame.of(status.encodedLength());
  }

  /** Statistics of so many queues, in which every number is another. */
  public static Frame queueStats(long requestId, long timeNs, int count) {
    Frame frame = new Frame();
    QueueStatsEncoder stats =
        new QueueStatsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    stats.requestId(requestId).timeNs(timeNs);
    QueueStatsEncoder.QueuesEncoder queues = stats.queuesCount(count);
    for (int i = 0; i < count; i++) {
      queues
          .next()
          .queue(i)
          .priority((short) (i % 64))
          .network(i % 2 == 0 ? Network.CIRCUIT : Network.PACKET)
          .drainRateBps(1_000_000L + i)
          .flows(10 + i)
          .queuedPackets(20 + i)
          .queuedBytes(30_000L + i)
          .sentPackets(40 + i)
          .sentBytes(50_000L + i)
          .receivedPackets(60 + i)
          .receivedBytes(70_000L + i)
          .droppedPackets(80 + i)
          .lastXmitNs(timeNs - 90 - i)
          .lastRecvNs(timeNs - 100 - i)
          .packetSwitchPackets(10 + i)
          .packetSwitchBytes(20_000L + i);
    }
    return frame.of(stats.encodedLength());
  }

  public static Frame triggerFired(long trigger, int queue, long cookie, long timeNs) {
    return triggerFired(trigger, queue, cookie, timeNs, 16_500, 2);
  }

  public static Frame triggerFired(
      long trigger, int queue, long cookie, long timeNs, long queuedBytes, long eventsLost) {
    Frame frame = new Frame();
    TriggerFiredEncoder fired =
        new TriggerFiredEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    fired
        .trigger(trigger)
        .queue(queue)
        .cookie(cookie)
        .timeNs(timeNs)
        .queuedPackets(11)
        .queuedBytes(queuedBytes)
        .eventsLost(eventsLost);
    return frame.of(fired.encodedLength());
  }

  /**
   * @param rows of queue, packetsOutOfSlot, lateStarts, latestStartNs
   */
  public static Frame missed(long period, long timeNs, long[]... rows) {
    Frame frame = new Frame();
    MissedEncoder missed =
        new MissedEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    missed.period(period).timeNs(timeNs);
    MissedEncoder.QueuesEncoder queues = missed.queuesCount(rows.length);
    for (long[] row : rows) {
      queues.next().queue(row[0]).packetsOutOfSlot(row[1]).lateStarts(row[2]).latestStartNs(row[3]);
    }
    return frame.of(missed.encodedLength());
  }

  public static Frame policyChanged(long timeNs, boolean safe, Reason reason) {
    Frame frame = new Frame();
    PolicyChangedEncoder changed =
        new PolicyChangedEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    changed.timeNs(timeNs).safe(safe ? BooleanType.YES : BooleanType.NO).reason(reason);
    return frame.of(changed.encodedLength());
  }

  public static Frame reply(
      long requestId, Status status, long position, long value, String text, int... queues) {
    Frame frame = new Frame();
    ReplyEncoder reply = new ReplyEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    reply.requestId(requestId).status(status).position(position).value(value);
    ReplyEncoder.QueuesEncoder group = reply.queuesCount(queues.length);
    for (int queue : queues) {
      group.next().queue(queue);
    }
    reply.text(text);
    return frame.of(reply.encodedLength());
  }

  public static Frame edgeHello(String name) {
    Frame frame = new Frame();
    HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    hello
        .protocolVersion(Limits.PROTOCOL_VERSION)
        .role(Role.EDGE)
        .linkBps(1)
        .datagramPort(0)
        .maxQueues(0);
    hello.addressesCount(0);
    hello.portsCount(0);
    hello.name(name);
    return frame.of(hello.encodedLength());
  }

  public static Frame edgeReport(int peers, int peer, String document) {
    Frame frame = new Frame();
    EdgeReportEncoder report =
        new EdgeReportEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    report.peers(peers).peer(peer).document(document);
    return frame.of(report.encodedLength());
  }

  /**
   * @param rows of port and the seven counters
   */
  public static Frame circuitStats(long timeNs, long configurations, long late, long[]... rows) {
    Frame frame = new Frame();
    CircuitStatsEncoder stats =
        new CircuitStatsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    stats
        .timeNs(timeNs)
        .configurations(configurations)
        .lateConfigurations(late)
        .latestConfigurationNs(late * 1000);
    CircuitStatsEncoder.PortsEncoder ports = stats.portsCount(rows.length);
    for (long[] row : rows) {
      ports
          .next()
          .port((int) row[0])
          .circuitPackets(row[1])
          .circuitBytes(row[2])
          .packetPackets(row[3])
          .packetBytes(row[4])
          .droppedInNight(row[5])
          .droppedOutOfSlot(row[6])
          .droppedOther(row[7]);
    }
    return frame.of(stats.encodedLength());
  }

  private static byte[] mapped(int a, int b, int c, int d) {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xFF;
    mapped[11] = (byte) 0xFF;
    mapped[12] = (byte) a;
    mapped[13] = (byte) b;
    mapped[14] = (byte) c;
    mapped[15] = (byte) d;
    return mapped;
  }
}
