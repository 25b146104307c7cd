package org.evenweave.sdd.session;

import io.netty.channel.embedded.EmbeddedChannel;
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

  private final Sessions sessions;

  public FakeSessions(int hosts) {
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
            null));
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
