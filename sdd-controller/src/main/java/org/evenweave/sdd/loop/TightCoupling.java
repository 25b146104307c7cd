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
  private final FaultLog faults = new FaultLog(LOG::error, System::nanoTime);
  private final Thread commander = new Thread(this::command, "sdd-commander");

  TightCoupling(SddConfig config, Sessions sessions) {
    this.sessions = sessions;
    this.clock = config.clock();
    this.timer = new PreciseTimer(config.clock());
    this.circuits = new CircuitOrders(config);
    this.packets = new ControlPackets(sessions, config.guardNs(), config.directory().count());
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
    try {
      while (true) {
        Week week = weeks.take();
        try {
          command(week);
        } catch (RuntimeException | Error e) {
          // This thread is the only one that starts queues: it goes on with the next week. What is
          // started closes by itself at the end of its day.
          faults.report("the rest of a week is skipped", e);
        } finally {
          week.setBusy(false);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void command(Week week) throws InterruptedException {
    Schedule schedule = week.schedule();
    for (int day = 0; day < schedule.days(); day++) {
      long toNs = week.dayEndNs(day);
      await(week.dayStartNs(day));
      if (clock.nowNs() >= toNs) {
        lateDays.incrementAndGet();
        continue;
      }
      packets.until(toNs);
      recipe.start(schedule, day);
      packets.flush(week.period(), clock.nowNs());
      await(toNs);
      recipe.stop(schedule, day);
      packets.flush(week.period(), clock.nowNs());
    }
  }

  private void await(long timeNs) throws InterruptedException {
    if (!timer.until(timeNs)) {
      throw new InterruptedException();
    }
  }

  @Override
  public void close() {
    commander.interrupt();
    try {
      commander.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
