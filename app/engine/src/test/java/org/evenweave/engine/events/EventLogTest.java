package org.evenweave.engine.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.runtime.PlanTimes;
import org.evenweave.engine.runtime.StageTimes;
import org.junit.jupiter.api.Test;

/** Clocks of its own: one that is set, and one that goes on. */
class EventLogTest {
  private static final long SECOND = 1_000_000_000L;
  private long nanos = 7 * SECOND;
  private Instant wall = Instant.ofEpochSecond(1_000_000);

  private final Clock wallClock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return wall;
        }
      };

  private final EventLog log = new EventLog(() -> nanos, wallClock, 0);

  private void passSeconds(long seconds) {
    nanos += seconds * SECOND;
    wall = wall.plusSeconds(seconds);
  }

  private Event latest() {
    return log.since(log.lastSequence() - 1).get(0);
  }

  @Test
  void anEventHasTheTimeAtWhichItWasDetected() {
    passSeconds(100);
    long detected = nanos;
    passSeconds(2);
    log.add(Event.Kind.LINK_DOWN, "a/1-b/1", detected);
    assertEquals(1_000_100_000_000L, latest().detectedEpochMicros());
  }

  /** By an hour, as NTP does at the first contact. */
  @Test
  void aClockThatIsSetShowsInTheNextEvent() {
    log.note(Event.Kind.LINK_DOWN, "a/1-b/1", nanos);
    wall = wall.minusSeconds(3600);
    log.note(Event.Kind.LINK_UP, "a/1-b/1", nanos);
    assertEquals(996_400_000_000L, latest().detectedEpochMicros());
    assertEquals(latest().detectedEpochMicros(), latest().confirmedEpochMicros());
  }

  @Test
  void howLongAConfirmationTookDoesNotDependOnTheClock() {
    log.add(Event.Kind.LINK_DOWN, "a/1-b/1", nanos);
    passSeconds(3);
    wall = wall.plusSeconds(86_400);
    log.confirm(1, nanos, 2, 1, PlanTimes.NONE);
    assertEquals(1_000_000_000_000L, latest().detectedEpochMicros());
    assertEquals(3_000_000, latest().confirmedEpochMicros() - latest().detectedEpochMicros());
  }

  @Test
  void theStagesOfAnEventAddUpToTheTimeUntilItsConfirmation() {
    StageTimes times = new StageTimes(() -> nanos);
    log.add(Event.Kind.LINK_DOWN, "a/1-b/1", nanos);
    passSeconds(1);
    times.start();
    passSeconds(9);
    times.add(StageTimes.Stage.ROUTES, 2_000_000_000L);
    times.add(StageTimes.Stage.VERIFY, 3_000_000_000L);
    times.finish();
    passSeconds(5);
    log.confirm(1, nanos, 2, 1, times.latest());
    Map<String, Long> stages = latest().stageNanos();
    assertEquals(
        List.of("wait", "routes", "groups", "tables", "plan", "verify", "other", "rounds"),
        List.copyOf(stages.keySet()));
    assertEquals(15_000_000_000L, stages.values().stream().mapToLong(each -> each).sum());
    assertEquals(1_000_000_000L, stages.get("wait"));
    assertEquals(4_000_000_000L, stages.get("other"));
    assertEquals(5_000_000_000L, stages.get("rounds"));
  }

  @Test
  void anEventThatNoPlanWasComputedForHasNoStages() {
    log.add(Event.Kind.LINK_DOWN, "a/1-b/1", nanos);
    log.confirm(1, nanos, 2, 1, PlanTimes.NONE);
    assertEquals(Map.of(), latest().stageNanos());
  }
}
