package org.evenweave.sdd.sharing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.rate.RateLimits;
import org.evenweave.sdd.schedule.RecordedCommands;
import org.junit.jupiter.api.Test;

class BandwidthTreeTest {
  private static BandwidthTree tree(int[] parents, int[] weights) {
    long[] ceilings = new long[weights.length];
    Arrays.fill(ceilings, BandwidthTree.MAX_CAPACITY_BPS);
    return new BandwidthTree(parents, weights, ceilings, new long[weights.length]);
  }

  @Test
  void aTenantLeavesItsSiblingsWhatItDoesNotWant() {
    // Root 0; tenants 1 (weight 2) and 2 (weight 1); queues 3, 4 of tenant 1 and 5, 6 of tenant 2.
    BandwidthTree tree = tree(new int[] {-1, 0, 0, 1, 1, 2, 2}, new int[] {1, 2, 1, 1, 1, 3, 1});
    long[] rates = new long[7];
    tree.share(900, new long[] {0, 0, 0, 1000, 100, 1000, 1000}, rates);
    assertArrayEquals(new long[] {900, 600, 300, 500, 100, 225, 75}, rates);
    tree.share(900, new long[] {0, 0, 0, 0, 100, 1000, 1000}, rates);
    assertArrayEquals(new long[] {900, 100, 800, 0, 100, 600, 200}, rates);
    tree.share(900, new long[] {0, 0, 0, 1, 2, 3, 4}, rates);
    assertArrayEquals(new long[] {10, 3, 7, 1, 2, 3, 4}, rates);
  }

  @Test
  void whatIsAboveACeilingIsTheSiblings() {
    // Root 0; tenant 1 of at most 100 with queues 2 and 3, and tenant 4.
    BandwidthTree tree =
        new BandwidthTree(
            new int[] {-1, 0, 1, 1, 0},
            new int[] {1, 3, 1, 1, 1},
            new long[] {800, 100, 900, 30, 900},
            new long[5]);
    long[] rates = new long[5];
    tree.share(900, new long[] {0, 0, 900, 900, 900}, rates);
    assertArrayEquals(new long[] {800, 100, 70, 30, 700}, rates);
  }

  @Test
  void aGuaranteeComesBeforeWeights() {
    // Root 0; tenant 1 with queues 2 (guaranteed 300) and 3; queues 4 (guaranteed 500) and 5.
    BandwidthTree tree =
        new BandwidthTree(
            new int[] {-1, 0, 1, 1, 0, 0},
            new int[] {1, 1, 1, 9, 1, 8},
            new long[] {1000, 1000, 1000, 1000, 1000, 1000},
            new long[] {0, 0, 300, 0, 500, 0});
    long[] rates = new long[6];
    // By weight alone 1 would have 100, and 2 a tenth of that.
    tree.share(1000, new long[] {0, 0, 900, 900, 900, 900}, rates);
    assertArrayEquals(new long[] {1000, 300, 300, 0, 500, 200}, rates);
    // What is guaranteed and not wanted is everybody's.
    tree.share(1000, new long[] {0, 0, 100, 0, 0, 900}, rates);
    assertArrayEquals(new long[] {1000, 100, 100, 0, 0, 900}, rates);
    assertThrows(IllegalArgumentException.class, () -> tree.share(799, new long[6], rates));
  }

  @Test
  void guaranteesMustAddUp() {
    int[] parents = {-1, 0, 1, 1};
    int[] weights = {1, 1, 1, 1};
    long[] ceilings = {1000, 500, 1000, 200};
    GuaranteeException within =
        assertThrows(
            GuaranteeException.class,
            () -> new BandwidthTree(parents, weights, ceilings, new long[] {0, 300, 200, 101}));
    assertEquals(1, within.trafficClass());
    assertEquals("its classes' guarantees, 301 bit/s, exceed its own, 300", within.reason());
    GuaranteeException above =
        assertThrows(
            GuaranteeException.class,
            () -> new BandwidthTree(parents, weights, ceilings, new long[] {0, 0, 400, 101}));
    assertEquals(1, above.trafficClass());
    assertEquals("guarantees of 501 bit/s exceed the limit of 500 bit/s", above.reason());
    assertThrows(
        GuaranteeException.class,
        () -> new BandwidthTree(parents, weights, ceilings, new long[] {0, 0, 0, 201}));
  }

