package org.evenweave.engine.events;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.evenweave.engine.runtime.PlanTimes;

/** The latest events, oldest first. Safe for many threads. */
public final class EventLog {
  private static final int CAPACITY = 1000;

  private final LongSupplier nanoClock;
  private final Clock wallClock;
  private final Deque<Event> events = new ArrayDeque<>();
  private final Map<Event.Kind, Long> counts = new EnumMap<>(Event.Kind.class);
  private final Map<Event.Kind, Long> confirmedCounts = new EnumMap<>(Event.Kind.class);
  private long lastSequence;
  private long lastChange;
  private boolean closed;
  private EventObserver observer = EventObserver.NONE;

  /**
   * @param nanoClock the clock of the times given later, which never steps
   * @param lastNumber events and changes are counted on from this number
   */
  public EventLog(LongSupplier nanoClock, long lastNumber) {
    this(nanoClock, Clock.systemUTC(), lastNumber);
  }

  /**
   * @param wallClock tells when an event happened; it may be set at any time
   */
  EventLog(LongSupplier nanoClock, Clock wallClock, long lastNumber) {
    this.nanoClock = nanoClock;
    this.wallClock = wallClock;
    lastSequence = lastNumber;
    lastChange = lastNumber;
  }

  /** Tells this, and nobody else, of what is confirmed from now on. */
  public synchronized void observe(EventObserver newObserver) {
    observer = newObserver;
  }

  /** Adds an event that needs changes at switches; {@link #confirm} records their completion. */
  public synchronized void add(Event.Kind kind, String subject, long atNanos) {
    add(kind, subject, "", atNanos);
  }

  /** As {@link #add(Event.Kind, String, long)}, with what the subject does not say. */
  public synchronized void add(Event.Kind kind, String subject, String detail, long atNanos) {
    append(kind, subject, detail, atNanos, false);
  }

  /** Adds an event that needs no change at a switch; it is confirmed at once. */
  public synchronized void note(Event.Kind kind, String subject, long atNanos) {
    append(kind, subject, "", atNanos, true);
    confirmedCounts.merge(kind, 1L, Long::sum);
  }

  private void append(
      Event.Kind kind, String subject, String detail, long atNanos, boolean isConfirmed) {
    long micros = epochMicros(atNanos);
    if (events.size() == CAPACITY) {
      events.removeFirst();
    }
    events.addLast(
        new Event(
            ++lastSequence,
            ++lastChange,
            kind,
            subject,
            detail,
            atNanos,
            micros,
            isConfirmed ? micros : 0,
            0,
            0,
            Map.of()));
    counts.merge(kind, 1L, Long::sum);
    notifyAll();
  }

  /** The sequence number of the latest event. */
  public synchronized long lastSequence() {
    return lastSequence;
  }

  /**
   * The events up to {@code throughSequence} that were not confirmed yet now are.
   *
   * @param times of the plan that answered them
   */
  public synchronized void confirm(
      long throughSequence, long atNanos, int groupsChanged, int flowsChanged, PlanTimes times) {
    Deque<Event> confirmed = new ArrayDeque<>(events.size());
    for (Event event : events) {
      if (event.confirmedEpochMicros() == 0 && event.sequence() <= throughSequence) {
        confirmed.addLast(
            event.confirmed(++lastChange, atNanos, groupsChanged, flowsChanged, times));
        confirmedCounts.merge(event.kind(), 1L, Long::sum);
        observer.eventConfirmed(event.kind(), atNanos - event.detectedNanos());
      } else {
        confirmed.addLast(event);
      }
    }
    events.clear();
    events.addAll(confirmed);
    observer.planConfirmed(groupsChanged, flowsChanged, times.until(atNanos));
    notifyAll();
  }

  /** How many events of a kind came since the log was made, those it no longer has included. */
  public synchronized long count(Event.Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** How many of them were confirmed. */
  public synchronized long confirmedCount(Event.Kind kind) {
    return confirmedCounts.getOrDefault(kind, 0L);
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

  /** The number of the latest change. */
  public synchronized long lastChange() {
    return lastChange;
  }

  /** Events with greater numbers than both, that came or were confirmed; in their order. */
  public synchronized List<Event> changedAfter(long change, long sequence) {
    List<Event> changed = new ArrayList<>();
    for (Event event : events) {
      if (event.sequence() > sequence && event.change() > change) {
        changed.add(event);
      }
    }
    return changed;
  }

  /**
   * Waits for something new.
   *
   * @return whether there is; false after a time-out or when the log is closed
   */
  @SuppressWarnings("WaitNotInLoop") // a spurious wake-up is an early time-out
  public synchronized boolean awaitChangeAfter(long change, long millis)
      throws InterruptedException {
    if (lastChange <= change && !closed) {
      wait(millis);
    }
    return lastChange > change;
  }

  /** Closes the log; waiting threads return. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  /** By the wall clock as it is set now. */
  private long epochMicros(long atNanos) {
    long agoNanos = nanoClock.getAsLong() - atNanos;
    return ChronoUnit.MICROS.between(Instant.EPOCH, wallClock.instant()) - agoNanos / 1_000;
  }
}
