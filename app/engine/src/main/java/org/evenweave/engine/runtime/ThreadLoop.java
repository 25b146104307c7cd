package org.evenweave.engine.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link EngineLoop} on a thread of its own, with one more for the background. Tasks given after
 * {@link #close} are dropped.
 */
public final class ThreadLoop implements EngineLoop, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadLoop.class);

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, task -> daemon(task, "evenweave-engine"));

  private final ExecutorService beside =
      Executors.newSingleThreadExecutor(task -> daemon(task, "evenweave-background"));

  public ThreadLoop() {
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable task) {
    schedule(task, 0);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    submit(() -> executor.schedule(() -> runLogged(task), delayNanos, TimeUnit.NANOSECONDS));
  }

  @Override
  public void background(Runnable task) {
    submit(() -> beside.execute(() -> runLogged(task)));
  }

  private static void submit(Runnable submission) {
    try {
      submission.run();
    } catch (RejectedExecutionException e) {
      LOG.debug("dropped a task: the engine is closed");
    }
  }

  /** One task's defect must not silence the loop, and must not pass unseen. */
  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a task of the engine failed", e);
    }
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void close() {
    executor.shutdownNow();
    beside.shutdownNow();
  }
}
