package org.evenweave.standalone.openflow;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.evenweave.engine.port.SouthboundException;

/**
 * A caller's request to a switch: one or more {@link Transaction}s and a future. Confined to the
 * channel's event loop, except for the future.
 *
 * @param <T> what the caller gets
 */
abstract class Request<T> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final String switchId;
  private final Executor callbacks;
  private boolean ended;

  /**
   * @param callbacks runs what depends on the future; where that may block, not on the event loop
   */
  Request(String switchId, Executor callbacks) {
    this.switchId = switchId;
    this.callbacks = callbacks;
  }

  /** Whether nothing is left to send. */
  abstract boolean isSent();

  /** The next transaction; only while not {@link #isSent}. */
  abstract Transaction next();

  CompletableFuture<T> future() {
    return future;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Completes the request; only the first outcome counts. */
  final void succeed(T value) {
    if (!ended) {
      ended = true;
      callbacks.execute(() -> future.complete(value));
    }
  }

  /** Fails the request; only the first outcome counts. */
  final void fail(String problem) {
    if (!ended) {
      ended = true;
      callbacks.execute(
          () -> future.completeExceptionally(new SouthboundException(switchId, problem)));
    }
  }
}
