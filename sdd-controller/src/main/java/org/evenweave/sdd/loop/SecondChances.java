package org.evenweave.sdd.loop;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.loop.LateCircuits.Debt;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;

/**
 * Reschedules circuit time that pairs lost through a late START in the same week.
 *
 * <p><b>Where.</b> First in later days in which both of their ports are free: without a circuit, or
 * with one planned without demand. Then in additional days after the week's last one, each with its
 * night. So no pair loses a planned circuit, no port is in two circuits, and everything ends with
 * the week. Time without a place becomes demand of the next week.
 *
 * <p><b>What is late.</b> Hosts do not answer STARTs, so what counts is when they were sent: later
 * than the day's begin by {@code leastNs} or more, or not at all, as to a host without a session,
 * or by a fault. Only what the pair's demand needed of the day counts.
 *
 * <p><b>Bounded.</b> Days are planned again {@link #MOST_PLANS} times in a week, {@link
 * #MOST_PLANS_UNSENT} of them if only some hosts got no START, each time with the next {@link
 * #MOST_DAYS}; behind the week's end there are {@link #MOST_OWN_DAYS}. Where nothing is late,
 * nothing is copied or allocated. Not thread-safe.
 */
final class SecondChances {
  static final int MOST_PLANS = 16;

  /** Of these, so many for hosts alone that get no START: one of them must not use up all. */
  static final int MOST_PLANS_UNSENT = MOST_PLANS / 2;

  static final int MOST_DAYS = 64;
  static final int MOST_OWN_DAYS = 8;

  /** A circuit that replaces one that was late. */
  private static final class Replacement {
    private final Debt debt;
    private final long ns;

    Replacement(Debt debt, long ns) {
      this.debt = debt;
      this.ns = ns;
    }
  }

  private final CircuitNetwork network;
  private final int hosts;
  private final long leastNs;
  private final CircuitChanges circuits;
  private final LateCircuits late;

  /** By {@code day * hosts + source}. */
  private final Map<Integer, Replacement> replacements = new HashMap<>();

  private final Map<Integer, Replacement> planned = new HashMap<>();
  private final int[] destinationOf;
  private final int[] sourceOf;

  /** Two to change in turns, as each is made of the other; null until something is late. */
  private Schedule[] changed;

  private Week week;
  private Schedule schedule;
  private DemandMatrix demand;
  private int plans;
  private int ownDays;

  /** How many plans there may be by what was lost since the last one; 0: nothing was. */
  private int plansDue;

  /**
   * @param leastNs less is neither late nor worth a circuit; circuits can be ordered so long ahead
   */
  SecondChances(CircuitNetwork network, long leastNs, CircuitChanges circuits) {
    this.network = network;
    this.hosts = network.hosts();
    this.leastNs = Math.max(1, leastNs);
    this.circuits = circuits;
    this.late = new LateCircuits(hosts, this.leastNs);
    this.destinationOf = new int[hosts];
    this.sourceOf = new int[hosts];
  }

  void begin(Week newWeek) {
    week = newWeek;
    schedule = newWeek.schedule();
    demand = newWeek.demand();
    replacements.clear();
    plans = 0;
    ownDays = 0;
    plansDue = 0;
  }

  /** The week's days as they are now. Those that have begun do not change. */
  Schedule schedule() {
    return schedule;
  }

  /** A day was over before its START could be sent. */
  void missed(int day) {
    late.dayIsLate();
    started(day, schedule.durationNs(day), host -> false);
  }

  /**
   * A day's START was sent.
   *
   * @param lateNs after the day's begin
   * @param sent to which hosts; others have not got theirs
   */
  void started(int day, long lateNs, IntPredicate sent) {
    long dayNs = schedule.durationNs(day);
    int plansByLoss = lateNs >= leastNs ? MOST_PLANS : MOST_PLANS_UNSENT;
    for (int source = 0; source < hosts; source++) {
      int destination = schedule.destination(day, source);
      if (isNone(source, destination)) {
        continue;
      }
      long lostNs = sent.test(source) ? Math.min(dayNs, lateNs) : dayNs;
      Replacement second = replacements.isEmpty() ? null : replacements.get(day * hosts + source);
      if (second == null && lostNs < leastNs) {
        continue;
      }
      if (second != null) {
        second.debt.regain(second.ns, Math.min(second.ns, dayNs - lostNs));
        plansDue = lostNs >= leastNs ? Math.max(plansDue, plansByLoss) : plansDue;
        continue;
      }
      long neededNs = network.circuitNs(demand.get(source, destination)) - (dayNs - lostNs);
      if (Math.min(lostNs, neededNs) >= leastNs) {
        late.lose(source, destination, Math.min(lostNs, neededNs));
        plansDue = Math.max(plansDue, plansByLoss);
      }
    }
  }

  /** Plans second chances behind a day, which was started or missed. */
  void plan(int day, long nowNs) {
    boolean isLast = day + 1 == schedule.days();
    if (isLast ? ownDays == MOST_OWN_DAYS : plans >= plansDue) {
      return;
    }
    List<Debt> owed = late.owed();
    if (owed.isEmpty() || !circuits.fit(schedule.days() - day - 1 + MOST_OWN_DAYS)) {
      return;
    }
    plansDue = 0;
    plans++;
    planned.clear();
    Schedule next = copyUntil(day);
    int first = isLast ? addOwnDays(next, owed, nowNs) : fillDays(next, day + 1, owed, nowNs);
    if (planned.isEmpty()) {
      return;
    }
    try {
      circuits.order(next, week.startNs(), first);
    } catch (RuntimeException | Error e) {
      planned.values().forEach(second -> second.debt.regain(second.ns, 0));
      throw e;
    }
    replacements.putAll(planned);
    schedule = next;
  }

