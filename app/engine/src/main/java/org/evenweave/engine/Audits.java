package org.evenweave.engine;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.runtime.EngineLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all switches back, every now and then and when asked to, and notes those whose tables are
 * not as they were installed. Repairing them is the engine's next step. Belongs to the loop.
 */
final class Audits {
  private static final Logger LOG = LoggerFactory.getLogger(Audits.class);

  /** Pause between two audits. */
  static final long PAUSE_NANOS = 30_000_000_000L;

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final EventLog events;
  private final Runnable drifted;
  private LongSupplier pauseNanos = () -> PAUSE_NANOS;
  private boolean closed;

  /**
   * @param drifted runs for each switch that is not as installed
   */
  Audits(
      EngineLoop loop, Nib nib, ForwardingManager forwarding, EventLog events, Runnable drifted) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.events = events;
    this.drifted = drifted;
  }

  void every(LongSupplier pause) {
    pauseNanos = pause;
  }

  void start() {
    loop.schedule(this::regular, pauseNanos.getAsLong());
  }

  void close() {
    closed = true;
  }

  private void regular() {
    start();
    if (!closed && !forwarding.busy()) {
      read(new CompletableFuture<>());
    }
  }

  /**
   * Reads now.
   *
   * @param found gets the switches that were not as installed, once all have been read, or an
   *     {@link IllegalStateException} while a plan is under way
   */
  void now(CompletableFuture<SortedSet<String>> found) {
    if (forwarding.busy()) {
      found.completeExceptionally(new IllegalStateException("a plan is under way"));
    } else {
      read(found);
    }
  }

  private void read(CompletableFuture<SortedSet<String>> done) {
    SortedSet<String> found = new TreeSet<>();
    Set<String> awaited = new HashSet<>(nib.snapshot().switchIds());
    if (awaited.isEmpty()) {
      done.complete(found);
    }
    for (String switchId : nib.snapshot().switchIds()) {
      forwarding.audit(
          switchId,
          isDifferent -> {
            if (isDifferent) {
              found.add(switchId);
              events.add(Event.Kind.DRIFT, switchId, loop.nanoTime());
              LOG.warn("{}: tables were not as installed; repairing", switchId);
              drifted.run();
            }
            awaited.remove(switchId);
            if (awaited.isEmpty()) {
              done.complete(found);
            }
          });
    }
  }
}
