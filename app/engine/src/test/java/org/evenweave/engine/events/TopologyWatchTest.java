package org.evenweave.engine.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.runtime.PlanTimes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopologyWatchTest {
  /** Only a hung thread takes so long. */
  private static final long HANG_SECONDS = 60;

  private final EventLog log = new EventLog(() -> 0, 0);
  private final LinkedBlockingQueue<Long> calls = new LinkedBlockingQueue<>();
  private final TopologyWatch watch = new TopologyWatch(log, () -> calls.add(log.lastChange()));

  @AfterEach
  void close() {
    watch.close();
    log.close();
  }

  private Long next() throws InterruptedException {
    return calls.poll(HANG_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aFailureIsToldOnceTheSwitchesHaveConfirmedWhatItChanges() throws InterruptedException {
    log.add(Event.Kind.LINK_DOWN, "a/1-b/1", 1);
    log.note(Event.Kind.HOST_LIMIT, "a/2", 2);
    log.confirm(log.lastSequence(), 3, 1, 1, PlanTimes.NONE);
    assertEquals(log.lastChange(), next());
    // What is told next is the next failure, so nothing was told of what came between.
    log.note(Event.Kind.DUPLICATE_ADDRESS, "10.0.0.1", 4);
    log.add(Event.Kind.SWITCH_DOWN, "b", 5);
    assertNull(calls.poll());
    log.confirm(log.lastSequence(), 6, 1, 1, PlanTimes.NONE);
    assertEquals(log.lastChange(), next());
    assertNull(calls.poll());
  }

  @Test
  void whatNeedsNoChangeIsToldAtOnce() throws InterruptedException {
    log.note(Event.Kind.CONFIGURATION, "excluded a/1", 1);
    assertNotNull(next());
  }

  @Test
  void whatCameBeforeIsToldOnce() throws InterruptedException {
    watch.close();
    log.add(Event.Kind.LINK_DOWN, "a/1-b/1", 1);
    log.add(Event.Kind.LINK_DOWN, "a/2-b/2", 2);
    log.confirm(log.lastSequence(), 3, 1, 1, PlanTimes.NONE);
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    TopologyWatch late = new TopologyWatch(log, () -> told.add("late"));
    assertNotNull(told.poll(HANG_SECONDS, TimeUnit.SECONDS));
    assertNull(told.poll());
    late.close();
  }
}
