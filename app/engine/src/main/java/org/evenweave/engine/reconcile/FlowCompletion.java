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
    private volatile boolean cancelled;
    private Routing.Flows result;

    Run(Routing incomplete) {
      this.incomplete = incomplete;
    }

    void begin() {
      loop.background(
          () -> {
            Routing.Flows flows = incomplete.outstandingFlows(() -> cancelled);
            loop.execute(() -> end(flows));
          });
    }

    private void end(Routing.Flows flows) {
      if (!cancelled) {
        result = flows;
        changes.changed();
      }
    }
  }

  /** Starts to compute the missing flows of a routing, unless that is in progress or none miss. */
  void begin(Routing routing) {
    if (!routing.isComplete() && (latest == null || !routing.hasFlowsOf(latest.incomplete))) {
      cancel();
      latest = new Run(routing);
      latest.begin();
    }
  }

  /** Cancels the computation: the flows have changed, or are not needed any more. */
  void cancel() {
    if (latest != null) {
      latest.cancelled = true;
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
