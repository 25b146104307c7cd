package org.evenweave.engine;

import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.weights.PairTable;

/**
 * Computes the flows of pairs that are outstanding in a routing, beside the loop, so that no event
 * waits for them. What events have overtaken is given up. Belongs to the engine's loop.
 */
final class PairCompletion {
  private final EngineLoop loop;
  private final Runnable completed;
  private Run latest;

  /**
   * @param completed runs on the loop when {@link #in} has something new
   */
  PairCompletion(EngineLoop loop, Runnable completed) {
    this.loop = loop;
    this.completed = completed;
  }

  /** The computation for one table. */
  private final class Run {
    private final PairTable table;
    private volatile boolean givenUp;
    private PairTable result;

    Run(PairTable table) {
      this.table = table;
    }

    void begin() {
      loop.background(
          () -> {
            PairTable computed = table.completed(() -> givenUp);
            loop.execute(() -> end(computed));
          });
    }

    private void end(PairTable computed) {
      if (!givenUp) {
        result = computed;
        completed.run();
      }
    }
  }

  /** Begins with what is outstanding in a routing, unless that is under way or nothing is. */
  void begin(Routing routing) {
    if (!routing.pairs().isComplete() && (latest == null || latest.table != routing.pairs())) {
      giveUp();
      latest = new Run(routing.pairs());
      latest.begin();
    }
  }

  /** The pairs have changed, or do not matter any more. */
  void giveUp() {
    if (latest != null) {
      latest.givenUp = true;
      latest = null;
    }
  }

  /** A routing with what has been computed for it. */
  Routing in(Routing routing) {
    return latest == null || latest.result == null || latest.table != routing.pairs()
        ? routing
        : routing.withPairs(latest.result);
  }
}
