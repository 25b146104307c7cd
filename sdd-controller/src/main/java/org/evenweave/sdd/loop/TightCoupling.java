package org.evenweave.sdd.loop;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tight loop, as in REACToR (Tewari 2015, sections 4.7.1 and 5.4.1): a thread that does nothing
 * else starts each queue when its day begins, and stops it when the day is over.
 *
 * <p>The circuit switch gets all days ahead of time, and what {@link SecondChances} changes of
 * them. A START says when it ends by itself, so that a lost STOP sends no packet into the night.
 *
 * <p>The thread is the only one that starts queues, so whatever happens in a day, it goes on with
 * the next one: what is started closes by itself at the end of its day. Only {@link #close} ends
 * it.
 */
final class TightCoupling implements Coupling {
  private static final Logger LOG = LoggerFactory.getLogger(TightCoupling.class);
  private static final int WEEKS_AHEAD = 2;

  /** What a circuit switch keeps of configurations that wait. */
  private static final int MOST_CONFIGURATIONS = 1024;

  private final Sessions sessions;
  private final SharedClock clock;
  private final PreciseTimer timer;
  private final boolean hasSwitch;

  /** The planner orders weeks, the commander changes the one that runs: one at a time. */
  private final Object ordering = new Object();

  private final CircuitOrders circuits;
  private final WeekCommands commands;
  private final BlockingQueue<Week> weeks = new ArrayBlockingQueue<>(WEEKS_AHEAD);
  private final FaultLog faults;
  private final Thread commander = new Thread(this::command, "sdd-commander");
  private volatile boolean isClosed;

  TightCoupling(SddConfig config, Sessions sessions) {
    this(config, sessions, new FaultLog(LOG::error, System::nanoTime));
  }

  TightCoupling(SddConfig config, Sessions sessions, FaultLog faults) {
    this.sessions = sessions;
    this.faults = faults;
    this.clock = config.clock();
    this.timer = new PreciseTimer(config.clock());
    this.hasSwitch = config.directory().circuitSwitch() != null;
    this.circuits = new CircuitOrders(config);
    this.commands =
        new WeekCommands(
            new Waiting(),
            new ControlPackets(sessions, config.guardNs(), config.directory()),
            new SecondChances(config.network(), config.shortestSlotNs(), new Changes()),
            this::report);
    commander.setDaemon(true);
    commander.start();
  }

  @Override
  public boolean announce(Week week, CircuitSession circuitSwitch) {
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

  /** What START came too late for, in the weeks that are over. */
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

  private final class Waiting implements CommandClock {
    @Override
    public long nowNs() {
      return clock.nowNs();
    }

    @Override
    public void await(long timeNs) throws InterruptedException {
      while (!timer.until(timeNs)) {
        if (isClosed) {
          throw new InterruptedException();
        }
        Thread.interrupted();
      }
    }
  }

  private void command() {
    while (!isClosed) {
      try {
        Week week = weeks.take();
        try {
          commands.carryOut(week);
        } finally {
          week.setBusy(false);
        }
      } catch (InterruptedException e) {
        // By close(), which the loop's condition tells; if by anybody else, it means nothing.
        Thread.interrupted();
      } catch (RuntimeException | Error e) {
        report("the rest of a week is skipped", e);
      }
    }
  }

  /** Logs a fault, unless that is what fails: out of memory, for one, the log may be too. */
  private void report(String consequence, Throwable fault) {
    try {
      faults.report(consequence, fault);
    } catch (RuntimeException | Error e) {
      // The thread goes on anyway.
    }
  }

  @Override
  public void close() {
    isClosed = true;
    commander.interrupt();
    try {
      commander.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
