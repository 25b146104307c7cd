package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ShortestRemainingTest {
  /** Pair by pair and timeslot by timeslot. */
  private static final class Plain {
    /** Of each class the pairs that wait, with what they want by their turn. */
    private final SortedMap<Integer, Map<Integer, Long>> turns = new TreeMap<>();

    /** What they want besides. */
    private final Map<Integer, Long> more = new HashMap<>();

    void request(int pair, long timeslots) {
      if (turns.values().stream().anyMatch(turn -> turn.containsKey(pair))) {
        more.merge(pair, timeslots, Long::sum);
      } else {
        add(pair, timeslots);
      }
    }

    private void add(int pair, long timeslots) {
      long most = Math.min(timeslots, Integer.MAX_VALUE);
      turns.computeIfAbsent(classOf(most), number -> new LinkedHashMap<>()).put(pair, most);
      if (timeslots > most) {
        more.put(pair, timeslots - most);
      }
    }

    /** How many of the classes 1, 2, 3, 4 to 5, 6 to 7, 8 to 11, ... begin up to there. */
    private static int classOf(long timeslots) {
      int classes = 0;
      for (long first = 1;
          first <= timeslots;
          first += Math.max(1, Long.highestOneBit(first) / 2)) {
        classes++;
      }
      return classes;
    }

    List<List<Integer>> allocate(int hosts, int timeslots) {
      List<List<Integer>> batch = new ArrayList<>();
      for (int t = 0; t < timeslots; t++) {
        batch.add(new ArrayList<>());
      }
      for (int number = 1; number <= classOf(Integer.MAX_VALUE); number++) {
        Map<Integer, Long> inTurn = turns.getOrDefault(number, Map.of());
        for (int pair : List.copyOf(inTurn.keySet())) {
          List<List<Integer>> free = new ArrayList<>(batch);
          free.removeIf(
              timeslot ->
                  timeslot.stream()
                      .anyMatch(
                          other -> other / hosts == pair / hosts || other % hosts == pair % hosts));
          if (!free.isEmpty()) {
            long want = inTurn.remove(pair) + Optional.ofNullable(more.remove(pair)).orElse(0L);
            int got = (int) Math.min(want, free.size());
            free.subList(0, got).forEach(timeslot -> timeslot.add(pair));
            if (want > got) {
              add(pair, want - got);
            }
          }
        }
      }
      batch.forEach(Collections::sort);
      return batch;
    }

    void withdrawAll() {
      turns.clear();
      more.clear();
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
        plain.withdrawAll();
      }
      int requests = random.nextInt(2) == 0 ? random.nextInt(mostRequests + 1) : 3;
      for (int i = 0; i < requests; i++) {
        int from = random.nextInt(hosts);
        int to = (from + 1 + random.nextInt(hosts - 1)) % hosts;
        int most = random.nextInt(20) == 0 ? Integer.MAX_VALUE : 30;
        int timeslots = 1 + random.nextInt(most);
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
  void wantsOfAClassHaveTheSameTwoHighestBits() {
    int[] firsts = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    for (int i = 0; i + 1 < firsts.length; i++) {
      assertEquals(i, ShortestRemaining.classOf(firsts[i]));
      assertEquals(i, ShortestRemaining.classOf(firsts[i + 1] - 1));
    }
    assertEquals(61, ShortestRemaining.classOf(Integer.MAX_VALUE));
  }

  @Test
  void countsWhoIsAdmittedAmongMoreHostsThanAByteCan() {
    ShortestRemaining allocator = new ShortestRemaining(600);
    for (int source = 0; source < 600; source++) {
      allocator.request(source, (source + 1) % 600, source < 300 ? 10 : 3);
    }
    allocator.allocate(11);
    for (int t = 0; t < 11; t++) {
      assertEquals(t < 3 ? 600 : t < 10 ? 300 : 0, allocator.admitted(t));
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
