package org.evenweave.sdd.loop;

import static org.evenweave.sdd.loop.LiarsBed.HONEST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;

/**
 * The tight loop among liars, which act while its commander waits and between its datagrams: an
 * honest host is told to start in time in each day in which it has demand for another honest host,
 * may send until the day's end, and has its circuit for so long. The commander, its planner and all
 * clients share a virtual time, which passes only where the commander waits. What a step does is a
 * number, so that a failing run shrinks to the few that matter.
 */
class LyingClientsTightTest {
  private static final long PERIOD_NS = LiarsBed.TURN_NS;
  private static final long MOST_LATE_NS = PERIOD_NS / 4;

  /** A sixteenth of what a circuit carries in a week. */
  private static final long DEMAND_BYTES = 2_000_000;

  private static final int MORE_WEEKS = 2;

  /** One run: the planner, and the clock of the commander. */
  private static final class Run implements CommandClock {
    private final LiarsBed bed;
    private final Sessions sessions;
    private final CommandedWeeks weeks;
    private final Deque<Integer> steps;
    private final Observed observed;
    private final DemandEstimator estimator;
    private final ClockWatch clocks;
    private final List<String> faults = new ArrayList<>();
    private final Deque<Week> announced = new ArrayDeque<>();

    /** When the commander woke that waited for a time. */
    private final Map<Long, Long> woke = new HashMap<>();

    private long period;

    Run(LiarsBed bed, List<Integer> steps) {
      this.bed = bed;
      this.steps = new ArrayDeque<>(steps);
      this.sessions = bed.controllers.get(0).sessions();
      this.weeks =
          new CommandedWeeks(
              bed.config, sessions, this, (consequence, fault) -> faults.add(fault.toString()));
      this.observed = bed.config.nothingObserved();
      this.estimator = bed.estimator(observed);
      this.clocks = new ClockWatch(LiarsBed.HOSTS, bed.config.guardNs());
      this.period = bed.nowNs() / PERIOD_NS + 1;
      bed.afterDatagram = this::actBetweenDatagrams;
    }

    void run() throws InterruptedException {
      for (int more = 0; more < MORE_WEEKS; more += steps.isEmpty() ? 1 : 0) {
        if (announced.isEmpty()) {
          passUntil(period * PERIOD_NS);
        }
        weeks.carryOutNext();
        assertHonestDaysWereCarriedOut(announced.remove());
        assertEquals(List.of(), faults);
      }
    }

    @Override
    public long nowNs() {
      return bed.nowNs();
    }

    @Override
    public void await(long timeNs) {
      // What was ordered since arrives before time passes.
      bed.pass(0);
      long lateNs = 0;
      while (!steps.isEmpty()) {
        Random random = new Random(steps.remove());
        if (random.nextInt(3) == 0) {
          lateNs = random.nextInt(3) == 0 ? (long) (random.nextDouble() * MOST_LATE_NS) : 0;
          break;
        }
        long leftNs = Math.max(0, timeNs - nowNs());
        passUntil(nowNs() + (long) (random.nextDouble() * leftNs));
        act(random);
      }
      passUntil(Math.max(nowNs(), timeNs + lateNs));
      woke.put(timeNs, nowNs());
    }

    /** Netty's threads run beside the commander. */
    private void actBetweenDatagrams() {
      if (!steps.isEmpty() && new Random(steps.peek()).nextInt(8) == 0) {
        act(new Random(steps.remove()));
      }
    }

    private void act(Random random) {
      if (random.nextInt(3) == 0) {
        bed.pretend(random);
      } else {
        bed.lie(random);
      }
      bed.assertNothingHasHappened();
    }

    private void passUntil(long timeNs) {
      for (; period * PERIOD_NS <= timeNs; period++) {
        bed.pass(period * PERIOD_NS - nowNs());
        plan();
      }
      bed.pass(timeNs - nowNs());
    }

    /** What the planner does in a period. */
    private void plan() {
      bed.report();
      bed.pass(0);
      if (!steps.isEmpty()) {
        // Only who keeps the time and has demand gets circuits.
        Random random = new Random(steps.peek());
        for (int liar = random.nextInt(1 + LiarsBed.LIARS); liar > 0; liar--) {
          bed.pretend(random);
        }
      }
      for (int number = 0; number < LiarsBed.HOSTS; number++) {
        HostSession host = sessions.host(number);
        if (host != null && clocks.isShared(host)) {
          host.flush(period, nowNs());
        }
      }
      Week week = bed.plan(period + 1, (period + 1) * PERIOD_NS, estimator, observed);
      assertTrue(weeks.announce(week, sessions.circuitSwitch()));
      announced.add(week);
      bed.pass(0);
      bed.assertNothingHasHappened();
    }

    private void assertHonestDaysWereCarriedOut(Week week) {
      Schedule schedule = week.schedule();
      int days = 0;
      for (int day = 0; day < schedule.days(); day++) {
        long fromNs = week.startNs() + schedule.startNs(day);
        long untilNs = fromNs + schedule.durationNs(day);
        for (int source = 0; source < HONEST; source++) {
          int destination = schedule.destination(day, source);
          if (destination == Schedule.IDLE
              || destination >= HONEST
              || week.demand().get(source, destination) == 0) {
            continue;
          }
          days++;
          long startedNs = woke.get(fromNs);
          List<Long> sent =
              List.of((long) bed.directory.queueTo(destination, 0), startedNs, untilNs);
          assertEquals(
              startedNs < untilNs ? 1 : 0,
              bed.honest.get(source).started().stream().filter(sent::equals).count(),
              "STARTs of h" + source + " to h" + destination + " in day " + day);
        }
      }
      assertTrue(days > 0, "honest hosts have demand");
      for (int source = 0; source < HONEST; source++) {
        for (List<Long> sent : bed.honest.get(source).started()) {
          bed.circuits.assertUp(
              source,
              bed.directory.destinationOf(sent.get(0).intValue()),
              sent.get(1),
              sent.get(2));
        }
      }
    }
  }

  @Property(tries = 200)
  void noDayOfHonestHostsIsLost(@ForAll @Size(max = 150) List<Integer> steps)
      throws SddConfigException, InterruptedException {
    try (LiarsBed bed = new LiarsBed("tight", PERIOD_NS, DEMAND_BYTES)) {
      new Run(bed, steps).run();
    }
  }
}
