package org.evenweave.engine.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LoopWatchTest {
  private final LoopWatch watch = new LoopWatch();
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  private void passSeconds(int seconds) {
    for (int second = 0; second < seconds; second++) {
      watch.check();
    }
  }

  @Test
  void aThreadThatRunsItsTaskOnceInThreeSecondsIsNotStalled() {
    watch.add("loop", tasks::add);
    for (int turn = 0; turn < 10; turn++) {
      passSeconds(3);
      assertEquals(List.of(), watch.stalled());
      assertEquals(1, tasks.size(), "one task waits, however long");
      tasks.remove().run();
    }
  }

  @Test
  void onlyTheThreadThatStandsStillIsNamedUntilItRuns() {
    watch.add("first", Runnable::run);
    watch.add("second", tasks::add);
    passSeconds(6);
    assertEquals(
        List.of(
            "the controller's second has not run for 5 s; the reported state is older than that"),
        watch.stalled());
    tasks.remove().run();
    assertEquals(List.of(), watch.stalled());
    passSeconds(3);
    assertEquals(List.of(), watch.stalled());
    passSeconds(1);
    assertEquals(1, watch.stalled().size(), "it stands still again");
  }

  @Test
  void aThreadThatWasClosedIsNotMissed() {
    watch.add(
        "closed",
        task -> {
          throw new RejectedExecutionException();
        });
    passSeconds(10);
    assertEquals(List.of(), watch.stalled());
  }
}
