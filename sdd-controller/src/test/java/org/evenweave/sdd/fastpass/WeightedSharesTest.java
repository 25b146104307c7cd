package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.junit.jupiter.api.Test;

/** Circuits of a byte per nanosecond, timeslots of 100 bytes. */
class WeightedSharesTest {
  private static final int SLOT_BYTES = 100;

  private static WeightedShares scheduler(int hosts, int timeslots) {
    return new WeightedShares(
        new CircuitNetwork(hosts, 8_000_000_000L, 0, 10, 110L * timeslots), SLOT_BYTES);
  }

  private static Schedule plan(WeightedShares scheduler, Observed seen) {
    seen.sum();
    Schedule week = new Schedule(seen.demand().hosts());
    scheduler.plan(seen, week);
    return week;
  }

  /** Classes of the same priority. */
  private static Observed of(int hosts, int... weights) {
    List<DemandClass> classes = new ArrayList<>();
    for (int weight : weights) {
      classes.add(new DemandClass(0, false, weight));
    }
    return new Observed(hosts, classes);
  }

  /** In how many timeslots of the week a source sends to a destination. */
  private static int given(Schedule week, int source, int destination) {
    int count = 0;
    for (int day = 0; day < week.days(); day++) {
      count += week.destination(day, source) == destination ? 1 : 0;
    }
    return count;
  }

  @Test
  void classesThatWantTheSamePortGetTimeslotsByWeight() {
    Observed seen = of(5, 3, 1);
    seen.of(1).set(0, 1, 9_000);
    seen.of(1).set(0, 2, 9_000);
    seen.of(2).set(0, 3, 9_000);
    Schedule week = plan(scheduler(5, 40), seen);
    assertEquals(15, given(week, 0, 1));
    assertEquals(15, given(week, 0, 2));
    assertEquals(10, given(week, 0, 3));
  }

  @Test
  void whatOneClassDoesNotWantTheOthersGetByWeight() {
    Observed seen = of(5, 100, 2, 1);
    seen.of(1).set(1, 0, 10 * SLOT_BYTES);
    seen.of(2).set(2, 0, 9_000);
    seen.of(3).set(3, 0, 9_000);
    Schedule week = plan(scheduler(5, 40), seen);
    assertEquals(10, given(week, 1, 0));
    assertEquals(20, given(week, 2, 0));
    assertEquals(10, given(week, 3, 0));
  }

  @Test
  void weightsCountAmongClassesOfOnePriority() {
    Observed seen =
        new Observed(4, List.of(new DemandClass(7, false, 1), new DemandClass(0, false, 3)));
    seen.of(0).set(0, 1, 9_000);
    seen.of(1).set(0, 2, 8 * SLOT_BYTES);
    seen.of(2).set(0, 3, 9_000);
    Schedule week = plan(scheduler(4, 40), seen);
    assertEquals(8, given(week, 0, 2));
    assertEquals(24, given(week, 0, 3));
    assertEquals(8, given(week, 0, 1));
  }

  /** It would otherwise have all of the port for weeks. */
  @Test
  void whatAClassDidNotWantIsNoCredit() {
    Observed seen = of(4, 1, 1);
    WeightedShares scheduler = scheduler(4, 10);
    seen.of(1).set(0, 1, 9_000);
    for (int i = 0; i < 5; i++) {
      assertEquals(10, given(plan(scheduler, seen), 0, 1));
    }
    seen.of(2).set(0, 2, 9_000);
    Schedule week = plan(scheduler, seen);
    assertEquals(5, given(week, 0, 1));
    assertEquals(5, given(week, 0, 2));
  }

  /**
   * As much as fits, by classes: everyone's level rises at once, step by step, as far as there is
   * room and the class wants it.
   */
  private static double[] waterFilling(long[] wants, int[] weights, double room) {
    double[] shares = new double[wants.length];
    boolean[] full = new boolean[wants.length];
    double left = room;
    for (int round = 0; round < wants.length; round++) {
      double weight = 0;
      for (int c = 0; c < wants.length; c++) {
        weight += full[c] ? 0 : weights[c];
      }
      double level = weight == 0 ? 0 : left / weight;
      for (int c = 0; c < wants.length; c++) {
        if (!full[c] && wants[c] <= level * weights[c]) {
          full[c] = true;
          shares[c] = wants[c];
          left -= wants[c];
        }
      }
    }
    double weight = 0;
    for (int c = 0; c < wants.length; c++) {
      weight += full[c] ? 0 : weights[c];
    }
    for (int c = 0; c < wants.length; c++) {
      shares[c] = full[c] ? shares[c] : left / weight * weights[c];
    }
    return shares;
  }

