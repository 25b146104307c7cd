package org.evenweave.sdd.loop;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.evenweave.sdd.tdma.TightTdma;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tight loop, as in REACToR (Tewari 2015, sections 4.7.1 and 5.4.1): a thread that does nothing
 * else starts each queue when its day begins, and stops it when the day is over.
 *
 * <p>The circuit switch gets all days ahead of time. A START says when it ends by itself, so that a
 * lost STOP sends no packet into the night.
 *
 * <p>The thread is the only one that starts queues, so whatever happens in a day, it goes on with
 * the next one: what is started closes by itself at the end of its day. Only {@link #close} ends
 * it.
 */
final class TightCoupling implements Coupling {
  private static final Logger LOG = LoggerFactory.getLogger(TightCoupling.class);
  private static final int WEEKS_AHEAD = 2;

  private final Sessions sessions;
  private final SharedClock clock;
  private final PreciseTimer timer;
  private final CircuitOrders circuits;
  private final ControlPackets packets;
  private final TightTdma recipe;
  private final BlockingQueue<Week> weeks = new ArrayBlockingQueue<>(WEEKS_AHEAD);
  private final AtomicLong lateDays = new AtomicLong();
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
    this.circuits = new CircuitOrders(config);
    this.packets = new ControlPackets(sessions, config.guardNs(), config.directory());
    this.recipe = new TightTdma(packets);
    commander.setDaemon(true);
    commander.start();
  }

  @Override
  public boolean announce(Week week) {
    CircuitSession circuitSwitch = sessions.circuitSwitch();
    if (circuitSwitch != null) {
      circuits.order(week, circuitSwitch);
    }
    if (!weeks.offer(week)) {
      week.setBusy(false);
      return false;
    }
    return clock.nowNs() < week.startNs();
  }

  /** Days that were over before their START could be sent. */
  long lateDays() {
    return lateDays.get();
  }

  private void command() {
    while (!isClosed) {
      try {
        Week week = weeks.take();
        try {
          command(week);
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

  private void command(Week week) throws InterruptedException {
    Schedule schedule = week.schedule();
    for (int day = 0; day < schedule.days(); day++) {
      try {
        command(week, day);
      } catch (RuntimeException | Error e) {
        report("the rest of a day is skipped", e);
      }
    }
  }

  private void command(Week week, int day) throws InterruptedException {
    Schedule schedule = week.schedule();
    long toNs = week.dayEndNs(day);
    await(week.dayStartNs(day));
    if (clock.nowNs() >= toNs) {
      lateDays.incrementAndGet();
      return;
    }
    packets.until(toNs);
    recipe.start(schedule, day);
    packets.flush(week.period(), clock.nowNs());
    await(toNs);
    recipe.stop(schedule, day);
    packets.flush(week.period(), clock.nowNs());
  }

  /** Logs a fault, unless that is what fails: out of memory, for one, the log may be too. */
  private void report(String consequence, Throwable fault) {
    try {
      faults.report(consequence, fault);
    } catch (RuntimeException | Error e) {
      // The thread goes on all the same.
    }
  }

  private void await(long timeNs) throws InterruptedException {
    while (!timer.until(timeNs)) {
      if (isClosed) {
        throw new InterruptedException();
      }
      Thread.interrupted();
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
