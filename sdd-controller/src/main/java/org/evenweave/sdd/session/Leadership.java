package org.evenweave.sdd.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this controller leads, or stands by for another one.
 *
 * <p><b>Idea.</b> Hosts and the circuit switch keep a connection to each controller and follow the
 * one of the highest generation, so they are the ones to know whether somebody leads, and they, not
 * the controllers, fence one that was overtaken: it is refused whatever it says. A controller that
 * stands by leaves them waiting for their welcome and takes over when more than half of them hear
 * no leader any more. One that leads stands by as soon as a client says that it follows a later
 * generation; if the rest are more, it takes over again.
 *
 * <p>Not all of them, for a client may hang, or be cut off, together with the one that leads. One
 * that has said nothing for {@value #SILENCE_NS} ns, though it is asked every second, counts as
 * neither.
 *
 * <p><b>Generations</b> are the shared clock at the moment of taking over, or one more than the
 * highest that a client has told, so that they rise without being stored anywhere.
 *
 * <p>Thread-safe.
 */
public final class Leadership {
  /** A client that has heard nobody since it connected may just not have found its leader yet. */
  public static final long PATIENCE_NS = 2_000_000_000;

  /** Three reminders. */
  static final long SILENCE_NS = 3_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  /** A client that waits for its welcome. Its methods must not block. */
  interface Waiting {
    /** This controller leads now. */
    void leads();
  }

  /** Is told what this controller is to do. Its methods must not block. */
  public interface Listener {
    void leads(long generation);

    void standsBy();
  }

  /** What a client that waits has said. */
  private static final class Word {
    final long sinceNs;
    long spokenNs;
    boolean hasSpoken;
    boolean hears;
    boolean hasHeard;

    Word(long sinceNs) {
      this.sinceNs = sinceNs;
    }

    boolean counts(long nowNs) {
      return hasSpoken && nowNs - spokenNs < SILENCE_NS;
    }

    boolean isFree(long nowNs) {
      return !hears && (hasHeard || nowNs - sinceNs >= PATIENCE_NS);
    }
  }

  private final LongSupplier clockNs;
  private final Listener listener;
  private final Map<Waiting, Word> waiting = new HashMap<>();
  private long generation;
  private long highest;
  private boolean isOver;

  /**
   * Stands by until {@link #lead} or until clients have nobody else.
   *
   * @param clockNs the shared clock
   */
  public Leadership(LongSupplier clockNs, Listener listener) {
    this.clockNs = clockNs;
    this.listener = listener;
  }

  /** This controller's generation; 0 while it stands by. */
  public synchronized long generation() {
    return generation;
  }

  public synchronized boolean leads() {
    return generation > 0;
  }

  /** How many clients wait for their welcome. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /** Leads from now on, whoever else does. */
  public synchronized void lead() {
    if (generation > 0 || isOver) {
      return;
    }
    generation = Math.max(clockNs.getAsLong(), highest + 1);
    highest = generation;
    LOG.info("this controller leads, as generation {}", generation);
    listener.leads(generation);
    List<Waiting> all = List.copyOf(waiting.keySet());
    waiting.clear();
    all.forEach(Waiting::leads);
  }

  /** This controller ends: it does not begin to lead any more. */
  public synchronized void end() {
    isOver = true;
  }

  /** Has a client wait; false if this controller leads, so that there is nothing to wait for. */
  synchronized boolean await(Waiting client) {
    if (generation > 0) {
      return false;
    }
    waiting.put(client, new Word(clockNs.getAsLong()));
    return true;
  }

  /** A client that waited has gone. */
  synchronized void left(Waiting client) {
    if (waiting.remove(client) != null) {
      takeOverIfMostHearNobody();
    }
  }

  /**
   * A client has said whom it follows.
   *
   * @param followed the highest generation that it has known, or 0
   * @param hears whether it still hears that one
   */
  synchronized void said(Waiting client, long followed, boolean hears) {
    highest = Math.max(highest, followed);
    if (generation > 0 && followed > generation) {
      LOG.warn("generation {} has taken over from this controller, {}", followed, generation);
      generation = 0;
      listener.standsBy();
    }
    Word word = waiting.get(client);
    if (word != null) {
      word.hasSpoken = true;
      word.spokenNs = clockNs.getAsLong();
      word.hears = hears;
      word.hasHeard |= hears;
      takeOverIfMostHearNobody();
    }
  }

  private void takeOverIfMostHearNobody() {
    long nowNs = clockNs.getAsLong();
    int all = 0;
    int free = 0;
    for (Word word : waiting.values()) {
      if (word.counts(nowNs)) {
        all++;
        free += word.isFree(nowNs) ? 1 : 0;
      }
    }
    if (2 * free > all) {
      LOG.info("{} of {} clients that wait hear no controller", free, all);
      lead();
    }
  }
}
