package org.evenweave.engine.runtime;

import java.util.function.LongConsumer;

/**
 * Collects changes that the switches' tables may have to follow, and runs one step of the engine
 * for all that were reported before it. Every part of the engine that changes something reports it
 * here. Belongs to the loop.
 */
public final class Changes {
  private final EngineLoop loop;
  private LongConsumer step = noticedNanos -> {};
  private boolean stepQueued;

  /** When the first of the reported changes was noticed. */
  private long noticedNanos;

  /** Whether a step has work to do even if the snapshot is the same. */
  private boolean pending;

  private boolean closed;

  public Changes(EngineLoop loop) {
    this.loop = loop;
  }

  /**
   * @param newStep runs for the changes reported since the step before, and gets the time when the
   *     first of them was noticed
   */
  public void onStep(LongConsumer newStep) {
    step = newStep;
  }

  /** No step runs any more. */
  public void close() {
    closed = true;
  }

  /** Something changed now. */
  public void changed() {
    changed(loop.nanoTime());
  }

  /** Something changed that need not show in the snapshot, first noticed at this time. */
  public void changed(long atNanos) {
    pending = true;
    mayHaveChanged(atNanos);
  }

  /** Something happened now that need not have changed the network. */
  public void mayHaveChanged() {
    mayHaveChanged(loop.nanoTime());
  }

  /** Something happened, first noticed at this time; the snapshot shows whether it matters. */
  public void mayHaveChanged(long atNanos) {
    noticedNanos = stepQueued ? Math.min(noticedNanos, atNanos) : atNanos;
    if (!stepQueued && !closed) {
      stepQueued = true;
      loop.execute(this::runStep);
    }
  }

  private void runStep() {
    stepQueued = false;
    if (!closed) {
      step.accept(noticedNanos);
    }
  }

  /** Whether a step has work to do even if the snapshot is the same. */
  public boolean arePending() {
    return pending;
  }

  /** Ends {@link #arePending}, and returns what it was: the step that runs does the work. */
  public boolean take() {
    boolean were = pending;
    pending = false;
    return were;
  }
}
