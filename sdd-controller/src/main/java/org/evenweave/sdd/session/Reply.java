package org.evenweave.sdd.session;

import org.evenweave.sdd.protocol.wire.ReplyDecoder;

/** A host's answer to an executed request. Immutable. */
public final class Reply {
  private final long value;
  private final int[] queues;

  private Reply(long value, int[] queues) {
    this.value = value;
    this.queues = queues;
  }

  static Reply of(ReplyDecoder message) {
    long value = message.value();
    ReplyDecoder.QueuesDecoder group = message.queues();
    int[] queues = new int[group.count()];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = (int) group.next().queue();
    }
    return new Reply(value, queues);
  }

  /** A new trigger's number, or how many slots were taken; 0 of other requests. */
  public long value() {
    return value;
  }

  /** The queues that flows are mapped to; empty of other requests. */
  public int[] queues() {
    return queues.clone();
  }
}
