package org.evenweave.standalone.openflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps each datapath id to its connection, from the switch's announcement of the id until the
 * connection ends. Another connection with the same id is either the same switch, which has lost
 * the first without the controller having noticed, or another switch that has the id by mistake. So
 * the first gets an echo request: while it answers, it stays, and the other is refused.
 * Thread-safe.
 */
final class Datapaths {
  /** The part of a switch's time-out that the first connection may take for the echo. */
  private static final int ECHOES_PER_TIMEOUT = 5;

  private static final Logger LOG = LoggerFactory.getLogger(Datapaths.class);

  private final SwitchEvents events;
  private final long answerNanos;

  /** By datapath id; guarded by this. */
  private final Map<Long, SwitchConnection> holders = new HashMap<>();

  /**
   * @param timeout how long a switch may leave anything else unanswered
   */
  Datapaths(SwitchEvents events, Duration timeout) {
    this.events = events;
    answerNanos = timeout.toNanos() / ECHOES_PER_TIMEOUT;
  }

  /**
   * Decides whether a connection speaks for its datapath id.
   *
   * @param admitted called if it does, until {@link #release}; on any thread
   * @param refused called with the connection that does if it does not; on any thread
   */
  void claim(SwitchConnection newcomer, Runnable admitted, Consumer<SwitchConnection> refused) {
    SwitchConnection holder = putIfAbsent(newcomer);
    if (holder == null) {
      admitted.run();
      return;
    }
    holder.askForEcho(
        answerNanos,
        answered -> {
          if (answered) {
            events.duplicate(holder, newcomer, System.nanoTime());
            refused.accept(holder);
          } else {
            LOG.warn("{} does not answer and is replaced by {}", holder, newcomer);
            release(holder);
            holder.close();
            claim(newcomer, admitted, refused);
          }
        });
  }

  private synchronized SwitchConnection putIfAbsent(SwitchConnection newcomer) {
    return holders.putIfAbsent(newcomer.datapathId(), newcomer);
  }

  /** The connection speaks for its datapath id no more. */
  synchronized void release(SwitchConnection connection) {
    holders.remove(connection.datapathId(), connection);
  }

  /** All that speak for their datapath ids. */
  synchronized List<SwitchConnection> all() {
    return new ArrayList<>(holders.values());
  }
}
