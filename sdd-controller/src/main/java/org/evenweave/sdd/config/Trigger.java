package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.evenweave.sdd.condition.Condition;

/** A condition that hosts watch, and what follows when it becomes true. Immutable. */
public final class Trigger {
  private final JsonNode document;
  private final List<String> hosts;
  private final QueueName queue;
  private final Condition when;
  private final Condition until;
  private final List<TriggerAction> actions;
  private final boolean tellsApplications;

  Trigger(
      JsonNode document,
      List<String> hosts,
      QueueName queue,
      Condition when,
      Condition until,
      List<TriggerAction> actions) {
    this.document = document;
    this.hosts = List.copyOf(hosts);
    this.queue = queue;
    this.when = when;
    this.until = until;
    this.actions = List.copyOf(actions);
    this.tellsApplications = document.path("applications").asBoolean();
  }

  public String name() {
    return document.get("name").textValue();
  }

  /** Who watches it: never the destination of a queue that it names, which has none. */
  public List<String> hosts() {
    return hosts;
  }

  /** Whose statistics the conditions read where they name no queue. */
  public QueueName queue() {
    return queue;
  }

  /** Fires when it becomes true. */
  public Condition when() {
    return when;
  }

  /** Ends what the trigger does when it becomes true; null: the operator does. */
  public Condition until() {
    return until;
  }

  /** What is done while it is in force; none: it only tells. */
  public List<TriggerAction> actions() {
    return actions;
  }

  /** Whether hosts also tell the applications that listen to the queue when it fires. */
  public boolean tellsApplications() {
    return tellsApplications;
  }

  /**
   * What those events carry, so that applications tell triggers of one queue apart: a CRC-32 of the
   * name, which is the same at every host and with every controller.
   */
  public long applicationCookie() {
    CRC32 crc = new CRC32();
    crc.update(name().getBytes(StandardCharsets.US_ASCII));
    return crc.getValue();
  }

  /** Whether it was written in the same words. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Trigger && ((Trigger) other).document.equals(document);
  }

  @Override
  public int hashCode() {
    return document.hashCode();
  }
}