  /** So no class waits that wants less than its share. */
  @Property(tries = 500)
  void atOnePortAClassHasTheMaxMinShareAtLeast(
      @ForAll @IntRange(min = 1, max = 7) int classes,
      @ForAll @IntRange(min = 1, max = 100) int timeslots,
      @ForAll boolean isSource,
      @ForAll long seed) {
    Random random = new Random(seed);
    int[] weights = new int[classes];
    Arrays.setAll(weights, c -> 1 + random.nextInt(20));
    // Each pair has an end of its own, so that nothing but the port keeps it waiting.
    int hosts = 1 + 3 * classes;
    Observed seen = of(hosts, weights);
    long[] wants = new long[classes];
    for (int host = 1; host < hosts; host++) {
      int c = random.nextInt(classes);
      int want = random.nextInt(timeslots);
      seen.of(c + 1).set(isSource ? 0 : host, isSource ? host : 0, (long) want * SLOT_BYTES);
      wants[c] += want;
    }
    Schedule week = plan(scheduler(hosts, timeslots), seen);
    double[] shares = waterFilling(wants, weights, timeslots);
    long[] got = new long[classes];
    for (int c = 0; c < classes; c++) {
      for (int host = 1; host < hosts; host++) {
        if (seen.of(c + 1).get(isSource ? 0 : host, isSource ? host : 0) > 0) {
          got[c] += isSource ? given(week, 0, host) : given(week, host, 0);
        }
      }
      assertTrue(
          got[c] >= Math.floor(shares[c] + 1e-9) && got[c] <= wants[c],
          () -> Arrays.toString(shares) + " " + Arrays.toString(got));
    }
    assertEquals(
        Math.min(timeslots, Arrays.stream(wants).sum()), Arrays.stream(got).sum(), "in all");
  }

  /** However few timeslots a week has, and in a class all pairs get as much. */
  @Property(tries = 100)
  void sharesAreThoseOfAllWeeksTogether(
      @ForAll @IntRange(min = 2, max = 7) int classes,
      @ForAll @IntRange(min = 1, max = 9) int timeslots,
      @ForAll long seed) {
    Random random = new Random(seed);
    int[] weights = new int[classes];
    Arrays.setAll(weights, c -> 1 + random.nextInt(40));
    int hosts = 1 + 3 * classes;
    Observed seen = of(hosts, weights);
    for (int host = 1; host < hosts; host++) {
      seen.of(1 + host % classes).set(0, host, 100_000);
    }
    WeightedShares scheduler = scheduler(hosts, timeslots);
    int weeks = 60;
    int[] got = new int[hosts];
    for (int i = 0; i < weeks; i++) {
      Schedule week = plan(scheduler, seen);
      for (int host = 1; host < hosts; host++) {
        got[host] += given(week, 0, host);
      }
    }
    for (int c = 0; c < classes; c++) {
      int least = Integer.MAX_VALUE;
      int most = 0;
      int sum = 0;
      for (int host = c == 0 ? classes : c; host < hosts; host += classes) {
        least = Math.min(least, got[host]);
        most = Math.max(most, got[host]);
        sum += got[host];
      }
      assertTrue(most - least <= 1, () -> Arrays.toString(got));
      int share = weeks * timeslots * weights[c] / Arrays.stream(weights).sum();
      assertTrue(sum >= share, () -> Arrays.toString(weights) + Arrays.toString(got));
    }
  }

  private static Observed anything(int hosts, int timeslots, Random random) {
    List<DemandClass> classes = new ArrayList<>();
    for (int c = random.nextInt(Observed.MAX_CLASSES); c > 0; c--) {
      classes.add(new DemandClass(random.nextInt(2), false, 1 + random.nextInt(9)));
    }
    Observed seen = new Observed(hosts, classes);
    demand(seen, timeslots, random);
    return seen;
  }

  private static void demand(Observed seen, int timeslots, Random random) {
    int hosts = seen.demand().hosts();
    for (int i = random.nextInt(4 * hosts); i > 0; i--) {
      int most = SLOT_BYTES * (random.nextInt(8) == 0 ? 2 * timeslots : 1 + timeslots / 4);
      seen.of(random.nextInt(seen.classes()))
          .set(random.nextInt(hosts), random.nextInt(hosts), random.nextInt(most));
    }
  }

  @Property(tries = 500)
  void weeksAreThoseOfThePlainModel(
      @ForAll @IntRange(min = 2, max = 7) int hosts,
      @ForAll @IntRange(min = 1, max = 70) int timeslots,
      @ForAll long seed) {
    Random random = new Random(seed);
    Observed seen = anything(hosts, timeslots, random);
    WeightedShares scheduler = scheduler(hosts, timeslots);
    PlainShares plain = new PlainShares(seen, timeslots, SLOT_BYTES);
    for (int i = 0; i < 4; i++) {
      Schedule week = plan(scheduler, seen);
      int[][] expected = plain.week(seen);
      for (int timeslot = 0; timeslot < timeslots; timeslot++) {
        int[] found = new int[hosts];
        for (int source = 0; source < hosts; source++) {
          found[source] =
              timeslot < week.days() ? week.destination(timeslot, source) : Schedule.IDLE;
        }
        assertArrayEquals(expected[timeslot], found, "week " + i + ", timeslot " + timeslot);
      }
      assertNothingIsWasted(week, timeslots);
      demand(seen, timeslots, random);
    }
  }

  /** No pair wants a timeslot that is free at both its ends. */
  private static void assertNothingIsWasted(Schedule week, int timeslots) {
    for (int timeslot = 0; timeslot < timeslots; timeslot++) {
      boolean[] receives = new boolean[week.hosts()];
      int[] day = new int[week.hosts()];
      for (int source = 0; source < week.hosts(); source++) {
        day[source] = timeslot < week.days() ? week.destination(timeslot, source) : Schedule.IDLE;
        if (day[source] != Schedule.IDLE) {
          receives[day[source]] = true;
        }
      }
      for (int source = 0; source < week.hosts(); source++) {
        for (int to = 0; day[source] == Schedule.IDLE && to < week.hosts(); to++) {
          assertTrue(receives[to] || to == source || week.remainder().get(source, to) == 0);
        }
      }
    }
  }
}
