package org.evenweave.sdd.loop;

import java.nio.file.Path;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.FakeSessions;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TightCouplingTest {
  private static final long DAY_NS = 3_600_000_000_000L;

  @TempDir static Path temporary;

  /** A week that has begun, with one day, in which host 0 sends to host 1. */
  private static Week week(long period, long startNs) {
    Week week = new Week(3);
    week.setBusy(true);
    week.of(period, startNs);
    week.schedule().clear(0);
    week.schedule().addDay(new int[] {1, Schedule.IDLE, Schedule.IDLE}, 0, DAY_NS);
    return week;
  }

  @Test
  void aFaultInOneWeekDoesNotStopTheNext() throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    FakeSessions fake = new FakeSessions(3);
    fake.clock(0, 0);
    TightCoupling coupling = new TightCoupling(config, fake.sessions());
    try {
      for (int period = 0; period < 4; period++) {
        // Fails where the datagram is sent: these sessions have no socket.
        Week week = week(period, config.clock().nowNs());
        coupling.announce(week);
        SessionBed.await("week " + period + " to be given up", () -> !week.isBusy());
      }
      // One that is over: it is carried out, and counted as what it is.
      coupling.announce(week(4, config.clock().nowNs() - 2 * DAY_NS));
      SessionBed.await("the week after", () -> coupling.lateDays() == 1);
    } finally {
      coupling.close();
    }
  }
}
