package org.evenweave.sdd.session;

import org.evenweave.sdd.protocol.wire.DemandReportDecoder;

/** One host's demand report. Immutable. */
public final class QueueDemand {
  private static final int QUEUED = 0;
  private static final int RECEIVED = 1;
  private static final int SENT = 2;
  private static final int BY_PACKET_SWITCH = 3;
  private static final int COLUMNS = 4;

  private final long period;
  private final long timeNs;
  private final long highestSequence;
  private final long datagramsLost;
  private final long datagramsRefused;
  private final int[] queues;
  private final long[] bytes;

  QueueDemand(DemandReportDecoder message) {
    period = message.period();
    timeNs = message.timeNs();
    highestSequence = message.highestSequence();
    datagramsLost = message.datagramsLost();
    datagramsRefused = message.datagramsRefused();
    DemandReportDecoder.QueuesDecoder group = message.queues();
    queues = new int[group.count()];
    bytes = new long[COLUMNS * queues.length];
    for (int i = 0; i < queues.length; i++) {
      group.next();
      queues[i] = (int) group.queue();
      bytes[COLUMNS * i + QUEUED] = group.queuedBytes();
      bytes[COLUMNS * i + RECEIVED] = group.receivedBytes();
      bytes[COLUMNS * i + SENT] = group.sentBytes();
      // Negative from hosts that do not say it.
      bytes[COLUMNS * i + BY_PACKET_SWITCH] = Math.max(0, group.packetSwitchBytes());
    }
  }

  /** The period at whose start the host looked. */
  public long period() {
    return period;
  }

  public long timeNs() {
    return timeNs;
  }

  /** The highest sequence of the datagrams that the host accepted in this session. */
  public long highestSequence() {
    return highestSequence;
  }

  /** How many of this session's datagrams never came. */
  public long datagramsLost() {
    return datagramsLost;
  }

  /** How many datagrams had a wrong tag, or came before. */
  public long datagramsRefused() {
    return datagramsRefused;
  }

  /** The number of rows; the queues that are not in one have nothing queued. */
  public int count() {
    return queues.length;
  }

  public int queue(int row) {
    return queues[row];
  }

  /** The bytes that wait. */
  public long queuedBytes(int row) {
    return bytes[COLUMNS * row + QUEUED];
  }

  /** The bytes that applications gave since the queue was created. */
  public long receivedBytes(int row) {
    return bytes[COLUMNS * row + RECEIVED];
  }

  /** The bytes that were transmitted since the queue was created. */
  public long sentBytes(int row) {
    return bytes[COLUMNS * row + SENT];
  }

  /** Of the bytes that were transmitted, those that left by the packet switch. */
  public long packetSwitchBytes(int row) {
    return bytes[COLUMNS * row + BY_PACKET_SWITCH];
  }
}
