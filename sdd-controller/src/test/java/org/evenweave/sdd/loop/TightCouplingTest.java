package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
        coupling.announce(week, null);
        SessionBed.await("week " + period + " to be given up", () -> !week.isBusy());
      }
      // One that is over: it is carried out, and counted as what it is.
      coupling.announce(week(4, config.clock().nowNs() - 2 * DAY_NS), null);
      SessionBed.await("the week after", () -> coupling.late().days() == 1);
    } finally {
      coupling.close();
    }
  }

  /** A coupling whose every fault is logged, by a log that may fail itself. */
  private TightCoupling coupling(SddConfig config, AtomicInteger faults, boolean logFails)
      throws Exception {
    FakeSessions fake = new FakeSessions(3);
    fake.clock(0, 0);
    AtomicLong nowNs = new AtomicLong();
    return new TightCoupling(
        config,
        fake.sessions(),
        new FaultLog(
            (consequence, fault) -> {
              faults.incrementAndGet();
              if (logFails) {
                throw new OutOfMemoryError("of the test");
              }
            },
            () -> nowNs.addAndGet(FaultLog.REPEAT_NS)));
  }

  @Test
  void aFaultInOneDayDoesNotStopTheNext() throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    AtomicInteger faults = new AtomicInteger();
    TightCoupling coupling = coupling(config, faults, false);
    try {
      Week week = new Week(3);
      week.setBusy(true);
      week.of(1, config.clock().nowNs());
      week.schedule().clear(0);
      for (int day = 0; day < 3; day++) {
        week.schedule().addDay(new int[] {1, Schedule.IDLE, Schedule.IDLE}, 0, 1_000_000);
      }
      coupling.announce(week, null);
      SessionBed.await("the week to be over", () -> !week.isBusy());
      // Each day fails when its START is sent, or is late on a busy machine.
      assertEquals(3, faults.get() + coupling.late().days());
    } finally {
      coupling.close();
    }
  }

  @Test
  void neitherAnErrorInTheLogNorAnInterruptOfOthersEndsTheThread() throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    AtomicInteger faults = new AtomicInteger();
    TightCoupling coupling = coupling(config, faults, true);
    try {
      for (int period = 0; period < 3; period++) {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
          if (thread.getName().equals("sdd-commander")) {
            thread.interrupt();
          }
        }
        Week week = week(period, config.clock().nowNs());
        coupling.announce(week, null);
        SessionBed.await("week " + period + " to be given up", () -> !week.isBusy());
      }
      assertEquals(3, faults.get());
    } finally {
      coupling.close();
    }
  }
}
