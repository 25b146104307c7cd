package org.evenweave.bench.scale;

import java.util.ArrayDeque;
import java.util.Deque;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * An engine's loop on the thread that measures: tasks run when asked for, and those that are
 * scheduled for later never do, so that what is timed is the answer to one event and nothing else.
 */
final class StepLoop implements EngineLoop {
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    if (delayNanos <= 0) {
      tasks.add(task);
    }
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  /** Runs tasks, and those that they bring about, until there are none. */
  void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
