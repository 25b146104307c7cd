package org.evenweave.sdd.loop;

import java.util.function.BiConsumer;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.tdma.TightTdma;

/**
 * Commands the hosts through a week: START when a day begins, STOP when it is over. Whatever
 * happens in a day, the next one comes; and pairs whose START came late have a {@linkplain
 * SecondChances second chance}.
 */
final class WeekCommands {
  private final CommandClock clock;
  private final HostCommands hosts;
  private final TightTdma recipe;
  private final SecondChances chances;
  private final BiConsumer<String, Throwable> faults;
  private volatile LateTotals totals = LateTotals.NONE;

  /**
   * @param faults takes what does not happen because of a fault, and the fault
   */
  WeekCommands(
      CommandClock clock,
      HostCommands hosts,
      SecondChances chances,
      BiConsumer<String, Throwable> faults) {
    this.clock = clock;
    this.hosts = hosts;
    this.recipe = new TightTdma(hosts);
    this.chances = chances;
    this.faults = faults;
  }

  /** Of all weeks that are over; from any thread. */
  LateTotals totals() {
    return totals;
  }

  void carryOut(Week week) throws InterruptedException {
    chances.begin(week);
    try {
      // Days may be added behind the last one.
      for (int day = 0; day < chances.schedule().days(); day++) {
        try {
          command(week, day);
        } catch (RuntimeException | Error e) {
          faults.accept("the rest of a day is skipped", e);
        }
      }
    } finally {
      totals = totals.plus(chances.end());
    }
  }

  private void command(Week week, int day) throws InterruptedException {
    Schedule schedule = chances.schedule();
    long fromNs = week.startNs() + schedule.startNs(day);
    long toNs = fromNs + schedule.durationNs(day);
    clock.await(fromNs);
    long nowNs = clock.nowNs();
    if (nowNs >= toNs) {
      chances.missed(day);
      if (day + 1 == schedule.days()) {
        planAgain(day);
      }
      return;
    }
    hosts.until(toNs);
    try {
      recipe.start(schedule, day);
      hosts.flush(week.period(), nowNs);
    } finally {
      chances.started(day, nowNs - fromNs, hosts::sent);
      planAgain(day);
    }
    clock.await(toNs);
    recipe.stop(schedule, day);
    hosts.flush(week.period(), clock.nowNs());
  }

  private void planAgain(int day) {
    try {
      chances.plan(day, clock.nowNs());
    } catch (RuntimeException | Error e) {
      faults.accept("cannot reschedule late circuit time in its week", e);
    }
  }
}
