package org.evenweave.sdd.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.birkhoff.BirkhoffVonNeumann;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.fastpass.FastPass;
import org.evenweave.sdd.fastpass.Order;
import org.evenweave.sdd.fastpass.SmallestCoflow;
import org.evenweave.sdd.fastpass.WeightedShares;
import org.evenweave.sdd.solstice.Solstice;
import org.evenweave.sdd.solstice.baseline.PrintedSolstice;
import org.evenweave.sdd.tdma.StridedTdma;
import org.junit.jupiter.api.Test;

/** What {@link Scheduler} promises, of every scheduler. */
class SchedulerContractTest {
  private static List<Scheduler> schedulers(CircuitNetwork network) {
    return List.of(
        new StridedTdma(network, 5_000),
        new Solstice(network),
        new PrintedSolstice(network),
        new BirkhoffVonNeumann(network),
        new FastPass(network, 1_000),
        new FastPass(network, 1_000, Order.SHORTEST_REMAINING),
        new SmallestCoflow(network, 1_000),
        new WeightedShares(network, 1_000));
  }

  /** From nothing to several times what a week carries; some hosts overloaded. */
  private static DemandMatrix demand(CircuitNetwork network, Random random) {
    DemandMatrix demand = new DemandMatrix(network.hosts());
    int flows = random.nextInt(4 * network.hosts() + 1);
    int most = 1 + (int) network.circuitBytes(network.weekNs());
    for (int flow = 0; flow < flows; flow++) {
      int from = random.nextInt(network.hosts());
      int to = random.nextInt(random.nextInt(3) == 0 ? 1 : network.hosts());
      demand.add(from, to, random.nextInt(random.nextBoolean() ? most : 1 + most / 50));
    }
    return demand;
  }

  @Property(tries = 300)
  void everyWeekIsValidAndItsBooksBalance(
      @ForAll @IntRange(min = 2, max = 9) int hosts,
      @ForAll @IntRange(max = 20_000) int nightNs,
      @ForAll boolean packetSwitch,
      @ForAll long seed) {
    Random random = new Random(seed);
    CircuitNetwork network =
        new CircuitNetwork(hosts, 8_000_000_000L, packetSwitch ? 800_000_000 : 0, nightNs, 300_000);
    Schedule week = new Schedule(hosts);
    for (Scheduler scheduler : schedulers(network)) {
      for (int i = 0; i < 3; i++) {
        DemandMatrix demand = demand(network, random);
        DemandMatrix given = new DemandMatrix(hosts);
        given.copyFrom(demand);
        scheduler.plan(given, week);
        String name = scheduler.getClass().getSimpleName();
        assertArrayEquals(entries(demand), entries(given), name + " changed the demand");
        assertTrue(week.lengthNs() <= network.weekNs(), name);
        assertValid(week, nightNs, name);
        assertBooksBalance(network, demand, week, name);
      }
    }
  }

  private static long[] entries(DemandMatrix demand) {
    long[] entries = new long[demand.hosts() * demand.hosts()];
    demand.copyTo(entries);
    return entries;
  }

  private static void assertValid(Schedule week, long nightNs, String name) {
    long clock = 0;
    for (int day = 0; day < week.days(); day++) {
      assertEquals(clock + nightNs, week.startNs(day), name);
      assertTrue(week.durationNs(day) > 0, name);
      clock = week.startNs(day) + week.durationNs(day);
      boolean[] taken = new boolean[week.hosts()];
      for (int source = 0; source < week.hosts(); source++) {
        int destination = week.destination(day, source);
        if (destination != Schedule.IDLE) {
          assertTrue(!taken[destination], name);
          taken[destination] = true;
        }
      }
    }
    assertEquals(clock, week.lengthNs(), name);
  }

