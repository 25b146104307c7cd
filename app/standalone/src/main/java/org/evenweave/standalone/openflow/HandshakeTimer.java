package org.evenweave.standalone.openflow;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Ends a connection whose handshake takes too long. On the channel's event loop. */
final class HandshakeTimer {
  private final EventExecutor loop;
  private final Duration timeout;
  private final Consumer<String> expired;
  private Future<?> timer;

  /**
   * @param timeout how long a handshake may take
   * @param expired called with the reason when it has taken longer
   */
  HandshakeTimer(EventExecutor loop, Duration timeout, Consumer<String> expired) {
    this.loop = loop;
    this.timeout = timeout;
    this.expired = expired;
  }

  /** Whether a handshake is in progress. */
  boolean isRunning() {
    return timer != null;
  }

  void start() {
    timer =
        loop.schedule(
            () -> expired.accept("no handshake within " + timeout.toMillis() + " ms"),
            timeout.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  void end() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
