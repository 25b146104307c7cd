package org.evenweave.standalone.openflow;

import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.packets.TokenBucket;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the unhandled messages of a connection by kind. Thread-safe. */
final class ForeignCounts {
  /** A vendor has as many types as it likes. */
  private static final int MAX_KINDS = 64;

  /** What kinds beyond the limit are counted as. */
  static final String OTHERS = "others";

  /** Errors sent in answer, in a second. */
  private static final int MAX_ANSWERS_PER_SECOND = 10;

  private static final Logger LOG = LoggerFactory.getLogger(ForeignCounts.class);

  private final Map<String, Long> counts = new TreeMap<>();
  private final TokenBucket answers =
      new TokenBucket(MAX_ANSWERS_PER_SECOND, MAX_ANSWERS_PER_SECOND, System.nanoTime());

  /** Counts a message; returns whether it is the first of its kind. */
  synchronized boolean add(String kind) {
    String counted = counts.containsKey(kind) || counts.size() < MAX_KINDS ? kind : OTHERS;
    return counts.merge(counted, 1L, Long::sum) == 1;
  }

  /**
   * Counts a message, and logs the first of its kind.
   *
   * @return the error to answer; null if the message is to be ignored
   */
  OFMessage take(String from, ForeignMessage message, long nowNanos) {
    if (add(message.kind())) {
      LOG.warn("{}: {} is not known here; further ones are only counted", from, message);
    }
    OFMessage answer = message.answer();
    synchronized (this) {
      return answer != null && answers.take(nowNanos) ? answer : null;
    }
  }

  /** By kind. */
  synchronized Map<String, Long> all() {
    return new TreeMap<>(counts);
  }
}
