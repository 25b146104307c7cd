package org.evenweave.engine.reconcile;

import java.util.List;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.events.TopologyEvents;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.PlanListener;
import org.evenweave.engine.forwarding.PlanOutcome;
import org.evenweave.engine.forwarding.UnsafePlanException;
import org.evenweave.engine.hosts.HostMemory;
import org.evenweave.engine.links.LinkMonitor;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.packets.TokenBucket;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.PlanTimes;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.engine.status.ViewPublisher;

/**
 * Updates the switches to the current network, one plan after another. {@link Changes} runs a step
 * for all events that arrived together:
 *
 * <ol>
 *   <li>Events, links and hosts are recorded from the new snapshot. If neither it nor anything else
 *       has changed, the step ends.
 *   <li>While a plan is being carried out, or the tables of a switch are unknown, the step waits.
 *       An event ends the plan after its present round. A change of hosts ends it only once it is
 *       in force: a port that sends from ever new addresses would end every plan, and no failure
 *       would be answered in time. For the same reason many changes of hosts are answered together.
 *   <li>After a start the switches keep what they hold until routes can be computed ({@link
 *       GracefulRestart}).
 *   <li>The desired tables are computed ({@link Computation}).
 *   <li>A plan to reach them is verified and carried out ({@link ForwardingManager}), and its
 *       result is recorded. Changes that came meanwhile start the next step.
 * </ol>
 *
 * <p>Timers delay only what is not urgent: rounds of a plan that switches have to settle before,
 * and another try after a refusal. A switch that connects is used once {@link InitialTableSync} has
 * read its tables. Belongs to the loop.
 */
public final class Reconciliation {
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
  private final HostMemory hosts;
  private final TrafficReweighting traffic;
  private final LinkMonitor links;
  private final Changes changes;
  private final TopologyEvents topologyEvents;
  private final InitialTableSync tableSync;
  private final GracefulRestart restart;
  private final Computation computation;
  private final RetryPause retryPause = new RetryPause();
  private final TokenBucket hostSteps;

  /** What the latest plan is for. */
  private Snapshot reconciled;

  /** Whether something came during the plan in progress that it should end for. */
  private boolean changedMeanwhile;

  /** Whether hosts changed during the plan in progress. */
  private boolean hostsChangedMeanwhile;

  /** Whether hosts have changed that wait for others to change, too. */
  private boolean hostsWait;

  /** Written by the loop alone. */
  private volatile long retries;

  public Reconciliation(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      EventLog events,
      ViewPublisher views,
      HostMemory hosts,
      TrafficReweighting traffic,
      LinkMonitor links,
      StageTimes times,
      Changes changes) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.events = events;
    this.views = views;
    this.hosts = hosts;
    this.traffic = traffic;
    this.links = links;
    this.changes = changes;
    topologyEvents = new TopologyEvents(events, nib.snapshot());
    restart = new GracefulRestart(nib, forwarding);
    tableSync =
        new InitialTableSync(loop, nib, forwarding, hosts, restart, changes, this::answerMeanwhile);
    computation = new Computation(loop, forwarding, times, traffic, changes);
    hostSteps = new TokenBucket(HOST_STEPS, HOST_STEPS, loop.nanoTime());
    views.unplannedChange(this::hasUnplannedChange);
    changes.onStep(this::step);
  }

  /**
   * @throws CannotFitException if the fabric as configured does not fit, naming the first switch
   *     whose table is too small
   */
  public static void requireFit(EngineConfig config) {
    Computation.ofWholeFabric(config);
  }

  public void close() {
    changes.close();
    computation.close();
  }

  /** A switch has connected: it is used once its tables have been read. */
  public void readTables(String switchId) {
    tableSync.start(switchId);
  }

  /** The tables that were computed last; null before there are any. */
  public DesiredState desired() {
    return computation.desired();
  }

  /** How many plans were made again because switches refused one. Safe for many threads. */
  public long retries() {
    return retries;
  }

  /** One step: from the network as it is to a plan in progress, or to nothing left to do. */
  private void step(long noticedNanos) {
    follow(noticedNanos);
    Snapshot snapshot = nib.snapshot();
    if (!isDue(snapshot)) {
      return;
    }
    boolean onlyHosts = !changes.take() && reconciled != null && snapshot.hasNetworkOf(reconciled);
    long throughSequence = events.lastSequence();
    if (forwarding.busy() || !forwarding.knowsAll(snapshot)) {
      awaitPlan(onlyHosts);
    } else if (onlyHosts && !hostSteps.take(loop.nanoTime())) {
      awaitMoreHosts();
    } else if (restart.isInProgress(snapshot, now -> computation.ofAll(now, nib.config()))) {
      keepInstalled(snapshot, throughSequence);
    } else {
      // The restart may have assumed tables of switches, which makes another snapshot.
      computeAndReach(nib.snapshot(), throughSequence);
    }
  }

  /** Others follow the network before anything is computed for it. */
  private void follow(long noticedNanos) {
    traffic.follow(nib.config());
    if (topologyEvents.follow(nib.snapshot(), noticedNanos)) {
      links.follow(nib.snapshot());
      hosts.follow(nib.snapshot(), nib);
    }
  }

  private boolean isDue(Snapshot snapshot) {
    return changes.arePending() || snapshot != reconciled;
  }

  private void awaitPlan(boolean onlyHosts) {
    changedMeanwhile |= !onlyHosts;
    hostsChangedMeanwhile |= onlyHosts;
    forwarding.reconsider();
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

  private void keepInstalled(Snapshot snapshot, long throughSequence) {
    reconciled = snapshot;
    views.adopting(snapshot, computation.lacksFlows());
    restart.keep(snapshot, listener(throughSequence, false));
  }

  private void computeAndReach(Snapshot snapshot, long throughSequence) {
    computation.compute(snapshot, nib.config());
    reconciled = snapshot;
    views.planning(computation.desired());
    try {
      reach(throughSequence);
    } catch (UnsafePlanException e) {
      views.failed(Event.Kind.UNSAFE, List.of(e.getMessage()));
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
          loop.schedule(Reconciliation.this::scheduleRetry, retryPause.next());
          computation.completeFlows();
        }
        answerMeanwhile();
      }
    };
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // by the loop alone
  private void scheduleRetry() {
    retries++;
    changes.changed();
  }

  /** Whether there is a change for which no plan has begun yet. */
  private boolean hasUnplannedChange() {
    return changedMeanwhile || hostsChangedMeanwhile || isDue(nib.snapshot());
  }

  /**
   * A plan has ended, or unknown tables have been read: the changes that came meanwhile are
   * answered now.
   */
  private void answerMeanwhile() {
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
