package org.evenweave.sdd.loop;

import java.util.concurrent.locks.LockSupport;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.evenweave.sdd.trigger.HeldPairs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observe, analyse, act, every period (Tewari 2015, section 4.5).
 *
 * <pre>
 *   period p                                period p + 1
 *   | hosts report | plan | announce ...    | hosts follow the schedule of p's demand
 * </pre>
 *
 * <p>So a change in what applications send has its circuits within two periods: one until a report
 * shows it, one until the schedule made of that starts. Weeks rotate through a few objects, so that
 * the loop allocates no memory that grows with the number of hosts.
 */
final class ControlLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

  /** One that is filled, two that wait, one that is carried out, one that was announced last. */
  private static final int WEEKS = 5;

  /** Reports are waited for during this part of the period at most: the rest is for planning. */
  private static final int COLLECT_PART = 4;

  private final SddConfig config;
  private final SessionTerms terms;
  private final Sessions sessions;
  private final SharedClock clock;
  private final PreciseTimer timer;
  private final Scheduler scheduler;
  private final Coupling coupling;
  private final DemandEstimator estimator;
  private final HeldPairs held;
  private final int hosts;
  private final boolean hasSwitch;
  private final Week[] weeks = new Week[WEEKS];
  private final PacketSlots packetSlots;
  private final ClockWatch clocks;
  private final FaultLog faults = new FaultLog(LOG::error, System::nanoTime);
  private final Thread planner = new Thread(this::run, "sdd-planner");

  /** What follows is changed by the planner and read by others, under the lock of {@code this}. */
  private final Observed observed;

  private final LoopTotals totals = new LoopTotals();
  private Week announced;

  /**
   * @param held pairs that get neither circuits nor packet slots for now
   */
  ControlLoop(
      SddConfig config, SessionTerms terms, Sessions sessions, Coupling coupling, HeldPairs held) {
    this.terms = terms;
    this.sessions = sessions;
    this.clock = config.clock();
    this.timer = new PreciseTimer(clock);
    this.scheduler = config.scheduler();
    this.coupling = coupling;
    this.held = held;
    this.hosts = scheduler.network().hosts();
    this.hasSwitch = config.directory().circuitSwitch() != null;
    this.observed = config.nothingObserved();
    this.estimator =
        new DemandEstimator(
            config.directory(),
            observed,
            config.network(),
            config.guardNs(),
            config.shortestSlotNs(),
            config.packetPlan());
    this.config = config;
    this.packetSlots = new PacketSlots(config, sessions, held);
    this.clocks = new ClockWatch(hosts, config.guardNs());
    for (int i = 0; i < WEEKS; i++) {
      weeks[i] = new Week(hosts);
    }
    planner.setDaemon(true);
  }

  void start() {
    planner.start();
  }

  /** A host has reported; from any thread. */
  void reported() {
    LockSupport.unpark(planner);
  }

  private void run() {
    long period = terms.periodAt(clock.nowNs()) + 1;
    while (timer.until(terms.startNs(period))) {
      if (!carryOut(period)) {
        return;
      }
      long now = terms.periodAt(clock.nowNs());
      synchronized (this) {
        totals.periods++;
        totals.skippedPeriods += Math.max(0, now - period);
      }
      period = Math.max(now, period) + 1;
    }
  }

  /** What is to be done in one period, from its start on; false if interrupted. */
  boolean carryOut(long period) {
    try {
      heartbeat(period);
      if (!awaitReports(period)) {
        return false;
      }
      packetSlots.announce(plan(period), observed);
    } catch (RuntimeException | Error e) {
      // A fault in one period must not leave hosts without a controller in all others.
      faults.report("no schedule for a period", e);
    }
    return true;
  }

  /** A host that has another clock gets none: it falls back, or follows another controller. */
  private void heartbeat(long period) {
    for (int number = 0; number < hosts; number++) {
      HostSession host = sessions.host(number);
      if (host != null && clocks.isShared(host)) {
        host.flush(period, clock.nowNs());
      }
    }
  }

  /** Returns when all connected hosts have reported or time is up; false if interrupted. */
  private boolean awaitReports(long period) {
    long deadlineNs = terms.startNs(period) + terms.periodNs() / COLLECT_PART;
    long leftNs = deadlineNs - clock.nowNs();
    while (leftNs > 0 && !allReported(period)) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(leftNs);
      leftNs = deadlineNs - clock.nowNs();
    }
    return true;
  }

  private boolean allReported(long period) {
    for (int number = 0; number < hosts; number++) {
      HostSession host = sessions.host(number);
      if (host != null && (host.demand() == null || host.demand().period() < period)) {
        return false;
      }
    }
    return true;
  }

  private Week plan(long period) {
    Week week = freeWeek();
    try {
      plan(period, week);
      return week;
    } catch (RuntimeException | Error e) {
      week.setBusy(false);
      throw e;
    }
  }

  private void plan(long period, Week week) {
    long startedNs = System.nanoTime();
    // One look for the plan and its orders: a switch that connects in between waits for a week.
    CircuitSession circuitSwitch = sessions.circuitSwitch();
    synchronized (this) {
      Schedule running =
          announced != null && announced.period() == period ? announced.schedule() : null;
      estimator.estimate(sessions, running, observed);
      for (int c = 0; c < observed.classes(); c++) {
        held.drop(observed.of(c));
      }
      observed.sum();
      week.of(period + 1, terms.startNs(period + 1));
      week.demand().copyFrom(observed.demand());
      if (circuitSwitch != null || !hasSwitch) {
        scheduler.plan(observed, week.schedule());
      } else {
        // Hosts that sent in slots would send into circuits that nobody ordered.
        week.schedule().clear(config.network().nightNs());
        week.schedule().remainder().copyFrom(observed.demand());
      }
    }
    long plannedNs = System.nanoTime();
    // A week counts as late only where a host is connected.
    boolean inTime = coupling.announce(week, circuitSwitch) || sessions.connected() == 0;
    synchronized (this) {
      totals.planned(plannedNs - startedNs, inTime);
      announced = week;
    }
  }

  private Week freeWeek() {
    for (Week week : weeks) {
      if (week != announced && !week.isBusy()) {
        week.setBusy(true);
        return week;
      }
    }
    throw new IllegalStateException("the previous weeks have not been executed yet");
  }

  /** A copy of what was planned for last. */
  synchronized Observed observed() {
    Observed copy = config.nothingObserved();
    copy.copyFrom(observed);
    return copy;
  }

  /** Copies of what was estimated and announced last. */
  synchronized LoopState state() {
    DemandMatrix demandCopy = new DemandMatrix(hosts);
    demandCopy.copyFrom(observed.demand());
    return new LoopState(demandCopy, announced, totals.copy(), packetSlots.rates());
  }

  @Override
  public void close() {
    planner.interrupt();
    try {
      planner.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    coupling.close();
  }
}
