package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.junit.jupiter.api.Test;

/** Circuits of a byte per nanosecond, timeslots of 100 bytes. */
class SmallestCoflowTest {
  private static final int SLOT_BYTES = 100;
  private static final int TIMESLOTS = 70;

  private static CircuitNetwork network(int hosts) {
    return new CircuitNetwork(hosts, 8_000_000_000L, 0, 10, 110L * TIMESLOTS);
  }

  private static Schedule week(Observed seen) {
    seen.sum();
    Schedule week = new Schedule(seen.demand().hosts());
    new SmallestCoflow(network(week.hosts()), SLOT_BYTES).plan(seen, week);
    return week;
  }

  /** In which timeslot each of some pairs has got all it wants; they share no timeslot. */
  private static int completion(Schedule week, int[][] pairs, DemandMatrix wanted) {
    int last = 0;
    for (int[] pair : pairs) {
      long left = wanted.get(pair[0], pair[1]);
      int day = 0;
      for (; left > 0; day++) {
        left -= week.destination(day, pair[0]) == pair[1] ? SLOT_BYTES : 0;
      }
      last = Math.max(last, day);
    }
    return last;
  }

  @Test
  void theCoflowWithTheSmallestBottleneckIsFirst() {
    DemandClass coflow = new DemandClass(0, true);
    Observed seen = new Observed(4, List.of(coflow, coflow));
    // Three flows of 2 timeslots each to one host: 6. Two of 3 each, to different ones: 3.
    int[][] wide = {{0, 3}, {1, 3}, {2, 3}};
    int[][] narrow = {{0, 1}, {1, 2}};
    for (int[] pair : wide) {
      seen.of(1).set(pair[0], pair[1], 2 * SLOT_BYTES);
    }
    for (int[] pair : narrow) {
      seen.of(2).set(pair[0], pair[1], 3 * SLOT_BYTES);
    }
    Schedule byCoflow = week(seen);
    assertEquals(3, completion(byCoflow, narrow, seen.of(2)));
    assertEquals(7, completion(byCoflow, wide, seen.of(1)));
    // Pair by pair, both are done late.
    Schedule byPair = new Schedule(4);
    Scheduler shortest = new FastPass(network(4), SLOT_BYTES, Order.SHORTEST_REMAINING);
    shortest.plan(seen, byPair);
    assertTrue(completion(byPair, narrow, seen.of(2)) > 3);
    assertTrue(completion(byPair, wide, seen.of(1)) > 5);
  }

  @Test
  void priorityComesBeforeSize() {
    Observed seen = new Observed(3, List.of(new DemandClass(3, false), new DemandClass(7, true)));
    seen.of(0).set(0, 1, SLOT_BYTES);
    seen.of(1).set(0, 2, 4 * SLOT_BYTES);
    seen.of(2).set(2, 1, 9 * SLOT_BYTES);
    Schedule week = week(seen);
    assertEquals(2, week.destination(0, 0));
    assertEquals(2, week.destination(3, 0));
    assertEquals(Schedule.IDLE, week.destination(4, 0));
    assertEquals(1, week.destination(8, 2));
    assertEquals(1, week.destination(9, 0));
    assertEquals(10, week.days());
    assertEquals(0, week.remainder().total());
  }

  @Test
  void aWeekOfTooManyTimeslotsIsRefused() {
    CircuitNetwork network = new CircuitNetwork(1_024, 8_000_000_000L, 0, 0, 1_000_000_000);
    assertEquals(
        "slotNs: 100000 timeslots of 1024 hosts are too many",
        assertThrows(IllegalArgumentException.class, () -> new SmallestCoflow(network, 10_000))
            .getMessage());
  }

  /** One thing that waits: a pair in a class. */
  private static final class Turn {
    private int priority;
    private long bottleneck;
    private int c;
    private int source;
    private int destination;
    private long want;

    private String key() {
      return String.format(
          Locale.ROOT,
          "%d %06d %d %04d %d %d",
          7 - priority,
          bottleneck,
          c,
          9_999 - want,
          source,
          destination);
    }
  }

  private static long want(Observed seen, int c, int source, int destination) {
    return (seen.of(c).get(source, destination) + SLOT_BYTES - 1) / SLOT_BYTES;
  }

  private static List<Turn> turns(Observed seen) {
    int hosts = seen.demand().hosts();
    List<Turn> turns = new ArrayList<>();
    for (int c = 0; c < seen.classes(); c++) {
      long[] ports = new long[2 * hosts];
      List<Turn> ofClass = new ArrayList<>();
      for (int source = 0; source < hosts; source++) {
        for (int destination = 0; destination < hosts; destination++) {
          Turn turn = new Turn();
          turn.priority = seen.priority(c);
          turn.c = c;
          turn.source = source;
          turn.destination = destination;
          turn.want = want(seen, c, source, destination);
          turn.bottleneck = turn.want;
          if (turn.want > 0 && source != destination) {
            ofClass.add(turn);
            ports[source] += turn.want;
            ports[hosts + destination] += turn.want;
          }
        }
      }
      for (Turn turn : ofClass) {
        turn.bottleneck = seen.isCoflow(c) ? Arrays.stream(ports).max().orElse(0) : turn.bottleneck;
      }
      turns.addAll(ofClass);
    }
    turns.sort((a, b) -> a.key().compareTo(b.key()));
    return turns;
  }

  /** Timeslot by timeslot, in the order of the turns. */
  private static List<int[]> plainWeek(Observed seen) {
    int hosts = seen.demand().hosts();
    List<Turn> turns = turns(seen);
    List<int[]> days = new ArrayList<>();
    while (days.size() < TIMESLOTS) {
      int[] day = new int[hosts];
      Arrays.fill(day, Schedule.IDLE);
      boolean[] taken = new boolean[hosts];
      boolean any = false;
      for (Turn turn : turns) {
        if (turn.want > 0 && day[turn.source] == Schedule.IDLE && !taken[turn.destination]) {
          day[turn.source] = turn.destination;
          taken[turn.destination] = true;
          turn.want--;
          any = true;
        }
      }
      if (!any) {
        break;
      }
      days.add(day);
    }
    return days;
  }

  @Property
  void aWeekIsThatOfThePlainModel(
      @ForAll @IntRange(min = 2, max = 7) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    List<DemandClass> classes = new ArrayList<>();
    for (int c = random.nextInt(Observed.MAX_CLASSES); c > 0; c--) {
      classes.add(new DemandClass(random.nextInt(3), random.nextBoolean()));
    }
    Observed seen = new Observed(hosts, classes);
    for (int i = random.nextInt(4 * hosts); i > 0; i--) {
      int c = random.nextInt(seen.classes());
      int most = random.nextInt(8) == 0 ? 9_000 : 900;
      seen.of(c).set(random.nextInt(hosts), random.nextInt(hosts), random.nextInt(most));
    }
    Schedule week = week(seen);
    List<int[]> plain = plainWeek(seen);
    assertEquals(plain.size(), week.days());
    for (int day = 0; day < week.days(); day++) {
      int[] found = new int[hosts];
      for (int source = 0; source < hosts; source++) {
        found[source] = week.destination(day, source);
      }
      assertEquals(Arrays.toString(plain.get(day)), Arrays.toString(found), "day " + day);
    }
  }
}
