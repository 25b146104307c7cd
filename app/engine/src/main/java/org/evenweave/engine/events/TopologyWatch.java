package org.evenweave.engine.events;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Signals that packets may take other links than before: once when switches have confirmed the
 * changes for a topology event, and once for events that were confirmed together. On a thread of
 * its own, which ends with this or with the log.
 */
public final class TopologyWatch implements AutoCloseable {
  private static final Set<Event.Kind> KINDS =
      Collections.unmodifiableSet(
          EnumSet.of(
              Event.Kind.SWITCH_UP,
              Event.Kind.SWITCH_DOWN,
              Event.Kind.SWITCH_SILENT,
              Event.Kind.LINK_UP,
              Event.Kind.LINK_DOWN,
              Event.Kind.LINK_DAMPED,
              Event.Kind.LINK_RELEASED,
              Event.Kind.LINK_LOSSY,
              Event.Kind.LINK_SLOW,
              Event.Kind.LINK_CLEAN,
              Event.Kind.MTU_TOO_SMALL,
              Event.Kind.MTU_RESTORED,
              Event.Kind.CONFIGURATION));

  /** The log tells of changes; this only bounds the wait of a thread that missed its end. */
  private static final long WAIT_MILLIS = 10_000;

  private final EventLog events;
  private final Runnable changed;
  private final Thread thread;

  /**
   * @param events what is in it already counts too: it may have come before anybody watched
   * @param changed called on this watch's thread; what it throws ends the watch
   */
  public TopologyWatch(EventLog events, Runnable changed) {
    this.events = events;
    this.changed = changed;
    thread = new Thread(this::watch, "topology-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    long seen = 0;
    try {
      while (!events.isClosed()) {
        boolean isTold = false;
        if (events.awaitChangeAfter(seen, WAIT_MILLIS)) {
          for (Event event : events.changedAfter(seen, 0)) {
            seen = Math.max(seen, event.change());
            isTold |= KINDS.contains(event.kind()) && event.confirmedEpochMicros() > 0;
          }
        }
        if (isTold) {
          changed.run();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  /** Ends the thread, but does not wait for a call in progress. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
