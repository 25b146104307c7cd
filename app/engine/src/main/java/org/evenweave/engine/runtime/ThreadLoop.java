package org.evenweave.engine.runtime;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An {@link EngineLoop} on a thread of its own. Tasks given after {@link #close} are dropped. */
public final class ThreadLoop implements EngineLoop, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadLoop.class);

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "evenweave-engine");
            thread.setDaemon(true);
            return thread;
          });

  public ThreadLoop() {
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Runnable task) {
    schedule(task, 0);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    try {
      executor.schedule(() -> runLogged(task), delayNanos, TimeUnit.NANOSECONDS);
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
  }
}
