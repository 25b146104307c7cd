package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.FakeSessions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two hosts and two classes, circuits of a byte per nanosecond. */
class DemandByClassTest {
  private static final long GUARD_NS = 10;
  private static final long LEAST_BYTES = 50;

  /** To the second host: of no class, of {@code low} and of {@code high}. */
  private static final int REST = 1;

  private static final int LOW = 4;
  private static final int HIGH = 6;

  private final CircuitNetwork network = new CircuitNetwork(2, 8_000_000_000L, 0, 100, 1_000_000);
  private final Schedule running = new Schedule(2);
  private FakeSessions sessions;
  private DemandEstimator estimator;
  private Observed seen;

  @BeforeEach
  void connect() throws Exception {
    sessions = new FakeSessions(2);
    sessions.clock(0, 5);
    sessions.clock(1, 5);
    SddConfig config =
        SddConfigReader.read(
            ("{'hosts': ['a', 'b'], 'scheduler': 'fastpass', 'order': 'smallestCoflow',"
                    + "'circuitClasses': ["
                    + "{'name': 'low', 'flows': [{'protocol': 6}]},"
                    + "{'name': 'high', 'priority': 3, 'coflow': true, 'flows': [{'protocol': 17}]}]}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8),
            Path.of("/"));
    seen = config.nothingObserved();
    estimator = new DemandEstimator(config.directory(), seen, network, GUARD_NS, LEAST_BYTES, null);
    running.clear(100);
  }

  private void runs(long durationNs) {
    running.clear(100);
    running.addDay(new int[] {1, Schedule.IDLE}, 0, durationNs);
  }

  private String estimate() {
    estimator.estimate(sessions.sessions(), running, seen);
    seen.sum();
    assertEquals(
        seen.demand().total(), seen.of(0).total() + seen.of(1).total() + seen.of(2).total());
    return seen.of(0).get(0, 1) + " " + seen.of(1).get(0, 1) + " " + seen.of(2).get(0, 1);
  }

  private void report(long period, long ofRest, long ofLow, long ofHigh) {
    sessions.report(
        0,
        period,
        new long[] {REST, ofRest, ofRest, 0},
        new long[] {LOW, ofLow, ofLow, 0},
        new long[] {HIGH, ofHigh, ofHigh, 0});
  }

  @Test
  void eachClassHasItsBacklog() {
    report(1, 500, 600, 700);
    assertEquals("500 600 700", estimate());
    report(2, 0, 0, 700);
    assertEquals("0 0 700", estimate());
  }

  @Test
  void whatIsScheduledIsTakenOffTheHighestPriorityFirst() {
    report(1, 500, 600, 700);
    runs(400);
    assertEquals("500 600 300", estimate());
    runs(900);
    assertEquals("500 400 0", estimate());
    runs(1_400);
    assertEquals("400 0 0", estimate());
    runs(5_000);
    assertEquals("0 0 0", estimate());
  }

  @Test
  void whatArrivedIsExpectedAgainAndLittleCountsAsASlot() {
    report(1, 0, 1, 0);
    assertEquals("0 50 0", estimate());
    sessions.report(0, 2, new long[] {LOW, 0, 401, 401}, new long[] {HIGH, 0, 30, 30});
    assertEquals("0 400 50", estimate());
    // Two periods on.
    sessions.report(0, 4, new long[] {LOW, 0, 1_001, 1_001});
    assertEquals("0 300 0", estimate());
  }

  @Test
  void aHostThatKeepsNoTimeOrIsAwayWantsNothing() {
    report(1, 0, 600, 700);
    sessions.clock(0, 5_000);
    assertEquals("0 0 0", estimate());
    sessions.clock(0, 5);
    assertEquals("0 600 700", estimate());
    sessions.disconnect(0);
    assertEquals("0 0 0", estimate());
  }
}
