package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.session.FakeSessions;
import org.evenweave.sdd.session.SessionBed;
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
        if (fails) {
          throw new IllegalStateException("a fault of the test");
        }
        week.setBusy(false);
        return false;
      }

      @Override
      public void close() {}
    };
  }

  private LoopTotals run(Coupling coupling) throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    SessionTerms terms =
        new SessionTerms(
            config.clock().kind(),
            config.clock().nowNs(),
            FakeCircuitNetwork.PERIOD_NS,
            config.guardNs(),
            config.lostAfterPeriods(),
            config.safePolicy(),
            config.safeRateBps());
    for (int host = 0; host < 3; host++) {
      sessions.disconnect(host);
    }
    ControlLoop loop = new ControlLoop(config, terms, sessions.sessions(), coupling);
    loop.start();
    try {
      SessionBed.await("weeks", () -> announced.get() >= WEEKS);
    } finally {
      loop.close();
    }
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