  /**
   * Max-min by weight, checked by its definition: a class that gets less than it wants has no
   * sibling with more for each unit of weight, unless by rounding, or because that sibling has no
   * more than its guarantee.
   */
  @Property
  void sharesAreMaxMinFairByWeightInEveryClass(
      @ForAll @IntRange(min = 1, max = 30) int classes, @ForAll long seed) {
    Random random = new Random(seed);
    int[] parents = new int[classes];
    int[] weights = new int[classes];
    long[] wants = new long[classes];
    long[] guarantees = new long[classes];
    long[] ceilings = new long[classes];
    Arrays.fill(ceilings, BandwidthTree.MAX_CAPACITY_BPS);
    parents[0] = -1;
    for (int c = 0; c < classes; c++) {
      parents[c] = c == 0 ? -1 : random.nextInt(c);
      weights[c] = 1 + random.nextInt(10);
      wants[c] = random.nextInt(1_000);
    }
    long[] wanted = wants.clone();
    boolean[] isLeaf = new boolean[classes];
    for (int c = classes - 1; c >= 0; c--) {
      long childrenWant = 0;
      isLeaf[c] = true;
      for (int child = c + 1; child < classes; child++) {
        if (parents[child] == c) {
          childrenWant += wanted[child];
          isLeaf[c] = false;
        }
      }
      wanted[c] = isLeaf[c] ? wants[c] : childrenWant;
    }
    for (int c = classes - 1; c > 0; c--) {
      if (isLeaf[c] && random.nextInt(3) == 0) {
        guarantees[c] = random.nextInt(500);
      }
      guarantees[parents[c]] += guarantees[c];
    }
    long capacity = guarantees[0] + random.nextInt(5_000);
    long[] rates = new long[classes];
    new BandwidthTree(parents, weights, ceilings, guarantees).share(capacity, wants, rates);
    assertEquals(Math.min(capacity, wanted[0]), rates[0]);
    for (int c = 0; c < classes; c++) {
      assertTrue(Math.min(guarantees[c], wanted[c]) <= rates[c] && rates[c] <= wanted[c]);
      long sum = 0;
      int children = 0;
      for (int child = c + 1; child < classes; child++) {
        if (parents[child] != c) {
          continue;
        }
        sum += rates[child];
        children++;
        for (int sibling = c + 1; sibling < classes; sibling++) {
          if (parents[sibling] == c
              && rates[child] < wanted[child]
              && rates[sibling] > guarantees[sibling]) {
            assertTrue(
                rates[sibling] * weights[child] <= (rates[child] + 1) * weights[sibling],
                "sibling has more");
          }
        }
      }
      if (!isLeaf[c]) {
        // Nothing is left but what rounding down leaves: less than a bit per second and child.
        assertTrue(sum <= rates[c] && sum + children >= Math.min(rates[c], wanted[c]));
      }
    }
  }

  @Test
  void refusesWhatIsNoTree() {
    assertThrows(IllegalArgumentException.class, () -> tree(new int[0], new int[0]));
    assertThrows(IllegalArgumentException.class, () -> tree(new int[] {0}, new int[] {1}));
    assertThrows(IllegalArgumentException.class, () -> tree(new int[] {-1, 1}, new int[] {1, 1}));
    assertThrows(IllegalArgumentException.class, () -> tree(new int[] {-1, 0}, new int[] {1, 0}));
    assertThrows(
        IllegalArgumentException.class,
        () -> tree(new int[] {-1, 0, 0}, new int[] {1, 65_000, 536}));
    BandwidthTree tree = tree(new int[] {-1}, new int[] {1});
    assertThrows(IllegalArgumentException.class, () -> tree.share(-1, new long[] {0}, new long[1]));
  }

  @Test
  void theRecipeOpensRoundRobinQueuesAndLimitsThem() {
    RecordedCommands sdd = new RecordedCommands();
    SharedQueues queues = new SharedQueues(sdd, new RateLimits(sdd, 1_500));
    queues.open(4, 0);
    queues.setRates(4, new int[] {-1, 1, 2}, new long[] {7, 1_000_000_000, 0});
    assertEquals(
        List.of("open 4/0 ROUND_ROBIN", "add 4/1 currTime - lastXmitTime >= 12000"), sdd.commands);
  }
}
