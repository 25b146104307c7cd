package org.evenweave.engine;

import java.util.List;
import java.util.function.LongConsumer;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.PlanListener;
import org.evenweave.engine.forwarding.PlanOutcome;
import org.evenweave.engine.forwarding.UnsafePlanException;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.packets.TokenBucket;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.PlanTimes;

/**
 * Updates the switches to the current network, one plan after another.
 *
 * <p>Events that arrive together are answered together; one that arrives while a plan is being
 * carried out ends that plan after its present round, and is answered then. A host that is new, has
 * moved or is gone does so only once the plan is in force: a port that sends from ever other
 * addresses would end every plan, and no failure would be answered in time. For the same reason
 * many such changes are answered together. Only what is not urgent waits for a timer: rounds of a
 * plan that switches have to settle before ({@link ForwardingManager}), and another try after a
 * refusal. After a start it keeps to what it finds installed until it knows enough to do better
 * ({@link GracefulRestart}). Belongs to the loop.
 */
final class Reconciliation {
  /**
   * Steps in a second, in the long run and at once, for nothing but hosts that are new, have moved
   * or are gone. Each has a switch look through all flows that it caches.
   */
  private static final int HOST_STEPS = 10;

  private static final long HOST_PAUSE_NANOS = 1_000_000_000L / HOST_STEPS;

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final EventLog events;
  private final ViewPublisher views;
  private final GracefulRestart adoption;
  private final Computation computation;
  private final InitialTableSync tableSync;
  private final Changes changes;
  private final LongConsumer follow;
  private final RetryPause retryPause = new RetryPause();
  private final TokenBucket hostSteps;

  /** What the latest plan is for. */
  private Snapshot reconciled;

  /** Whether something came during the plan under way that it should end for. */
  private boolean changedMeanwhile;

  /** Whether hosts changed during the plan under way. */
  private boolean hostsChangedMeanwhile;

  /** Whether hosts have changed that wait for others to change, too. */
  private boolean hostsWait;

  /** Written by the loop alone. */
  private volatile long retries;

  /**
   * @param follow has others follow the network before each step; gets when the first of the events
   *     since the last step was noticed
   */
  Reconciliation(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      EventLog events,
      ViewPublisher views,
      GracefulRestart adoption,
      Computation computation,
      InitialTableSync tableSync,
      Changes changes,
      LongConsumer follow) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.events = events;
    this.views = views;
    this.adoption = adoption;
    this.computation = computation;
    this.tableSync = tableSync;
    this.changes = changes;
    this.follow = follow;
    hostSteps = new TokenBucket(HOST_STEPS, HOST_STEPS, loop.nanoTime());
    views.unplannedChange(this::hasUnplannedChange);
    changes.onStep(this::reconcile);
  }

  /** One step: from the network as it is to a plan under way, or to nothing left to do. */
  private void reconcile(long noticedNanos) {
    follow.accept(noticedNanos);
    Snapshot snapshot = nib.snapshot();
    if (!isDue(snapshot)) {
      return;
    }
    boolean onlyHosts =
        !changes.take() && reconciled != null && snapshot.hasNetworkOf(reconciled);
    if (forwarding.busy() || !forwarding.knowsAll(snapshot)) {
      changedMeanwhile |= !onlyHosts;
      hostsChangedMeanwhile |= onlyHosts;
      forwarding.reconsider();
      return;
    }
    if (onlyHosts && !hostSteps.take(loop.nanoTime())) {
      awaitMoreHosts();
      return;
    }
    long throughSequence = events.lastSequence();
    if (adoption.isUnderWay(snapshot, now -> computation.ofAll(now, nib.config()))) {
      reconciled = snapshot;
      views.adopting(snapshot, computation.lacksFlows());
      adoption.keep(snapshot, listener(throughSequence, false));
      return;
    }
    // What is adopted now may have made this another snapshot.
    snapshot = nib.snapshot();
    computation.compute(snapshot, nib.config());
    reconciled = snapshot;
    views.planning(computation.desired());
    try {
      reach(throughSequence);
    } catch (UnsafePlanException e) {
      views.failed(Event.Kind.UNSAFE, List.of(e.getMessage()));
    }
  }

  private void awaitMoreHosts() {
    if (!hostsWait) {
      hostsWait = true;
      loop.schedule(
          () -> {
            hostsWait = false;
            changes.mayHaveChanged();
          },
          HOST_PAUSE_NANOS);
    }
  }

  private void reach(long throughSequence) {
    try {
      forwarding.reach(computation.desired(), listener(throughSequence, true));
    } catch (UnsafePlanException e) {
      if (reconciled.held().isEmpty()) {
        throw e;
      }
      computation.computeWithoutCutOff(reconciled, nib.config());
      views.planning(computation.desired());
      forwarding.reach(computation.desired(), listener(throughSequence, true));
    }
  }

  /** {@code asDesired}: whether the plan leads to all that is desired. */
  private PlanListener listener(long throughSequence, boolean asDesired) {
    return new PlanListener() {
      private boolean isInForce;

      @Override
      public boolean isOutdated() {
        return changedMeanwhile || (isInForce && hostsChangedMeanwhile);
      }

      @Override
      public void inForce(int groupsChanged, int flowsChanged) {
        isInForce = true;
        PlanTimes made = asDesired ? computation.planTimes() : PlanTimes.NONE;
        events.confirm(throughSequence, loop.nanoTime(), groupsChanged, flowsChanged, made);
        computation.completeFlows();
      }

      @Override
      public void ended(PlanOutcome outcome) {
        if (outcome.complete()) {
          retryPause.reset();
          if (asDesired && computation.desired().isStage()) {
            changes.changed();
          }
          views.confirmed(asDesired && !hasUnplannedChange());
        } else if (!outcome.failures().isEmpty()) {
          views.failed(Event.Kind.REFUSED, List.copyOf(outcome.failures().values()));
          outcome.failures().keySet().forEach(tableSync::startUnlessKnown);
          loop.schedule(Reconciliation.this::tryAgain, retryPause.next());
          computation.completeFlows();
        }
        answerMeanwhile();
      }
    };
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // by the loop alone
  private void tryAgain() {
    retries++;
    changes.changed();
  }

  /** How many plans were made again because switches refused one. Safe for many threads. */
  long retries() {
    return retries;
  }

  private boolean isDue(Snapshot snapshot) {
    return changes.arePending() || snapshot != reconciled;
  }

  /** Whether there is a change for which no plan has begun yet. */
  private boolean hasUnplannedChange() {
    return changedMeanwhile || hostsChangedMeanwhile || isDue(nib.snapshot());
  }

  /** Something that a step waited for has ended: what came meanwhile is answered now. */
  void answerMeanwhile() {
    boolean changed = changedMeanwhile;
    boolean hostsChanged = hostsChangedMeanwhile;
    changedMeanwhile = false;
    hostsChangedMeanwhile = false;
    if (changed) {
      changes.changed();
    } else if (hostsChanged) {
      changes.mayHaveChanged();
    }
  }
}
