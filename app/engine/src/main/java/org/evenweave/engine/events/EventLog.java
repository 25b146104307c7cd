package org.evenweave.engine.events;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The latest events, oldest first. Safe for many threads. */
public final class EventLog {
  private static final int CAPACITY = 1000;

  private final long epochMicrosAtNanoZero;
  private final Deque<Event> events = new ArrayDeque<>();
  private long lastSequence;

  /**
   * @param nowNanos the clock of the times given later, now
   */
  public EventLog(long nowNanos) {
    Instant now = Instant.now();
    long epochMicros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    epochMicrosAtNanoZero = epochMicros - nowNanos / 1_000;
  }

  public synchronized void add(Event.Kind kind, String subject, long atNanos) {
    if (events.size() == CAPACITY) {
      events.removeFirst();
    }
    events.addLast(new Event(++lastSequence, kind, subject, epochMicros(atNanos), 0, 0, 0));
  }

  /** The sequence number of the latest event; 0 before the first. */
  public synchronized long lastSequence() {
    return lastSequence;
  }

  /** The events up to {@code throughSequence} that were not confirmed yet now are. */
  public synchronized void confirm(
      long throughSequence, long atNanos, int groupsChanged, int flowsChanged) {
    Deque<Event> confirmed = new ArrayDeque<>(events.size());
    for (Event event : events) {
      confirmed.addLast(
          event.confirmedEpochMicros() == 0 && event.sequence() <= throughSequence
              ? event.confirmed(epochMicros(atNanos), groupsChanged, flowsChanged)
              : event);
    }
    events.clear();
    events.addAll(confirmed);
  }

  /** Events with a greater sequence number, oldest first. */
  public synchronized List<Event> since(long sequence) {
    List<Event> later = new ArrayList<>();
    for (Event event : events) {
      if (event.sequence() > sequence) {
        later.add(event);
      }
    }
    return later;
  }

  private long epochMicros(long nanos) {
    return epochMicrosAtNanoZero + nanos / 1_000;
  }
}
