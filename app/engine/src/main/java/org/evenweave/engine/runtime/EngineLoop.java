package org.evenweave.engine.runtime;

import java.util.concurrent.Executor;

/** The one thread that owns the engine's state, and its clock; tests put a virtual one here. */
public interface EngineLoop extends Executor {
  /** Runs a task on the loop, once, after at least {@code delayNanos}. */
  void schedule(Runnable task, long delayNanos);

  /** The clock of {@link System#nanoTime}. */
  long nanoTime();
}
