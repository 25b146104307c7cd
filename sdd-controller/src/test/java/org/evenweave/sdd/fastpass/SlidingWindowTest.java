package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlidingWindowTest {
  /** From a few requests, when batches are steps, to many, when they are four. */
  @Property(tries = 100)
  void eachHostOncePerTimeslotNobodyMoreThanItWantsAndNobodyWaitsTooLong(
      @ForAll @IntRange(min = 2, max = 20) int hosts,
      @ForAll @IntRange(max = 100) int requestsPerStep,
      @ForAll long seed) {
    Random random = new Random(seed);
    SlidingWindow window = new SlidingWindow(hosts);
    long[] wants = new long[hosts * hosts];
    long[] waitsSince = new long[hosts * hosts];
    long bound = 2L * (hosts - 2) + SlidingWindow.LATER_TIMESLOTS;
    for (int step = 0; step < 60; step++) {
      long start = window.now();
      assertEquals(16L * step, start);
      for (int i = step < 40 ? random.nextInt(requestsPerStep + 1) : 0; i > 0; i--) {
        int from = random.nextInt(hosts);
        int to = (from + 1 + random.nextInt(hosts - 1)) % hosts;
        int timeslots = 1 + random.nextInt(12);
        if (wants[from * hosts + to] == 0) {
          waitsSince[from * hosts + to] = start;
        }
        wants[from * hosts + to] += timeslots;
        window.request(from, to, timeslots);
      }
      window.allocate();
      for (int t = 0; t < SlidingWindow.STEP_TIMESLOTS; t++) {
        boolean[] sends = new boolean[hosts];
        boolean[] receives = new boolean[hosts];
        for (int i = 0; i < window.admitted(t); i++) {
          int pair = window.source(t, i) * hosts + window.destination(t, i);
          assertTrue(!sends[pair / hosts] && !receives[pair % hosts]);
          sends[pair / hosts] = true;
          receives[pair % hosts] = true;
          assertTrue(wants[pair]-- > 0, "pair " + pair);
          assertTrue(start + t - waitsSince[pair] <= bound, "pair " + pair);
          waitsSince[pair] = start + t + 1;
        }
      }
      for (int pair = 0; pair < wants.length; pair++) {
        assertTrue(wants[pair] == 0 || window.now() - waitsSince[pair] <= bound, "pair " + pair);
      }
    }
  }

  @Test
  void aRequestToIdleHostsIsServedInTheNextStepHoweverManyOthersWait() {
    SlidingWindow window = new SlidingWindow(32);
    for (int from = 0; from < 28; from++) {
      for (int to = 0; to < 28; to++) {
        if (from != to) {
          window.request(from, to, 1_000);
        }
      }
    }
    window.allocate();
    window.request(30, 31, 16);
    window.allocate();
    for (int t = 0; t < SlidingWindow.STEP_TIMESLOTS; t++) {
      boolean found = false;
      for (int i = 0; i < window.admitted(t); i++) {
        found |= window.source(t, i) == 30 && window.destination(t, i) == 31;
      }
      assertTrue(found, "timeslot " + t);
    }
  }

  @Test
  void aStepHasSixteenTimeslots() {
    SlidingWindow window = new SlidingWindow(2);
    window.allocate();
    assertThrows(IndexOutOfBoundsException.class, () -> window.admitted(16));
    assertThrows(IndexOutOfBoundsException.class, () -> window.admitted(-1));
  }
}
