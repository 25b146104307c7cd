package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ShortestRemainingTest {
  /** Pair by pair and timeslot by timeslot. */
  private static final class Plain {
    private final Map<Integer, Long> wants = new LinkedHashMap<>();

    /** Those that are new or want another number than in the batch before; they are last. */
    private final Set<Integer> moved = new HashSet<>();

    void request(int pair, long timeslots) {
      Long before = moved.add(pair) ? wants.remove(pair) : wants.get(pair);
      wants.put(pair, timeslots + (before == null ? 0 : before));
    }

    List<List<Integer>> allocate(int hosts, int timeslots) {
      List<List<Integer>> batch = new ArrayList<>();
      for (int t = 0; t < timeslots; t++) {
        batch.add(new ArrayList<>());
      }
      List<Integer> turns = new ArrayList<>(wants.keySet());
      turns.sort(Comparator.comparingLong(pair -> Math.min(wants.get(pair), 65_535)));
      Map<Integer, Long> left = new LinkedHashMap<>();
      Map<Integer, Long> partlyServed = new LinkedHashMap<>();
      for (int pair : turns) {
        long want = wants.get(pair);
        for (List<Integer> timeslot : batch) {
          boolean free =
              timeslot.stream()
                  .noneMatch(
                      other -> other / hosts == pair / hosts || other % hosts == pair % hosts);
          if (free && want > 0) {
            timeslot.add(pair);
            want--;
          }
        }
        if (want > 0) {
          (want == wants.get(pair) ? left : partlyServed).put(pair, want);
        }
      }
      wants.clear();
      wants.putAll(left);
      wants.putAll(partlyServed);
      moved.clear();
      moved.addAll(partlyServed.keySet());
      batch.forEach(Collections::sort);
      return batch;
    }
  }

  @Property(tries = 300)
  void allocatesWhatTheWalkPairByPairDoes(
      @ForAll @IntRange(min = 2, max = 24) int hosts,
      @ForAll @IntRange(max = 200) int mostRequests,
      @ForAll long seed) {
    Random random = new Random(seed);
    ShortestRemaining allocator = new ShortestRemaining(hosts);
    Plain plain = new Plain();
    for (int batch = 0; batch < 12; batch++) {
      if (random.nextInt(10) == 0) {
        allocator.withdrawAll();
        plain.wants.clear();
        plain.moved.clear();
      }
      int requests = random.nextInt(2) == 0 ? random.nextInt(mostRequests + 1) : 3;
      for (int i = 0; i < requests; i++) {
        int from = random.nextInt(hosts);
        int to = (from + 1 + random.nextInt(hosts - 1)) % hosts;
        int timeslots = 1 + random.nextInt(random.nextInt(20) == 0 ? 200_000 : 30);
        allocator.request(from, to, timeslots);
        plain.request(from * hosts + to, timeslots);
      }
      int timeslots = 1 + random.nextInt(64);
      allocator.allocate(timeslots);
      List<List<Integer>> got = new ArrayList<>();
      for (int t = 0; t < timeslots; t++) {
        got.add(new ArrayList<>());
        for (List<Integer> pair : ArbiterTest.pairs(allocator, hosts, t)) {
          got.get(t).add(pair.get(0) * hosts + pair.get(1));
        }
        assertEquals(got.get(t).size(), allocator.admitted(t));
      }
      assertEquals(plain.allocate(hosts, timeslots), got);
    }
  }

  @Property(tries = 100)
  void noTimeslotHasAHostTwiceOrIsLeftToAPairThatWaits(
      @ForAll @IntRange(min = 2, max = 12) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    ShortestRemaining allocator = new ShortestRemaining(hosts);
    long[] wants = new long[hosts * hosts];
    for (int i = 0; i < 4 * hosts; i++) {
      int from = random.nextInt(hosts);
      int to = (from + 1 + random.nextInt(hosts - 1)) % hosts;
      int timeslots = 1 + random.nextInt(20);
      allocator.request(from, to, timeslots);
      wants[from * hosts + to] += timeslots;
    }
    allocator.allocate(64);
    long[] left = wants.clone();
    boolean[][] busy = new boolean[64][2 * hosts];
    for (int t = 0; t < 64; t++) {
      for (List<Integer> pair : ArbiterTest.pairs(allocator, hosts, t)) {
        int from = pair.get(0);
        int to = hosts + pair.get(1);
        assertTrue(!busy[t][from] && !busy[t][to]);
        busy[t][from] = true;
        busy[t][to] = true;
        assertTrue(left[from * hosts + to - hosts]-- > 0);
      }
    }
    for (int pair = 0; pair < left.length; pair++) {
      for (int t = 0; t < 64 && left[pair] > 0; t++) {
        assertTrue(busy[t][pair / hosts] || busy[t][hosts + pair % hosts]);
      }
    }
  }

  @Test
  void refusesWhatIsNoRequest() {
    ShortestRemaining allocator = new ShortestRemaining(3);
    assertThrows(IllegalArgumentException.class, () -> allocator.request(1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> allocator.request(0, 3, 1));
    assertThrows(IllegalArgumentException.class, () -> allocator.request(0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> allocator.allocate(65));
    assertThrows(IllegalArgumentException.class, () -> new ShortestRemaining(1));
    allocator.allocate(3);
    assertThrows(IndexOutOfBoundsException.class, () -> allocator.admitted(3));
  }
}
