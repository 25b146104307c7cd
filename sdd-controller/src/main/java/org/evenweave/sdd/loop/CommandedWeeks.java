package org.evenweave.sdd.loop;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BiConsumer;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.Sessions;

/**
 * The weeks of the tight loop: the planner announces them, and the commander carries them out one
 * after the other. The circuit switch gets all days ahead of time, and what {@link SecondChances}
 * changes of them.
 */
final class CommandedWeeks {
  private static final int WEEKS_AHEAD = 2;

  /** What a circuit switch keeps of configurations that wait. */
  private static final int MOST_CONFIGURATIONS = 1024;

  private final Sessions sessions;
  private final CommandClock clock;
  private final boolean hasSwitch;

  /** The planner orders weeks, the commander changes the one that runs: one at a time. */
  private final Object ordering = new Object();

  private final CircuitOrders circuits;
  private final WeekCommands commands;
  private final BlockingQueue<Week> weeks = new ArrayBlockingQueue<>(WEEKS_AHEAD);

  /**
   * @param faults takes what does not happen because of a fault, and the fault
   */
  CommandedWeeks(
      SddConfig config,
      Sessions sessions,
      CommandClock clock,
      BiConsumer<String, Throwable> faults) {
    this.sessions = sessions;
    this.clock = clock;
    this.hasSwitch = config.directory().circuitSwitch() != null;
    this.circuits = new CircuitOrders(config);
    this.commands =
        new WeekCommands(
            clock,
            new ControlPackets(sessions, config.guardNs(), config.directory()),
            new SecondChances(config.network(), config.shortestSlotNs(), new Changes()),
            faults);
  }

  /** As {@link Coupling#announce}. */
  boolean announce(Week week, CircuitSession circuitSwitch) {
    synchronized (ordering) {
      if (circuitSwitch != null) {
        circuits.order(week.schedule(), week.startNs(), 0, circuitSwitch);
      }
      if (!weeks.offer(week)) {
        week.setBusy(false);
        return false;
      }
    }
    return clock.nowNs() < week.startNs();
  }

  /** Carries out the week that was announced first; waits until there is one. */
  void carryOutNext() throws InterruptedException {
    Week week = weeks.take();
    try {
      commands.carryOut(week);
    } finally {
      week.setBusy(false);
    }
  }

  /** What START came too late for, in the weeks that are over; from any thread. */
  LateTotals late() {
    return commands.totals();
  }

  private final class Changes implements CircuitChanges {
    @Override
    public boolean fit(int days) {
      int waiting = days;
      for (Week week : weeks) {
        waiting += week.schedule().days();
      }
      return !hasSwitch || (sessions.circuitSwitch() != null && waiting <= MOST_CONFIGURATIONS);
    }

    /** The switch forgets what waits behind a new order, so the weeks to come are repeated. */
    @Override
    public void order(Schedule schedule, long weekStartNs, int fromDay) {
      synchronized (ordering) {
        CircuitSession circuitSwitch = sessions.circuitSwitch();
        if (circuitSwitch == null) {
          if (hasSwitch) {
            throw new IllegalStateException("the circuit switch has disconnected");
          }
          return;
        }
        circuits.order(schedule, weekStartNs, fromDay, circuitSwitch);
        for (Week week : weeks) {
          circuits.order(week.schedule(), week.startNs(), 0, circuitSwitch);
        }
      }
    }
  }
}
