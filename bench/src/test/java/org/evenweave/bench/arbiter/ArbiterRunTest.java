package org.evenweave.bench.arbiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

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
    ArbiterRun.Seen seen = new ArbiterRun(16, 0.5, 100, 5_000, 1).watch();
    assertTrue(seen.admitted <= seen.requested);
    assertTrue(seen.admitted > 0.99 * seen.requested, seen.admitted + " of " + seen.requested);
    assertTrue(seen.longestWaitTimeslots <= 2 * (16 - 2));
  }

  @Test
  void allToAllIsSharedEvenly() {
    int[] got = ArbiterRun.allToAll(8, 7 * 64);
    assertEquals(8 * 7, got.length);
    assertTrue(got[got.length - 1] - got[0] <= 2, Arrays.toString(got));
  }
}
