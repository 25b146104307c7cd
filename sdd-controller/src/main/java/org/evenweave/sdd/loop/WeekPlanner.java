package org.evenweave.sdd.loop;

import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;

/**
 * Plans the weeks that a controller would plan, from reports of any source: the same estimate of
 * demand and the same scheduler, without sessions and clocks, and without hybrid. Not thread-safe.
 */
public final class WeekPlanner {
  private final Scheduler scheduler;
  private final DemandEstimate estimate;
  private final DemandMatrix demand;

  /** The week that was planned last, and the one that is planned next. */
  private Schedule running;

  private Schedule next;

  /** A controller that has planned nothing yet. */
  public WeekPlanner(SddConfig config) {
    int hosts = config.network().hosts();
    scheduler = config.scheduler();
    estimate = new DemandEstimate(config.network(), config.shortestSlotNs(), null);
    demand = new DemandMatrix(hosts);
    running = new Schedule(hosts);
    next = new Schedule(hosts);
    estimate.during(running, null);
  }

  /**
   * What a host reports of one queue when the week that was planned last begins. Pairs of which
   * nothing is reported until {@link #plan} have nothing queued.
   *
   * @param queuedBytes waiting now, 0 or more
   * @param arrivedBytes since the report before, 0 or more
   */
  public void report(int source, int destination, long queuedBytes, long arrivedBytes) {
    demand.set(
        source,
        destination,
        estimate.bytes(0, source, destination, queuedBytes, arrivedBytes, false));
  }

  /** Plans the week after it. Valid until the next call. */
  public Schedule plan() {
    scheduler.plan(demand, next);
    Schedule planned = next;
    next = running;
    running = planned;
    demand.clear();
    estimate.during(running, null);
    return planned;
  }
}
