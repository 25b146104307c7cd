package org.evenweave.sdd.loop;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.evenweave.sdd.tdma.TightTdma;

/**
 * The tight loop, as in REACToR (Tewari 2015, sections 4.7.1 and 5.4.1): a thread that does nothing
 * else starts each queue when its day begins, and stops it before the day is over.
 *
 * <p>The circuit switch gets all days ahead of time. A START says when it ends by itself, so that a
 * lost STOP sends no packet into the night.
 */
final class TightCoupling implements Coupling {
  private static final int WEEKS_AHEAD = 2;

  private final SessionTerms terms;
  private final Sessions sessions;
  private final SharedClock clock;
  private final Waiting waiting;
  private final CircuitOrders circuits;
  private final ControlPackets packets;
  private final TightTdma recipe;
  private final BlockingQueue<Week> weeks = new ArrayBlockingQueue<>(WEEKS_AHEAD);
  private final AtomicLong lateDays = new AtomicLong();
  private final Thread commander = new Thread(this::command, "sdd-commander");

  TightCoupling(SessionTerms terms, Sessions sessions, SharedClock clock, int hosts) {
    this.terms = terms;
    this.sessions = sessions;
    this.clock = clock;
    this.waiting = new Waiting(clock);
    this.circuits = new CircuitOrders(hosts);
    this.packets = new ControlPackets(sessions, terms.guardNs(), hosts);
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
        command(week);
        week.setBusy(false);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void command(Week week) throws InterruptedException {
    Schedule schedule = week.schedule();
    for (int day = 0; day < schedule.days(); day++) {
      long fromNs = week.dayStartNs(day) + terms.guardNs();
      long toNs = week.dayEndNs(day) - terms.guardNs();
      if (fromNs >= toNs) {
        continue;
      }
      await(fromNs);
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
    if (!waiting.until(timeNs)) {
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
