package org.evenweave.bench.scale;

import java.util.ArrayDeque;
import java.util.Deque;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * An engine's loop on the thread that measures: tasks run when asked for, so that what is timed is
 * the answer to one event and nothing else. What waits for switches to settle runs when there is
 * nothing else to do, with the clock moved on by as much; what is scheduled for later never does.
 */
final class StepLoop implements EngineLoop {
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private long skippedNanos;

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    if (delayNanos <= 0) {
      tasks.add(task);
    } else if (delayNanos <= ForwardingManager.SETTLING_NANOS) {
      waiting.add(task);
    }
  }

  @Override
  public long nanoTime() {
    return System.nanoTime() + skippedNanos;
  }

  /** Runs tasks, and those that they bring about, until there are none. */
  void runAll() {
    while (!tasks.isEmpty() || !waiting.isEmpty()) {
      if (tasks.isEmpty()) {
        skippedNanos += ForwardingManager.SETTLING_NANOS;
        tasks.addAll(waiting);
        waiting.clear();
      }
      tasks.remove().run();
    }
  }
}
