package org.evenweave.engine.reconcile;

import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * Computes the missing flows of a routing on a background thread, so that no event waits for them.
 * A computation is cancelled when an event makes it obsolete. Belongs to the engine's loop.
 */
final class FlowCompletion {
  private final EngineLoop loop;
  private final Changes changes;
  private Run latest;

  /**
   * @param changes gets that {@link #in} has something new
   */
  FlowCompletion(EngineLoop loop, Changes changes) {
    this.loop = loop;
    this.changes = changes;
  }

  /** The computation for one routing. */
  private final class Run {
    private final Routing incomplete;
    private volatile boolean givenUp;
    private Routing.Flows result;

    Run(Routing incomplete) {
      this.incomplete = incomplete;
    }

    void begin() {
      loop.background(
          () -> {
            Routing.Flows flows = incomplete.outstandingFlows(() -> givenUp);
            loop.execute(() -> end(flows));
          });
    }

    private void end(Routing.Flows flows) {
      if (!givenUp) {
        result = flows;
        changes.changed();
      }
    }
  }

  /** Begins with what is outstanding in a routing, unless that is under way or nothing is. */
  void begin(Routing routing) {
    if (!routing.isComplete() && (latest == null || !routing.hasFlowsOf(latest.incomplete))) {
      giveUp();
      latest = new Run(routing);
      latest.begin();
    }
  }

  /** The flows have changed, or do not matter any more. */
  void giveUp() {
    if (latest != null) {
      latest.givenUp = true;
      latest = null;
    }
  }

  /** A routing with what has been computed for it. */
  Routing in(Routing routing) {
    return latest == null || latest.result == null || !routing.lacks(latest.result)
        ? routing
        : routing.with(latest.result);
  }
}
