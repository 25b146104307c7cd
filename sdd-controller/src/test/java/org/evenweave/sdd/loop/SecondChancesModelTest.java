package org.evenweave.sdd.loop;

import static org.evenweave.sdd.loop.VirtualWeeks.HOSTS;
import static org.evenweave.sdd.loop.VirtualWeeks.LEAST_NS;
import static org.evenweave.sdd.loop.VirtualWeeks.MS;
import static org.evenweave.sdd.loop.VirtualWeeks.NIGHT_NS;
import static org.evenweave.sdd.loop.VirtualWeeks.WEEK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.sdd.schedule.Schedule;

/**
 * Weeks of random days, carried out by a commander that is late at random, with hosts that come, go
 * and fail. {@link VirtualWeeks} looks at each START and each order.
 */
class SecondChancesModelTest {
  private static final int WEEKS = 12;

  private VirtualWeeks bed;

  /** Any matching; circuits that nobody wants among them. */
  private static Week week(int number, Random random) {
    Week week = VirtualWeeks.week(number);
    long leftNs = WEEK_NS - NIGHT_NS;
    while (random.nextInt(5) > 0 && leftNs > MS) {
      long dayNs = MS + (long) (random.nextDouble() * Math.min(leftNs - MS, 60 * MS));
      int[] destinationOf = new int[HOSTS];
      List<Integer> left = new ArrayList<>(List.of(0, 1, 2, 3));
      for (int source = 0; source < HOSTS; source++) {
        destinationOf[source] = left.remove(random.nextInt(left.size()));
        if (random.nextInt(4) == 0) {
          destinationOf[source] = Schedule.IDLE;
        } else if (random.nextBoolean()) {
          week.demand().add(source, destinationOf[source], dayNs / 8);
        }
      }
      week.schedule().addDay(destinationOf, 0, dayNs);
      leftNs -= dayNs + NIGHT_NS;
    }
    return week;
  }

  @Property(tries = 500)
  void nobodyLosesAnythingToASecondChance(@ForAll long seed) {
    Random random = new Random(seed);
    bed = new VirtualWeeks();
    bed.otherwiseLate = () -> random.nextInt(3) == 0 ? (long) (random.nextDouble() * 80 * MS) : 0;
    Week next = week(0, random);
    for (int number = 0; number < WEEKS; number++) {
      Week week = next;
      next = week(number + 1, random);
      bed.sent.clear();
      bed.late.clear();
      bed.away.removeIf(host -> random.nextBoolean());
      bed.failing.removeIf(host -> random.nextBoolean());
      if (random.nextInt(4) == 0) {
        (random.nextBoolean() ? bed.away : bed.failing).add(random.nextInt(HOSTS));
      }
      bed.switchIsAway = random.nextInt(10) == 0;
      if (bed.nowNs() >= week.startNs() + WEEK_NS) {
        continue;
      }
      LateTotals totals = bed.carryOut(week, next);
      assertPlannedCircuitsAreKept(week);
      assertAccounts(week, totals);
    }
  }

  private void assertPlannedCircuitsAreKept(Week week) {
    for (int day = 0; day < week.schedule().days(); day++) {
      long fromNs = week.startNs() + week.schedule().startNs(day);
      long untilNs = fromNs + week.schedule().durationNs(day);
      long startedNs = bed.woke.get(fromNs);
      for (int source = 0; source < HOSTS && startedNs < untilNs; source++) {
        int destination = week.schedule().destination(day, source);
        if (destination != Schedule.IDLE
            && destination != source
            && week.demand().get(source, destination) > 0
            && !bed.away.contains(source)
            && !bed.failing.contains(source)) {
          int from = source;
          assertEquals(
              1,
              bed.sent.stream()
                  .filter(
                      one ->
                          one.source == from
                              && one.destination == destination
                              && one.fromNs == startedNs
                              && one.untilNs == untilNs)
                  .count(),
              source + ">" + destination + " of " + bed.sent);
        }
      }
    }
  }

  private void assertAccounts(Week week, LateTotals totals) {
    long endNs = week.startNs() + WEEK_NS;
    long moreNs = 0;
    for (VirtualWeeks.Sent one : bed.sent) {
      assertTrue(one.untilNs <= endNs, one + " goes on in the next week");
      moreNs += isPlanned(week, one) ? 0 : one.untilNs - one.fromNs;
    }
    assertTrue(totals.regainedNs() <= totals.lostNs(), "more than was lost");
    assertTrue(totals.regainedNs() <= moreNs, "more than was sent");
    assertTrue(totals.secondChances() <= totals.pairs(), "more than were late");
    assertEquals(totals.regainedNs() > 0, totals.secondChances() > 0);
    assertTrue(totals.lostNs() >= totals.pairs() * LEAST_NS, "late by less than a slot");
  }

  private boolean isPlanned(Week week, VirtualWeeks.Sent one) {
    for (int day = 0; day < week.schedule().days(); day++) {
      if (one.untilNs
              == week.startNs() + week.schedule().startNs(day) + week.schedule().durationNs(day)
          && week.schedule().destination(day, one.source) == one.destination) {
        return true;
      }
    }
    return false;
  }
}
