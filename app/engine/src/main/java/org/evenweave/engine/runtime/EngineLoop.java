package org.evenweave.engine.runtime;

import java.util.concurrent.Executor;

/** The one thread that owns the engine's state, and its clock; tests put a virtual one here. */
public interface EngineLoop extends Executor {
  /** Runs a task on the loop, once, after at least {@code delayNanos}. */
  void schedule(Runnable task, long delayNanos);

  /**
   * Runs a task beside the loop, after those given before: for work that takes long and touches
   * nothing that the loop owns.
   */
  void background(Runnable task);

  /** The clock of {@link System#nanoTime}. */
  long nanoTime();
}
