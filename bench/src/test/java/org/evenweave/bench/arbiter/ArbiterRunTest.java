package org.evenweave.bench.arbiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.evenweave.bench.common.AuthorsProgram;
import org.evenweave.bench.common.Scripts;
import org.evenweave.sdd.fastpass.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArbiterRunTest {
  @Test
  void requestsAskForTheLoad() {
    PoissonRequests requests = new PoissonRequests(64, 0.6, 20_000, 1);
    long requested = Arrays.stream(requests.timeslots, 0, requests.count).asLongStream().sum();
    // About 77,000 exponential requests: a standard deviation of the mean of 0.5 %.
    assertEquals(0.6 * 64 * 20_000, (double) requested, 0.02 * 0.6 * 64 * 20_000);
    for (int i = 0; i < requests.count; i++) {
      assertTrue(requests.source[i] != requests.destination[i]);
      assertTrue(requests.timeslots[i] >= 1);
      assertTrue(i == 0 || requests.arrival[i] >= requests.arrival[i - 1]);
    }
  }

  @Test
  void noRequestWaitsBeyondTheBoundAndNearlyAllIsAdmitted() {
    ArbiterRun run = new ArbiterRun(16, 0.5, 100, 5_000, 1);
    ArbiterRun.Seen seen = run.watch(Order.LEAST_RECENTLY_SERVED);
    assertTrue(seen.admitted <= seen.requested);
    assertTrue(seen.admitted > 0.99 * seen.requested, seen.admitted + " of " + seen.requested);
    assertTrue(seen.longestWaitTimeslots <= 2 * (16 - 2));
    // Ten timeslots on average, and half a step until the first is given.
    assertTrue(seen.meanCompletionTimeslots > 18, seen.meanCompletionTimeslots + " timeslots");
    ArbiterRun.Seen shortestFirst = run.watch(Order.SHORTEST_REMAINING);
    assertTrue(shortestFirst.meanCompletionTimeslots < seen.meanCompletionTimeslots);
  }

  @Test
  void requestsOfAPairAreCompletedInTheOrderOfTheirArrival() {
    PoissonRequests requests = new PoissonRequests(2, 0.5, 1, 1);
    requests.count = 2;
    for (int i = 0; i < 2; i++) {
      requests.arrival[i] = 3 * i;
      requests.source[i] = 0;
      requests.destination[i] = 1;
      requests.timeslots[i] = 2;
    }
    Completions completions = new Completions(2, requests);
    completions.requested(0);
    completions.requested(1);
    for (int timeslot : new int[] {4, 5, 8, 9}) {
      assertTrue(completions.areMissing() && completions.waits(1));
      completions.admitted(1, timeslot);
    }
    assertTrue(!completions.areMissing() && !completions.waits(1));
    // From 0 to the end of 5, and from 3 to the end of 9.
    assertEquals((6 + 7) / 2.0, completions.meanTimeslots());
  }

  @Test
  void theAuthorsProgramGetsTheSameRequests(@TempDir Path folder) throws IOException {
    ArbiterRun run = new ArbiterRun(4, 0.5, 16, 32, 1);
    String program =
        Scripts.write(
            folder,
            "read -r nodes warm slots count; [ \"$nodes $warm $slots\" = '4 16 32' ] || exit 1\n"
                + "[ \"$(wc -l)\" = \"$count\" ] || exit 1\necho 16000 8 12.5");
    AuthorsArbiter.Figures figures =
        new AuthorsArbiter(AuthorsProgram.at(program).orElseThrow()).run(run);
    assertEquals(2e6, figures.timeslotsPerSecond);
    assertEquals(12.5, figures.meanCompletionTimeslots);
  }

  @Test
  void allToAllIsSharedEvenly() {
    int[] got = ArbiterRun.allToAll(8, 7 * 64);
    assertEquals(8 * 7, got.length);
    assertTrue(got[got.length - 1] - got[0] <= 2, Arrays.toString(got));
  }
}
