package org.evenweave.sdd.config;

import java.util.List;

/** The effect on a queue of a trigger that is in force. Immutable. */
public final class TriggerAction {
  /** What is done. */
  public enum Kind {
    /** The queue sends nothing. */
    CLOSE,
    /** The queue sends only while one that opens it is in force. */
    OPEN,
    /** The class gets no more than the ceiling. */
    CEILING
  }

  private final Kind kind;
  private final QueueName queue;
  private final long ceilingBps;
  private final List<String> hosts;

  TriggerAction(Kind kind, QueueName queue, long ceilingBps, List<String> hosts) {
    this.kind = kind;
    this.queue = queue;
    this.ceilingBps = ceilingBps;
    this.hosts = List.copyOf(hosts);
  }

  public Kind kind() {
    return kind;
  }

  /** A destination's or a traffic class's, which may have others in it. */
  public QueueName queue() {
    return queue;
  }

  /** Of {@code CEILING}: what the class gets at most. */
  public long ceilingBps() {
    return ceilingBps;
  }

  /** Where; without any, where the trigger fired. */
  public List<String> hosts() {
    return hosts;
  }
}
