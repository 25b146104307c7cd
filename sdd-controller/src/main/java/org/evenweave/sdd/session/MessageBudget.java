package org.evenweave.sdd.session;

/**
 * The limit on what one connection may send: a token bucket of messages and one of bytes, each with
 * room for what comes in a second. A connection that exceeds it is not read until tokens are
 * available, so that TCP slows it down, and it takes at most its share of the thread that also
 * serves others. Answers to requests are free, because this controller requested them. Not
 * thread-safe.
 */
final class MessageBudget {
  /** What an honest client sends in a period, and as much again: four kinds of reports. */
  private static final long MESSAGES_A_PERIOD = 8;

  /** Edges report each peer by a message, 1,024 in a second, and hosts their events. */
  private static final long LEAST_MESSAGES = 2_000;

  /** All of an edge's peers, each with the longest report that has been seen, and as much again. */
  private static final long BYTES = 32L << 20;

  private static final double SECOND_NS = 1e9;

  private final double messagesPerNs;
  private final double bytesPerNs = BYTES / SECOND_NS;
  private double messages;
  private double bytes = BYTES;
  private long atNs;

  /**
   * @param periodNs how often hosts report
   */
  MessageBudget(long periodNs, long nowNs) {
    double perSecond = Math.max(LEAST_MESSAGES, MESSAGES_A_PERIOD * SECOND_NS / periodNs);
    messagesPerNs = perSecond / SECOND_NS;
    messages = perSecond;
    atNs = nowNs;
  }

  /**
   * A message has been read.
   *
   * @param length in bytes
   * @return for how many nanoseconds no other one is to be read; 0: go on
   */
  long take(int length, long nowNs) {
    double passedNs = Math.max(0, nowNs - atNs);
    atNs = nowNs;
    messages = Math.min(messages + passedNs * messagesPerNs, messagesPerNs * SECOND_NS) - 1;
    bytes = Math.min(bytes + passedNs * bytesPerNs, BYTES) - length;
    return (long) Math.max(0, Math.max(-messages / messagesPerNs, -bytes / bytesPerNs));
  }
}
