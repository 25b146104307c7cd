package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.schedule.Schedule;
import org.junit.jupiter.api.Test;

class ArbiterTest {
  private static List<List<List<Integer>>> allocate(Arbiter arbiter, int timeslots) {
    arbiter.allocate(timeslots);
    List<List<List<Integer>>> batch = new ArrayList<>();
    for (int t = 0; t < timeslots; t++) {
      batch.add(pairs(arbiter, t));
      assertEquals(batch.get(t).size(), arbiter.admitted(t));
    }
    return batch;
  }

  /** The pairs that have a timeslot, as source and destination, by source. */
  static List<List<Integer>> pairs(TimeslotAllocator allocator, int hosts, int timeslot) {
    List<List<Integer>> pairs = new ArrayList<>();
    for (int source = 0; source < hosts; source++) {
      int destination = allocator.destination(timeslot, source);
      if (destination != Schedule.IDLE) {
        pairs.add(List.of(source, destination));
      }
    }
    return pairs;
  }

  private static List<List<Integer>> pairs(Arbiter arbiter, int timeslot) {
    return pairs(arbiter, arbiter.hosts(), timeslot);
  }

  private static int source(Arbiter arbiter, int timeslot) {
    return pairs(arbiter, timeslot).get(0).get(0);
  }

  private static void requestAtRandom(Arbiter arbiter, PlainArbiter plain, Random random) {
    int from = random.nextInt(arbiter.hosts());
    int to = (from + 1 + random.nextInt(arbiter.hosts() - 1)) % arbiter.hosts();
    // Sometimes more than fits the credit of a word, which has 12 bits.
    int timeslots = 1 + random.nextInt(random.nextInt(20) == 0 ? 20_000 : 12);
    arbiter.request(from, to, timeslots);
    plain.request(from, to, timeslots);
  }

  @Property(tries = 300)
  void allocatesWhatTheWalkTimeslotByTimeslotDoes(
      @ForAll @IntRange(min = 2, max = 12) int hosts,
      @ForAll @IntRange(max = 60) int requestsPerBatch,
      @ForAll long seed) {
    Random random = new Random(seed);
    Arbiter arbiter = new Arbiter(hosts);
    PlainArbiter plain = new PlainArbiter();
    for (int batch = 0; batch < 12; batch++) {
      for (int i = random.nextInt(requestsPerBatch + 1); i > 0; i--) {
        requestAtRandom(arbiter, plain, random);
      }
      int timeslots = random.nextInt(3) == 0 ? 1 + random.nextInt(64) : 64;
      assertEquals(plain.allocate(timeslots), allocate(arbiter, timeslots));
    }
  }

  @Property(tries = 60)
  void allocatesWhatTheWalkDoesInStepsWithPairsThatRestForLonger(
      @ForAll @IntRange(min = 2, max = 9) int hosts,
      @ForAll @IntRange(min = 1, max = 20) int requestsPerStep,
      @ForAll long seed) {
    Random random = new Random(seed);
    Arbiter arbiter = new Arbiter(hosts);
    PlainArbiter plain = new PlainArbiter();
    for (int step = 0; step < 60; step++) {
      // Weeks of silence, after which some pairs were served longer ago than others.
      int requests = step % 12 < 6 ? random.nextInt(requestsPerStep + 1) : 0;
      for (int i = 0; i < requests; i++) {
        requestAtRandom(arbiter, plain, random);
      }
      int timeslots = 16 * (1 + random.nextInt(4));
      assertEquals(plain.allocate(timeslots), allocate(arbiter, timeslots));
    }
  }

  @Test
  void allocatesWhatTheWalkDoesWithManyHostsAndBatches() {
    Random random = new Random(20141117);
    Arbiter arbiter = new Arbiter(70);
    PlainArbiter plain = new PlainArbiter();
    for (int batch = 0; batch < 60; batch++) {
      for (int i = 0; i < 500; i++) {
        requestAtRandom(arbiter, plain, random);
      }
      assertEquals(plain.allocate(64), allocate(arbiter, 64));
    }
  }

  @Property(tries = 60)
  void noPairWaitsLongerThanItsCompetitorsOneTurnEach(
      @ForAll @IntRange(min = 3, max = 20) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    Arbiter arbiter = new Arbiter(hosts);
    long[] waitsSince = new long[hosts * hosts];
    long[] wants = new long[hosts * hosts];
    for (int batch = 0; batch < 20; batch++) {
      long start = arbiter.now();
      for (int pair = 0; pair < wants.length; pair++) {
        // Everybody to everybody at once, and some stop and start again.
        boolean asks = batch == 0 || random.nextInt(4) == 0;
        if (asks && wants[pair] == 0 && pair / hosts != pair % hosts) {
          wants[pair] = 1L + random.nextInt(8);
          waitsSince[pair] = start;
          arbiter.request(pair / hosts, pair % hosts, (int) wants[pair]);
        }
      }
      arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
      for (int t = 0; t < Arbiter.BATCH_TIMESLOTS; t++) {
        for (List<Integer> admitted : pairs(arbiter, t)) {
          int pair = admitted.get(0) * hosts + admitted.get(1);
          long waited = start + t - waitsSince[pair];
          assertTrue(waited <= 2L * (hosts - 2), "waited " + waited + " timeslots");
          wants[pair]--;
          waitsSince[pair] = start + t + 1;
        }
      }
    }
  }

