package org.evenweave.engine.runtime;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects stalled threads on which the controller depends: a thread that waits for a lock, computes
 * endlessly, or has died. Each second it submits a task to each watched thread, unless that thread
 * has not run the previous task. It counts tasks, not time, so that a pause of the whole process
 * does not look like a stalled thread. Safe for many threads, and never waits for one of them.
 */
public final class LoopWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);
  private static final long PERIOD_MILLIS = 1000;

  /** Seconds without a run after which a thread counts as stalled. */
  static final int STALL_SECONDS = 3;

  private final List<Watched> loops = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "watchdog");

  private static final class Watched {
    final String name;
    final Executor loop;

    /** Whether the latest task has been run. */
    volatile boolean answered = true;

    /** Seconds for which the latest task has waited. */
    volatile int waitedSeconds;

    Watched(String name, Executor loop) {
      this.name = name;
      this.loop = loop;
    }

    boolean isStalled() {
      return !answered && waitedSeconds >= STALL_SECONDS;
    }
  }

  /**
   * Watches one more thread.
   *
   * @param name what runs on it, as in {@code engine loop}
   * @param loop runs tasks on it, in their order
   */
  public void add(String name, Executor loop) {
    loops.add(new Watched(name, loop));
  }

  /** Starts to check each second. */
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  /** A second has passed. Called each second after {@link #start}, or by a test instead. */
  public void check() {
    Set<Watched> closed = new HashSet<>();
    for (Watched watched : loops) {
      if (watched.answered) {
        if (watched.waitedSeconds >= STALL_SECONDS) {
          LOG.info("the {} runs again after {} s", watched.name, watched.waitedSeconds);
        }
        watched.waitedSeconds = 0;
        watched.answered = false;
        try {
          watched.loop.execute(() -> watched.answered = true);
        } catch (RejectedExecutionException e) {
          closed.add(watched);
        }
        continue;
      }
      int waitedSeconds = watched.waitedSeconds + 1;
      watched.waitedSeconds = waitedSeconds;
      if (waitedSeconds == STALL_SECONDS) {
        LOG.error("the {} has not run for {} s", watched.name, STALL_SECONDS);
      }
    }
    loops.removeAll(closed);
  }

  /** A sentence on each stalled thread; empty while there is none. */
  public List<String> stalled() {
    List<String> stalled = new ArrayList<>();
    for (Watched watched : loops) {
      if (watched.isStalled()) {
        stalled.add(
            "the controller's "
                + watched.name
                + " has not run for "
                + watched.waitedSeconds
                + " s; the reported state is older than that");
      }
    }
    return stalled;
  }

  /** Ends the thread of this watch. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
