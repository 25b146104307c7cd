package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.protocol.SessionTerms;
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
      public boolean announce(Week week) {
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

  /** Carries out some periods, all of which are over already, so that nothing is waited for. */
  private LoopTotals run(Coupling coupling) throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    SessionTerms terms =
        new SessionTerms(
            config.clock().kind(),
            config.clock().nowNs() - 2 * WEEKS * FakeCircuitNetwork.PERIOD_NS,
            FakeCircuitNetwork.PERIOD_NS,
            config.guardNs(),
            config.lostAfterPeriods(),
            config.takeOverAfterPeriods(),
            config.safePolicy(),
            config.safeRateBps(),
            0);
    for (int host = 0; host < 3; host++) {
      sessions.disconnect(host);
    }
    ControlLoop loop =
        new ControlLoop(
            config,
            terms,
            sessions.sessions(),
            coupling,
            new HeldPairs(config.directory().count()));
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
}