  @Test
  void sharesAnIncastEvenlyToOneTimeslot() {
    int hosts = 7;
    Arbiter arbiter = new Arbiter(hosts);
    for (int source = 1; source < hosts; source++) {
      arbiter.request(source, 0, 1000 * source);
    }
    int[] got = new int[hosts];
    for (int batch = 0; batch < 10; batch++) {
      arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
      for (int t = 0; t < Arbiter.BATCH_TIMESLOTS; t++) {
        assertEquals(1, arbiter.admitted(t));
        got[source(arbiter, t)]++;
      }
      int[] senders = Arrays.copyOfRange(got, 1, hosts);
      int most = Arrays.stream(senders).max().orElseThrow();
      assertTrue(most - Arrays.stream(senders).min().orElseThrow() <= 1);
    }
  }

  @Test
  void givesMaxMinFairSharesWhereOneDestinationIsTheBottleneck() {
    // Hosts 0, 1, 2 send to 3, and 0 sends to 4 as well: 3 is shared by three, so each gets a third
    // of it, and 0 has two thirds of its own link left for 4.
    Arbiter arbiter = new Arbiter(5);
    for (int source = 0; source < 3; source++) {
      arbiter.request(source, 3, 100_000);
    }
    arbiter.request(0, 4, 100_000);
    int[] got = new int[25];
    for (int batch = 0; batch < 30; batch++) {
      arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
      for (int t = 0; t < Arbiter.BATCH_TIMESLOTS; t++) {
        for (List<Integer> pair : pairs(arbiter, t)) {
          got[pair.get(0) * 5 + pair.get(1)]++;
        }
      }
    }
    int timeslots = 30 * Arbiter.BATCH_TIMESLOTS;
    for (int source = 0; source < 3; source++) {
      assertEquals(timeslots / 3.0, got[source * 5 + 3], 1);
    }
    assertEquals(timeslots * 2 / 3.0, got[4], 1);
  }

  @Test
  void longIdlePairsGoBeforeThoseServedOfLate() {
    Arbiter arbiter = new Arbiter(4);
    arbiter.request(0, 1, 1);
    arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    arbiter.request(2, 1, 1);
    arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    for (int idle = 0; idle < 3; idle++) {
      arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    }
    arbiter.request(2, 1, 1);
    arbiter.request(0, 1, 1);
    arbiter.request(3, 1, 1);
    arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    assertEquals(3, source(arbiter, 0));
    assertEquals(0, source(arbiter, 1));
    assertEquals(2, source(arbiter, 2));
  }

  @Test
  void ordersPairsByAgeAlsoAfterMoreTimeslotsThanItsWordsCount() {
    Arbiter arbiter = new Arbiter(3);
    // Past 2^24 timeslots, where the words' clock turns over.
    for (long batch = 0; batch <= (1 << 24) / Arbiter.BATCH_TIMESLOTS; batch++) {
      arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
      if (batch % 1000 == 0) {
        arbiter.request(0, 1, 1);
        arbiter.request(2, 1, 1);
      }
    }
    arbiter.request(0, 1, 2);
    arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    arbiter.request(0, 1, 3);
    arbiter.request(2, 1, 3);
    arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    for (int t = 0; t < 6; t++) {
      assertEquals(t % 2 == 0 ? 2 : 0, source(arbiter, t));
    }
  }

  @Test
  void withdrawnRequestsAreForgottenButNotWhoWasServed() {
    Arbiter arbiter = new Arbiter(3);
    arbiter.request(0, 2, 500);
    arbiter.allocate(Arbiter.BATCH_TIMESLOTS);
    arbiter.request(1, 2, 5);
    arbiter.withdrawAll();
    arbiter.allocate(10);
    assertEquals(0, arbiter.admitted(0));
    arbiter.request(0, 2, 1);
    arbiter.request(1, 2, 1);
    arbiter.allocate(10);
    assertEquals(1, source(arbiter, 0));
    assertEquals(0, source(arbiter, 1));
    assertEquals(0, arbiter.admitted(2));
  }

  @Test
  void refusesRequestsThatMakeNoSense() {
    Arbiter arbiter = new Arbiter(3);
    assertThrows(IllegalArgumentException.class, () -> arbiter.request(0, 3, 1));
    assertThrows(IllegalArgumentException.class, () -> arbiter.request(-1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> arbiter.request(1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> arbiter.request(0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> arbiter.allocate(0));
    assertThrows(IllegalArgumentException.class, () -> arbiter.allocate(65));
    assertThrows(IllegalArgumentException.class, () -> new Arbiter(1));
    assertThrows(IllegalArgumentException.class, () -> new Arbiter(Arbiter.MAX_HOSTS + 1));
    arbiter.allocate(8);
    assertThrows(IndexOutOfBoundsException.class, () -> arbiter.admitted(8));
    assertEquals(0, arbiter.admitted(7));
  }
}
