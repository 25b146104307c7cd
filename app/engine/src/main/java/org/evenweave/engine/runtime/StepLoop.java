package org.evenweave.engine.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A loop that runs on its caller's thread, and only when called: for an engine without a network
 * whose reaction to one event is needed. A task with a short delay runs when no other task is left,
 * and advances the clock by its delay; a task with a long delay never runs. Not thread-safe.
 */
public final class StepLoop implements EngineLoop {
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final long longestWaitNanos;
  private long skippedNanos;

  /**
   * @param longestWaitNanos tasks that are scheduled for later than this never run
   */
  public StepLoop(long longestWaitNanos) {
    this.longestWaitNanos = longestWaitNanos;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    if (delayNanos <= 0) {
      tasks.add(task);
    } else if (delayNanos <= longestWaitNanos) {
      waiting.add(task);
    }
  }

  /** As a task of its own. */
  @Override
  public void background(Runnable task) {
    tasks.add(task);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime() + skippedNanos;
  }

  /** Runs tasks, and those that they bring about, until there are none. */
  public void runAll() {
    while (!tasks.isEmpty() || !waiting.isEmpty()) {
      if (tasks.isEmpty()) {
        skippedNanos += longestWaitNanos;
        tasks.addAll(waiting);
        waiting.clear();
      }
      tasks.remove().run();
    }
  }
}
