package org.evenweave.sdd.session;

import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;

/** A trigger of the controller that fired at a host. Immutable. */
public final class TriggerEvent {
  private final long cookie;
  private final long timeNs;
  private final long queuedPackets;
  private final long queuedBytes;
  private final long eventsLost;

  TriggerEvent(TriggerFiredDecoder message) {
    cookie = message.cookie();
    timeNs = message.timeNs();
    queuedPackets = message.queuedPackets();
    queuedBytes = message.queuedBytes();
    eventsLost = message.eventsLost();
  }

  /** The one of {@link SddHost#addTrigger}. */
  public long cookie() {
    return cookie;
  }

  /** When its condition became true, by the shared clock. */
  public long timeNs() {
    return timeNs;
  }

  /** What waited then in the trigger's queue. */
  public long queuedPackets() {
    return queuedPackets;
  }

  public long queuedBytes() {
    return queuedBytes;
  }

  /** How many events the host could not tell, since its process started. */
  public long eventsLost() {
    return eventsLost;
  }
}