  /** Ends the week: what was late in it, and what was made good. */
  LateTotals end() {
    return late.end();
  }

  private Schedule copyUntil(int day) {
    if (changed == null) {
      changed = new Schedule[] {new Schedule(hosts), new Schedule(hosts)};
    }
    Schedule copy = schedule == changed[0] ? changed[1] : changed[0];
    copy.clear(schedule.nightNs());
    for (int before = 0; before <= day; before++) {
      matching(before);
      addDay(copy, schedule.startNs(before), schedule.durationNs(before));
    }
    return copy;
  }

  private void matching(int day) {
    for (int source = 0; source < hosts; source++) {
      destinationOf[source] = schedule.destination(day, source);
    }
  }

  private void addDay(Schedule into, long startNs, long dayNs) {
    into.pause(startNs - into.nightNs() - into.lengthNs());
    into.addDay(destinationOf, 0, dayNs);
  }

  /**
   * Adds the days from one on, with circuits where their ports are free.
   *
   * @return the first day that differs from what it was
   */
  private int fillDays(Schedule into, int from, List<Debt> owed, long nowNs) {
    int first = Integer.MAX_VALUE;
    for (int day = from; day < schedule.days(); day++) {
      matching(day);
      long nightNs = week.startNs() + schedule.startNs(day) - schedule.nightNs();
      if (day - from < MOST_DAYS
          && nightNs >= nowNs + leastNs
          && schedule.durationNs(day) >= leastNs
          && fill(day, owed)) {
        first = Math.min(first, day);
      }
      addDay(into, schedule.startNs(day), schedule.durationNs(day));
    }
    return first;
  }

  private boolean fill(int day, List<Debt> owed) {
    Arrays.fill(sourceOf, Schedule.IDLE);
    for (int source = 0; source < hosts; source++) {
      if (destinationOf[source] != Schedule.IDLE) {
        sourceOf[destinationOf[source]] = source;
      }
    }
    boolean filled = false;
    for (Debt debt : owed) {
      int other = sourceOf[debt.destination()];
      if (debt.owedNs() < leastNs
          || isWanted(debt.source(), destinationOf[debt.source()])
          || (other != Schedule.IDLE && isWanted(other, debt.destination()))) {
        continue;
      }
      if (destinationOf[debt.source()] != Schedule.IDLE) {
        sourceOf[destinationOf[debt.source()]] = Schedule.IDLE;
      }
      if (other != Schedule.IDLE) {
        destinationOf[other] = Schedule.IDLE;
      }
      connect(day, debt, schedule.durationNs(day));
      filled = true;
    }
    return filled;
  }

  private void connect(int day, Debt debt, long dayNs) {
    destinationOf[debt.source()] = debt.destination();
    sourceOf[debt.destination()] = debt.source();
    long ns = Math.min(dayNs, debt.owedNs());
    debt.plan(ns);
    planned.put(day * hosts + debt.source(), new Replacement(debt, ns));
  }

  /**
   * Adds days for those that are late only, as long as the week has room.
   *
   * @return the first of them
   */
  private int addOwnDays(Schedule into, List<Debt> owed, long nowNs) {
    int first = into.days();
    long earliestNs = nowNs + leastNs - week.startNs();
    while (ownDays < MOST_OWN_DAYS) {
      long startNs = Math.max(into.lengthNs(), earliestNs) + into.nightNs();
      long roomNs = network.weekNs() - startNs;
      long dayNs = Math.min(roomNs, longestOwed(owed));
      if (dayNs < leastNs) {
        return first;
      }
      Arrays.fill(destinationOf, Schedule.IDLE);
      Arrays.fill(sourceOf, Schedule.IDLE);
      for (Debt debt : owed) {
        if (debt.owedNs() >= leastNs
            && destinationOf[debt.source()] == Schedule.IDLE
            && sourceOf[debt.destination()] == Schedule.IDLE) {
          connect(into.days(), debt, dayNs);
        }
      }
      addDay(into, startNs, dayNs);
      ownDays++;
    }
    return first;
  }

  /** The most that is owed to a pair that the next day serves. */
  private long longestOwed(List<Debt> owed) {
    Arrays.fill(destinationOf, Schedule.IDLE);
    Arrays.fill(sourceOf, Schedule.IDLE);
    long longestNs = 0;
    for (Debt debt : owed) {
      if (debt.owedNs() >= leastNs
          && destinationOf[debt.source()] == Schedule.IDLE
          && sourceOf[debt.destination()] == Schedule.IDLE) {
        destinationOf[debt.source()] = debt.destination();
        sourceOf[debt.destination()] = debt.source();
        longestNs = Math.max(longestNs, debt.owedNs());
      }
    }
    return longestNs;
  }

  private static boolean isNone(int source, int destination) {
    return destination == Schedule.IDLE || destination == source;
  }

  /** Whether a circuit was planned for somebody; all hosts have one in most schedules. */
  private boolean isWanted(int source, int destination) {
    return !isNone(source, destination) && demand.get(source, destination) > 0;
  }
}
