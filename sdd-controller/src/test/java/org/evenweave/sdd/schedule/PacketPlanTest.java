package org.evenweave.sdd.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.solstice.Solstice;
import org.junit.jupiter.api.Test;

/** Beside what each nanosecond of a week allows, in weeks of few of them. */
class PacketPlanTest {
  private static final int WEEK_NS = 400;

  /** A byte a nanosecond. */
  private static final long CIRCUIT_BPS = 8_000_000_000L;

  private static final long PACKET_BPS = 800_000_000;

  /** Of which nothing is looked at. */
  private static final Observed ONE_CLASS = new Observed(1, List.of());

  private static final class Slot {
    private final int circuitClass;
    private final int destination;
    private final long startNs;
    private final long endNs;
    private final long rateBps;

    private Slot(int circuitClass, int destination, long startNs, long endNs, long rateBps) {
      this.circuitClass = circuitClass;
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
        (circuitClass, destination, startNs, endNs, rateBps) ->
            slots.add(new Slot(circuitClass, destination, startNs, endNs, rateBps)));
    return slots;
  }

  /** A class's rate at one time; 0 if none of its slots is open. */
  private static long rateAt(List<Slot> slots, int circuitClass, int destination, long timeNs) {
    long rateBps = 0;
    for (Slot slot : slots) {
      if (slot.circuitClass == circuitClass
          && slot.destination == destination
          && slot.startNs <= timeNs
          && timeNs < slot.endNs) {
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

  private static Observed demand(int hosts, int classes, Random random) {
    List<DemandClass> described = new ArrayList<>();
    for (int c = 1; c < classes; c++) {
      described.add(new DemandClass(random.nextInt(Observed.MAX_PRIORITY + 1), false));
    }
    Observed demand = new Observed(hosts, described);
    for (int flow = random.nextInt(3 * hosts); flow > 0; flow--) {
      int from = random.nextInt(hosts);
      int to = (from + 1 + random.nextInt(hosts - 1)) % hosts;
      demand.of(random.nextInt(classes)).add(from, to, random.nextInt(WEEK_NS));
    }
    demand.sum();
    return demand;
  }

  @Property(tries = 300)
  void noSourceAndNoDestinationExceedsItsCapacityAndNobodyComesNearACircuit(
      @ForAll @IntRange(min = 2, max = 6) int hosts,
      @ForAll @IntRange(min = 1, max = 4) int classes,
      @ForAll @IntRange(max = 40) int nightNs,
      @ForAll @IntRange(max = 100) int delayNs,
      @ForAll long seed) {
    CircuitNetwork network = new CircuitNetwork(hosts, CIRCUIT_BPS, PACKET_BPS, nightNs, WEEK_NS);
    Observed demand = demand(hosts, classes, new Random(seed));
    Schedule week = new Schedule(hosts);
    new Solstice(network).plan(demand, week);
    PacketPlan plan = new PacketPlan(network, delayNs);
    plan.of(week, demand);
    List<List<Slot>> all = new ArrayList<>();
    for (int source = 0; source < hosts; source++) {
      all.add(slots(plan, source));
    }
    double[][] bits = new double[classes][hosts * hosts];
    for (int timeNs = 0; timeNs < WEEK_NS; timeNs++) {
      long[] to = new long[hosts];
      for (int source = 0; source < hosts; source++) {
        long from = 0;
        for (int destination = 0; destination < hosts; destination++) {
          boolean near = nearCircuit(week, source, destination, timeNs, delayNs);
          for (int c = 0; c < classes; c++) {
            long rateBps = rateAt(all.get(source), c, destination, timeNs);
            assertTrue(rateBps == 0 || source != destination, "to itself");
            assertTrue(rateBps == 0 || !near, "a packet could be overtaken");
            if (source != destination && !near) {
              assertEquals(plan.rateBps(c, source, destination), rateBps, "a pair is left out");
            }
            from += rateBps;
            to[destination] += rateBps;
            bits[c][source * hosts + destination] += rateBps / 1e9;
          }
        }
        assertTrue(from <= PACKET_BPS, from + " b/s from " + source);
      }
      for (int destination = 0; destination < hosts; destination++) {
        assertTrue(to[destination] <= PACKET_BPS, to[destination] + " b/s to " + destination);
      }
    }
    for (int c = 0; c < classes; c++) {
      for (int pair = 0; pair < bits[c].length; pair++) {
        double bytes = bits[c][pair] / 8;
        long planned = plan.bytes(c, pair / hosts, pair % hosts);
        assertTrue(planned <= bytes + 1e-6 && planned > bytes - 1 - 1e-6);
      }
    }
  }

  @Property(tries = 300)
  void whatRemainsOfAPairIsOfTheClassesThatHostsServeLast(
      @ForAll @IntRange(min = 2, max = 6) int hosts,
      @ForAll @IntRange(min = 2, max = 4) int classes,
      @ForAll long seed) {
    CircuitNetwork network = new CircuitNetwork(hosts, CIRCUIT_BPS, PACKET_BPS, 10, WEEK_NS);
    Observed demand = demand(hosts, classes, new Random(seed));
    Schedule week = new Schedule(hosts);
    new Solstice(network).plan(demand, week);
    PacketPlan plan = new PacketPlan(network, 0);
    plan.of(week, demand);
    for (int from = 0; from < hosts; from++) {
      for (int to = 0; to < hosts; to++) {
        long sum = 0;
        for (int c = 0; c < classes; c++) {
          long bytes = plan.remainderBytes(c, from, to);
          assertTrue(0 <= bytes && bytes <= demand.of(c).get(from, to));
          for (int other = 0; other < classes && bytes > 0; other++) {
            int place = (c + classes - 1) % classes;
            boolean isServedLater =
                demand.priority(other) < demand.priority(c)
                    || (demand.priority(other) == demand.priority(c)
                        && (other + classes - 1) % classes > place);
            assertTrue(
                !isServedLater
                    || plan.remainderBytes(other, from, to) == demand.of(other).get(from, to));
          }
          sum += bytes;
        }
        assertEquals(week.remainder().get(from, to), sum);
      }
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
    plan.of(week, ONE_CLASS);
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
    assertTrue(plan.bytes(0, 0, 2) >= 25);
    assertTrue(plan.bytes(0, 2, 1) >= 28);
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
    assertEquals(planned * 2 / 3 + newBps, (double) plan.rateBps(0, 0, 2), 1);
    assertEquals(planned / 3 + newBps, (double) plan.rateBps(0, 1, 2), 1);
    assertEquals((PACKET_BPS - planned * 2 / 3) / 2, (double) plan.rateBps(0, 0, 1), 1);
  }

  @Test
  void classesHavePartsOfAPairsRate() {
    Schedule week = week();
    week.remainder().set(0, 2, 60);
    Observed demand =
        new Observed(3, List.of(new DemandClass(7, false), new DemandClass(0, false)));
    demand.of(0).set(0, 2, 20);
    demand.of(1).set(0, 2, 50);
    demand.of(2).set(0, 2, 40);
    demand.sum();
    PacketPlan plan =
        new PacketPlan(new CircuitNetwork(3, CIRCUIT_BPS, PACKET_BPS, 100, WEEK_NS), 0);
    plan.of(week, demand);
    // Circuits carry 50 of 110 bytes: all that comes first.
    assertEquals(0, plan.remainderBytes(1, 0, 2));
    assertEquals(40, plan.remainderBytes(2, 0, 2));
    assertEquals(20, plan.remainderBytes(0, 0, 2));
    double planned = PACKET_BPS * 3 / 4.0;
    double each = PACKET_BPS / 4.0 / 2 / 3;
    // 1 b/s for each time that is rounded down.
    assertEquals(each, (double) plan.rateBps(1, 0, 2), 2);
    assertEquals(each + planned * 2 / 3, (double) plan.rateBps(2, 0, 2), 2);
    assertEquals(each + planned / 3, (double) plan.rateBps(0, 0, 2), 2);
    assertEquals(((long) each) * WEEK_NS / 8_000_000_000L, plan.unplannedBytes(0, 2));
  }
}
