package org.evenweave.sdd.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.solstice.Solstice;
import org.junit.jupiter.api.Test;

/** Beside what each nanosecond of a week allows, in weeks of few of them. */
class PacketPlanTest {
  private static final int WEEK_NS = 400;

  /** A byte a nanosecond. */
  private static final long CIRCUIT_BPS = 8_000_000_000L;

  private static final long PACKET_BPS = 800_000_000;

  private static final class Slot {
    private final int destination;
    private final long startNs;
    private final long endNs;
    private final long rateBps;

    private Slot(int destination, long startNs, long endNs, long rateBps) {
      this.destination = destination;
      this.startNs = startNs;
      this.endNs = endNs;
      this.rateBps = rateBps;
    }
  }

  private static List<Slot> slots(PacketPlan plan, int source) {
    List<Slot> slots = new ArrayList<>();
    plan.visitSlots(
        source,
        0,
        (destination, startNs, endNs, rateBps) ->
            slots.add(new Slot(destination, startNs, endNs, rateBps)));
    return slots;
  }

  /** A pair's rate at one time; 0 if none of its slots is open. */
  private static long rateAt(List<Slot> slots, int destination, long timeNs) {
    long rateBps = 0;
    for (Slot slot : slots) {
      if (slot.destination == destination && slot.startNs <= timeNs && timeNs < slot.endNs) {
        assertEquals(0, rateBps, "slots overlap");
        rateBps = slot.rateBps;
      }
    }
    return rateBps;
  }

  /**
   * Whether the pair may have a circuit then, or so soon that a packet could still be under way;
   * the next week's first may be there after a night.
   */
  private static boolean nearCircuit(
      Schedule week, int source, int destination, long timeNs, long delayNs) {
    for (int day = 0; day < week.days(); day++) {
      if (week.destination(day, source) == destination
          && timeNs >= week.startNs(day) - delayNs
          && timeNs < week.startNs(day) + week.durationNs(day)) {
        return true;
      }
    }
    return timeNs >= WEEK_NS + week.nightNs() - delayNs;
  }

  @Property(tries = 300)
  void noSourceAndNoDestinationExceedsItsCapacityAndNobodyComesNearACircuit(
      @ForAll @IntRange(min = 2, max = 6) int hosts,
      @ForAll @IntRange(max = 40) int nightNs,
      @ForAll @IntRange(max = 100) int delayNs,
      @ForAll long seed) {
    Random random = new Random(seed);
    CircuitNetwork network = new CircuitNetwork(hosts, CIRCUIT_BPS, PACKET_BPS, nightNs, WEEK_NS);
    DemandMatrix demand = new DemandMatrix(hosts);
    for (int flow = random.nextInt(3 * hosts); flow > 0; flow--) {
      int from = random.nextInt(hosts);
      demand.add(from, (from + 1 + random.nextInt(hosts - 1)) % hosts, random.nextInt(WEEK_NS));
    }
    Schedule week = new Schedule(hosts);
    new Solstice(network).plan(demand, week);
    PacketPlan plan = new PacketPlan(network, delayNs);
    plan.of(week);
    List<List<Slot>> all = new ArrayList<>();
    for (int source = 0; source < hosts; source++) {
      all.add(slots(plan, source));
    }
    double[] bits = new double[hosts * hosts];
    for (int timeNs = 0; timeNs < WEEK_NS; timeNs++) {
      long[] to = new long[hosts];
      for (int source = 0; source < hosts; source++) {
        long from = 0;
        assertEquals(0, rateAt(all.get(source), source, timeNs), "to itself");
        for (int destination = 0; destination < hosts; destination++) {
          long rateBps = rateAt(all.get(source), destination, timeNs);
          boolean near = nearCircuit(week, source, destination, timeNs, delayNs);
          assertTrue(rateBps == 0 || !near, "a packet could be overtaken");
          if (source != destination && !near) {
            assertEquals(plan.rateBps(source, destination), rateBps, "a pair is left out");
          }
          from += rateBps;
          to[destination] += rateBps;
          bits[source * hosts + destination] += rateBps / 1e9;
        }
        assertTrue(from <= PACKET_BPS, from + " b/s from " + source);
      }
      for (int destination = 0; destination < hosts; destination++) {
        assertTrue(to[destination] <= PACKET_BPS, to[destination] + " b/s to " + destination);
      }
    }
    for (int pair = 0; pair < bits.length; pair++) {
      long bytes = plan.bytes(pair / hosts, pair % hosts);
      assertTrue(bytes <= bits[pair] / 8 + 1e-6 && bytes > bits[pair] / 8 - 1 - 1e-6);
    }
  }

  /** A week of three hosts in which host 0 has a circuit to host 1 from 100 to 200. */
  private static Schedule week() {
    Schedule week = new Schedule(3);
    week.clear(100);
    week.addDay(new int[] {1, Schedule.IDLE, Schedule.IDLE}, 0, 100);
    return week;
  }

  private static PacketPlan plan(Schedule week, long delayNs) {
    PacketPlan plan =
        new PacketPlan(new CircuitNetwork(3, CIRCUIT_BPS, PACKET_BPS, 100, WEEK_NS), delayNs);
    plan.of(week);
    return plan;
  }

  @Test
  void slotsEndTheDelayBeforeTheCircuit() {
    List<Slot> slots = slots(plan(week(), 30), 0);
    assertEquals(3, slots.size());
    assertEquals(1, slots.get(0).destination);
    assertEquals(0, slots.get(0).startNs);
    assertEquals(70, slots.get(0).endNs);
    assertEquals(200, slots.get(1).startNs);
    assertEquals(WEEK_NS, slots.get(1).endNs);
    assertEquals(2, slots.get(2).destination);
    assertEquals(0, slots.get(2).startNs);
    assertEquals(WEEK_NS, slots.get(2).endNs);
  }

  @Test
  void aRemainderThatFitsIsCarried() {
    Schedule week = week();
    week.remainder().set(0, 2, 25);
    week.remainder().set(2, 1, 28);
    PacketPlan plan = plan(week, 0);
    assertTrue(plan.bytes(0, 2) >= 25);
    assertTrue(plan.bytes(2, 1) >= 28);
  }

  @Test
  void whatDoesNotFitIsCutInProportionAndNewTrafficHasItsPart() {
    Schedule week = week();
    week.remainder().set(0, 2, 120);
    week.remainder().set(1, 2, 60);
    PacketPlan plan = plan(week, 0);
    long newBps = PACKET_BPS / 4 / 2;
    double planned = PACKET_BPS * 3 / 4.0;
    // 1 b/s for rounding down.
    assertEquals(planned * 2 / 3 + newBps, (double) plan.rateBps(0, 2), 1);
    assertEquals(planned / 3 + newBps, (double) plan.rateBps(1, 2), 1);
    assertEquals((PACKET_BPS - planned * 2 / 3) / 2, (double) plan.rateBps(0, 1), 1);
  }
}
