package org.evenweave.engine.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A loop that runs on the thread of its caller, and only when called: for an engine without a
 * network, of which only the answer to one event is needed. What is scheduled for a little later
 * runs when there is nothing else to do, with the clock moved on by as much; what is scheduled for
 * much later never does. Not thread-safe.
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
