package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.FakeSessions;
import org.evenweave.sdd.trigger.HeldPairs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlLoopTest {
  private static final int WEEKS = 8;

  @TempDir static Path temporary;

  private final FakeSessions sessions = new FakeSessions(3);
  private final AtomicInteger announced = new AtomicInteger();

  /** Where every week comes too late, or cannot be announced at all. */
  private Coupling coupling(boolean fails, int connectsAt) {
    return new Coupling() {
      @Override
      public boolean announce(Week week, CircuitSession circuitSwitch) {
        if (announced.incrementAndGet() == connectsAt) {
          sessions.reconnect(0);
        }
        if (fails && announced.get() % 2 == 0) {
          throw new IllegalStateException("a fault of the test");
        }
        if (fails) {
          throw new AssertionError("a fault of the test");
        }
        week.setBusy(false);
        return false;
      }

      @Override
      public void close() {}
    };
  }

  private static SessionTerms terms(SddConfig config) {
    return new SessionTerms(
        config.clock().kind(),
        config.clock().nowNs() - 2 * WEEKS * FakeCircuitNetwork.PERIOD_NS,
        FakeCircuitNetwork.PERIOD_NS,
        config.guardNs(),
        config.lostAfterPeriods(),
        config.takeOverAfterPeriods(),
        config.safePolicy(),
        config.safeRateBps(),
        0);
  }

  private ControlLoop loop(SddConfig config, SessionTerms terms, Coupling coupling) {
    return new ControlLoop(
        config, terms, sessions.sessions(), coupling, new HeldPairs(config.directory().count()));
  }

  /** Carries out some periods, all of which are over already, so that nothing is waited for. */
  private LoopTotals run(Coupling coupling) throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    SessionTerms terms = terms(config);
    for (int host = 0; host < 3; host++) {
      sessions.disconnect(host);
    }
    ControlLoop loop = loop(config, terms, coupling);
    for (int period = 0; period < WEEKS; period++) {
      assertTrue(loop.carryOut(period));
    }
    assertEquals(WEEKS, announced.get());
    return loop.state().totals();
  }

  @Test
  void weeksAreLateForHostsOnly() throws Exception {
    assertEquals(0, run(coupling(false, 0)).lateWeeks());
  }

  @Test
  void aWeekThatIsLateForAHostCounts() throws Exception {
    assertEquals(1, run(coupling(false, WEEKS)).lateWeeks());
  }

  @Test
  void aWeekThatCannotBeAnnouncedDoesNotUseUpTheWeeks() throws Exception {
    assertEquals(0, run(coupling(true, 0)).lateWeeks());
  }

  /** What the loop announces: the days of each week, and the session that orders them. */
  private static final class Recorded implements Coupling {
    private final List<Integer> days = new ArrayList<>();
    private final List<Long> remainders = new ArrayList<>();
    private final List<CircuitSession> switches = new ArrayList<>();

    @Override
    public boolean announce(Week week, CircuitSession circuitSwitch) {
      days.add(week.schedule().days());
      remainders.add(week.schedule().remainder().at(1));
      switches.add(circuitSwitch);
      week.setBusy(false);
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void aWeekWithoutTheCircuitSwitchHasNoDays() throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    Recorded recorded = new Recorded();
    ControlLoop loop = loop(config, terms(config), recorded);
    sessions.loseDatagrams();
    sessions.clock(0, 0);
    sessions.report(0, 0, new long[] {1, 100_000, 100_000, 0});

    loop.carryOut(0);
    CircuitSession circuitSwitch = sessions.connectSwitch();
    loop.carryOut(1);
    sessions.disconnectSwitch();
    loop.carryOut(2);

    assertEquals(Arrays.asList(null, circuitSwitch, null), recorded.switches);
    assertEquals(0, recorded.days.get(0));
    assertTrue(recorded.days.get(1) > 0, "days of a week with the switch: " + recorded.days);
    assertEquals(0, recorded.days.get(2));
    // What has no circuit is left to the packet switch, if there is one.
    assertTrue(recorded.remainders.get(0) >= 100_000, "remainders " + recorded.remainders);
  }
}
