package org.evenweave.sdd.session;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.ControlPacket;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;
import org.evenweave.sdd.protocol.wire.DemandReportDecoder;
import org.evenweave.sdd.protocol.wire.MessageHeaderDecoder;

/** Sessions without a network: hosts are connected, and have reported what the test sets. */
public final class FakeSessions {
  /** What each host has room for. */
  public static final int MAX_QUEUES = 16;

  /** Nothing is sent there: there is no socket. */
  private static final InetSocketAddress NOWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

  private final Sessions sessions;
  private final int hosts;

  /** Null: sending fails. */
  private DatagramSender datagrams;

  public FakeSessions(int hosts) {
    this.hosts = hosts;
    sessions = new Sessions(hosts);
    for (int number = 0; number < hosts; number++) {
      reconnect(number);
    }
  }

  /** Of so many hosts, h0 and on, and no circuit switch. */
  public static Directory directory(int hosts) {
    return new Directory(
        IntStream.range(0, hosts).mapToObj(number -> "h" + number).collect(Collectors.toList()),
        null);
  }

  public Sessions sessions() {
    return sessions;
  }

  /** The host gets a new session. */
  public void reconnect(int number) {
    ControlPacket packet = new ControlPacket(1, new byte[32]);
    sessions.add(
        new HostSession(
            new EmbeddedChannel(),
            "h" + number,
            new ClientLog(),
            number,
            1_000,
            MAX_QUEUES,
            MessageHeaderDecoder.SCHEMA_VERSION,
            List.of(),
            packet,
            datagrams == null ? null : datagrams.to(NOWHERE, packet.bytes())));
  }

  /** All hosts get new sessions, whose datagrams are counted as unsent and lost. */
  public void loseDatagrams() {
    sendDatagrams(false);
  }

  /** All hosts get new sessions, whose datagrams are taken. */
  public void takeDatagrams() {
    sendDatagrams(true);
  }

  private void sendDatagrams(boolean taken) {
    datagrams =
        new DatagramSender(
            new DatagramSender.Network() {
              @Override
              public int send(ByteBuffer datagram, InetSocketAddress to) {
                return taken ? datagram.remaining() : 0;
              }

              @Override
              public void close() {
                // There is no socket.
              }
            });
    for (int number = 0; number < hosts; number++) {
      reconnect(number);
    }
  }

  /** The circuit switch connects; host {@code n} is at its port {@code n}. */
  public CircuitSession connectSwitch() {
    CircuitSession circuitSwitch =
        new CircuitSession(
            new EmbeddedChannel(), "cs", new ClientLog(), IntStream.range(0, hosts).toArray());
    sessions.add(circuitSwitch);
    return circuitSwitch;
  }

  /** The circuit switch's session ends. */
  public void disconnectSwitch() {
    sessions.remove(sessions.circuitSwitch());
  }

  public void disconnect(int number) {
    sessions.remove(sessions.host(number));
  }

  /** The host reports that its clock is right within a bound. */
  public void clock(int number, long errorBoundNs) {
    Frame frame = ClientFrames.clockStatus(0, 0, errorBoundNs, true);
    sessions
        .host(number)
        .update(
            new HostClock(
                new ClockStatusDecoder()
                    .wrapAndApplyHeader(
                        new UnsafeBuffer(frame.bytes()), 0, new MessageHeaderDecoder())));
  }

  /**
   * @param rows of queue, queued, received and sent bytes
   */
  public void report(int number, long period, long[]... rows) {
    report(number, period, 0, rows);
  }

  public void report(int number, long period, long timeNs, long[]... rows) {
    Frame frame = ClientFrames.demandReport(period, timeNs, 0, 0, 0, rows);
    sessions
        .host(number)
        .update(
            new QueueDemand(
                new DemandReportDecoder()
                    .wrapAndApplyHeader(
                        new UnsafeBuffer(frame.bytes()), 0, new MessageHeaderDecoder())));
  }
}