  private static void assertBooksBalance(
      CircuitNetwork network, DemandMatrix demand, Schedule week, String name) {
    for (int source = 0; source < demand.hosts(); source++) {
      for (int destination = 0; destination < demand.hosts(); destination++) {
        long left = demand.get(source, destination);
        for (int day = 0; day < week.days(); day++) {
          if (week.destination(day, source) == destination) {
            left -= Math.min(left, network.circuitBytes(week.durationNs(day)));
          }
        }
        assertEquals(left, week.remainder().get(source, destination), name);
      }
    }
  }

  @Property(tries = 200)
  void whatFitsAWeekIsServedToTheLastByte(
      @ForAll @IntRange(min = 2, max = 6) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    // No nights and no packet switch: the sums alone decide whether it fits.
    CircuitNetwork network = new CircuitNetwork(hosts, 8_000_000_000L, 0, 0, 1_000_000);
    DemandMatrix demand = new DemandMatrix(hosts);
    for (int i = 0; i < 3 * hosts; i++) {
      int from = random.nextInt(hosts);
      demand.add(from, (from + 1 + random.nextInt(hosts - 1)) % hosts, random.nextInt(20_000));
    }
    Schedule week = new Schedule(hosts);
    for (Scheduler scheduler :
        List.of(new Solstice(network), new BirkhoffVonNeumann(network), new FastPass(network, 1))) {
      scheduler.plan(demand, week);
      assertEquals(0, week.remainder().total(), scheduler.getClass().getSimpleName());
    }
  }

  @Test
  void planningAllocatesNothingOnceItsMemoryHasGrown() {
    CircuitNetwork network = new CircuitNetwork(16, 8_000_000_000L, 800_000_000, 1_000, 300_000);
    Random random = new Random(7);
    List<DemandMatrix> demands = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      demands.add(demand(network, random));
    }
    planningAllocatesNothing(network, demands);
    // All of more hosts send to all others, twice of what a week carries: entries are sorted.
    CircuitNetwork larger = new CircuitNetwork(40, 8_000_000_000L, 800_000_000, 1_000, 300_000);
    DemandMatrix dense = new DemandMatrix(40);
    for (int pair = 0; pair < 40 * 40; pair++) {
      dense.add(pair / 40, pair % 40, random.nextInt(30_000));
    }
    planningAllocatesNothing(larger, List.of(dense));
  }

  private static void planningAllocatesNothing(CircuitNetwork network, List<DemandMatrix> demands) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Schedule week = new Schedule(network.hosts());
    for (Scheduler scheduler : schedulers(network)) {
      if (scheduler instanceof PrintedSolstice) {
        continue;
      }
      demands.forEach(demand -> scheduler.plan(demand, week));
      long least = Long.MAX_VALUE;
      // The JVM itself may allocate in this thread, while it loads a class; but not every time.
      for (int i = 0; i < 5; i++) {
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int d = 0; d < demands.size(); d++) {
          scheduler.plan(demands.get(d), week);
        }
        least =
            Math.min(
                least, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
      }
      assertEquals(0, least, scheduler.getClass().getSimpleName());
    }
  }

  @Test
  void nothingToSendNeedsNoDays() {
    CircuitNetwork network = new CircuitNetwork(4, 1_000_000_000, 0, 10_000, 1_000_000);
    Schedule week = new Schedule(4);
    for (Scheduler scheduler : schedulers(network)) {
      scheduler.plan(new DemandMatrix(4), week);
      if (!(scheduler instanceof StridedTdma)) {
        assertEquals(0, week.days(), scheduler.getClass().getSimpleName());
      }
    }
  }

  @Test
  void matricesOfAnotherSizeAreRefused() {
    CircuitNetwork network = new CircuitNetwork(4, 1_000_000_000, 0, 10_000, 1_000_000);
    for (Scheduler scheduler : schedulers(network)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> scheduler.plan(new DemandMatrix(5), new Schedule(4)));
      assertThrows(
          IllegalArgumentException.class,
          () -> scheduler.plan(new DemandMatrix(4), new Schedule(5)));
    }
  }
}
