package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.FakeSessions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two hosts, circuits of 8 Gb/s: a byte per nanosecond. */
class DemandEstimatorTest {
  private static final long GUARD_NS = 10;
  private static final long LEAST_BYTES = 50;

  private final CircuitNetwork network = new CircuitNetwork(2, 8_000_000_000L, 0, 100, 1_000_000);
  private final Observed demand = new Observed(2, List.of());
  private final DemandEstimator estimator = estimator(network, null);
  private final Schedule idle = new Schedule(2);
  private FakeSessions sessions;

  @BeforeEach
  void connect() {
    sessions = new FakeSessions(2);
    sessions.clock(0, 5);
    sessions.clock(1, 5);
  }

  private DemandEstimator estimator(CircuitNetwork of, PacketPlan packets) {
    return new DemandEstimator(
        FakeSessions.directory(2), demand, of, GUARD_NS, LEAST_BYTES, packets);
  }

  private long after(Schedule running) {
    estimator.estimate(sessions.sessions(), running, demand);
    return demand.of(0).get(0, 1);
  }

  private Schedule dayOf(long durationNs) {
    Schedule schedule = new Schedule(2);
    schedule.clear(100);
    schedule.addDay(new int[] {1, Schedule.IDLE}, 0, durationNs);
    return schedule;
  }

  @Test
  void aBacklogIsDemand() {
    sessions.report(0, 1, new long[] {1, 5_000, 5_000, 0});
    assertEquals(5_000, after(idle));
  }

  @Test
  void whatTheRunningScheduleCarriesIsNotScheduledTwice() {
    sessions.report(0, 1, new long[] {1, 5_000, 5_000, 0});
    assertEquals(5_000 - 3_000, after(dayOf(3_000)));
    sessions.report(0, 2, new long[] {1, 2_000, 5_000, 3_000});
    assertEquals(0, after(dayOf(9_000)));
  }

  @Test
  void whatArrivesIsExpectedAgain() {
    sessions.report(0, 1, new long[] {1, 0, 1_000, 1_000});
    assertEquals(0, after(idle));
    sessions.report(0, 2, new long[] {1, 400, 4_000, 3_600});
    assertEquals(400 + 3_000, after(idle));
    // Over two periods, half each.
    sessions.report(0, 4, new long[] {1, 0, 10_000, 10_000});
    assertEquals(3_000, after(idle));
  }

  @Test
  void aFewBytesCountAsTheShortestSlot() {
    sessions.report(0, 1, new long[] {1, 3, 3, 0});
    assertEquals(LEAST_BYTES, after(idle));
  }

  @Test
  void aQueueLeftOutOfTheReportHasNothing() {
    sessions.report(0, 1, new long[] {1, 5_000, 5_000, 0});
    after(idle);
    sessions.report(0, 2);
    assertEquals(0, after(idle));
  }

  @Test
  void aHostWhoseClockIsOffOrUnknownHasNoDemand() {
    sessions.report(0, 1, new long[] {1, 5_000, 5_000, 0});
    sessions.clock(0, GUARD_NS + 1);
    assertEquals(0, after(idle));
    sessions.clock(0, GUARD_NS);
    assertEquals(5_000, after(idle));
  }

  @Test
  void afterANewSessionCountersBeginAnew() {
    sessions.report(0, 1, new long[] {1, 0, 9_000, 9_000});
    after(idle);
    sessions.reconnect(0);
    sessions.clock(0, 5);
    sessions.report(0, 2, new long[] {1, 100, 50_000, 49_900});
    assertEquals(100, after(idle));
  }

  @Test
  void queuesOfNoHostDoNotCountAndHugeOnesAreCut() {
    sessions.report(
        0,
        1,
        new long[] {0, 7, 7, 0},
        new long[] {2, 7, 7, 0},
        new long[] {60_000, 7, 7, 0},
        new long[] {1, Long.MAX_VALUE, Long.MAX_VALUE, 0});
    assertEquals(1L << 40, after(idle));
    assertEquals(1L << 40, demand.of(0).total());
  }

  /** 80 Mb/s, a hundredth of circuits: 10,000 bytes a period, for the only pair of each source. */
  private DemandEstimator hybrid() {
    CircuitNetwork both = new CircuitNetwork(2, 8_000_000_000L, 80_000_000, 100, 1_000_000);
    return estimator(both, new PacketPlan(both, 0));
  }

  private long after(DemandEstimator hybrid, Schedule running) {
    hybrid.estimate(sessions.sessions(), running, demand);
    return demand.of(0).get(0, 1);
  }

  @Test
  void whatThePacketSwitchWillCarryIsNotScheduledForCircuits() {
    DemandEstimator hybrid = hybrid();
    sessions.report(0, 1, new long[] {1, 15_000, 15_000, 0, 0});
    assertEquals(5_000, after(hybrid, idle));
    // Beside a day it has the rest of the period.
    sessions.report(0, 2, new long[] {1, 15_000, 25_000, 10_000, 10_000});
    assertEquals(15_000 - 5_000 - 9_950 + 10_000 - 2_487, after(hybrid, dayOf(5_000)));
    // Nothing was announced.
    sessions.report(0, 3, new long[] {1, 15_000, 25_000, 10_000, 10_001});
    assertEquals(15_000, after(hybrid, null));
  }

  @Test
  void whatThePacketSwitchAlwaysTakesIsNotExpectedOfCircuits() {
    DemandEstimator hybrid = hybrid();
    sessions.report(0, 1, new long[] {1, 0, 1_000, 1_000, 1_000});
    assertEquals(0, after(hybrid, idle));
    // A quarter of what it may carry in a period.
    sessions.report(0, 2, new long[] {1, 0, 3_500, 3_500, 3_500});
    assertEquals(0, after(hybrid, idle));
    // The rest has to be planned for, whatever carried it this time.
    sessions.report(0, 3, new long[] {1, 0, 13_500, 13_500, 13_500});
    assertEquals(7_500, after(hybrid, idle));
    sessions.report(0, 4, new long[] {1, 0, 23_500, 23_500, 13_500});
    assertEquals(7_500, after(hybrid, idle));
  }

  @Test
  void whatThePacketSwitchFailedToCarryGetsACircuit() {
    DemandEstimator hybrid = hybrid();
    sessions.report(0, 1, new long[] {1, 3_000, 3_000, 0, 0});
    assertEquals(0, after(hybrid, idle));
    sessions.report(0, 2, new long[] {1, 3_000, 3_000, 0, 0});
    assertEquals(3_000, after(hybrid, idle));
    sessions.report(0, 3, new long[] {1, 2_900, 3_000, 100, 100});
    assertEquals(0, after(hybrid, idle));
  }

  @Test
  void ofWhatThePacketSwitchCarriesEachClassHasItsPart() {
    CircuitNetwork both = new CircuitNetwork(2, 8_000_000_000L, 80_000_000, 100, 1_000_000);
    Observed classes = new Observed(2, List.of(new DemandClass(7, false)));
    DemandEstimator hybrid =
        new DemandEstimator(
            new Directory(List.of("h0", "h1"), null, 1),
            classes,
            both,
            GUARD_NS,
            LEAST_BYTES,
            new PacketPlan(both, 0));
    // What the week that runs was planned for, all of which no day carries.
    classes.of(0).set(0, 1, 2_000);
    classes.of(1).set(0, 1, 4_000);
    classes.sum();
    Schedule running = new Schedule(2);
    running.remainder().set(0, 1, 6_000);
    // The queue of class 1 to h1 is behind the packet queue, 2.
    sessions.report(0, 1, new long[] {1, 10_000, 10_000, 0, 0}, new long[] {4, 9_000, 9_000, 0, 0});
    hybrid.estimate(sessions.sessions(), running, classes);
    // Each its part of the remainder, and half of the 4,000 bytes left of the period's 10,000; a
    // byte for rounding down.
    assertEquals(10_000 - 2_000 - 2_000, (double) classes.of(0).get(0, 1), 1);
    assertEquals(9_000 - 4_000 - 2_000, (double) classes.of(1).get(0, 1), 1);
  }
}
