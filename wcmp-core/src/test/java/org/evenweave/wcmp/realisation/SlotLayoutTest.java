package org.evenweave.wcmp.realisation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlotLayoutTest {
  private static final int[] PORTS = {1, 2, 3, 4};

  @Property
  void everyPortOwnsItsCountAndOnlyTheSurplusMoves(
      @ForAll SlotLayout layout,
      @ForAll @IntRange(min = 1, max = 12) int portCount,
      @ForAll @IntRange(min = 12, max = 256) int size,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] ports = new int[portCount];
    Arrays.setAll(ports, p -> 2 * p + 1);
    int[] before = randomCounts(random, portCount, size);
    int[] after = randomCounts(random, portCount, size);

    int[] installed = layout.layOut(null, ports, before);
    int[] next = layout.layOut(installed, ports, after);

    assertArrayEquals(before, countsOf(installed, ports));
    assertArrayEquals(after, countsOf(next, ports));
    int mustMove = 0;
    for (int p = 0; p < portCount; p++) {
      mustMove += Math.max(0, after[p] - before[p]);
    }
    assertEquals(mustMove, moved(installed, next));
  }

  @Property
  void aPortThatLeftOwnsNothing(@ForAll SlotLayout layout, @ForAll @IntRange(max = 3) int gone) {
    int[] installed = layout.layOut(null, PORTS, new int[] {16, 16, 16, 16});
    int[] left = Arrays.stream(PORTS).filter(p -> p != PORTS[gone]).toArray();

    int[] next = layout.layOut(installed, left, new int[] {22, 21, 21});

    assertArrayEquals(new int[] {22, 21, 21}, countsOf(next, left));
    assertEquals(16, moved(installed, next));
  }

  @Property
  void aPortThatComesBackHasItsOwnSlotsAgainAndSoHaveAllOthers(
      @ForAll SlotLayout layout,
      @ForAll @IntRange(min = 2, max = 12) int portCount,
      @ForAll @IntRange(min = 12, max = 256) int size,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] ports = new int[portCount];
    Arrays.setAll(ports, p -> 2 * p + 1);
    int[] counts = randomCounts(random, portCount, size);
    int gone = random.nextInt(portCount);
    int[] without = counts.clone();
    without[gone] = 0;
    for (int i = 0; i < counts[gone]; i++) {
      without[(gone + 1 + random.nextInt(portCount - 1)) % portCount]++;
    }

    int[] installed = layout.layOut(null, ports, counts);
    int[] failed = layout.layOut(installed, ports, without);

    assertArrayEquals(installed, layout.layOut(failed, ports, counts));
  }

  @Test
  void interleavedThenContiguousTiersUseEveryPathEvenly() {
    int[] first = SlotLayout.INTERLEAVED.layOut(null, PORTS, new int[] {43, 42, 85, 86});
    int[] second = SlotLayout.CONTIGUOUS.layOut(null, new int[] {1, 2}, new int[] {128, 128});
    for (int port : PORTS) {
      int low = 0;
      int owned = 0;
      for (int slot = 0; slot < first.length; slot++) {
        owned += first[slot] == port ? 1 : 0;
        low += first[slot] == port && second[slot] == 1 ? 1 : 0;
      }
      // Smooth round robin spreads n slots so that any half of the table holds n/2 to within one.
      assertTrue(Math.abs(2 * low - owned) <= 2, low + " of " + owned + " for port " + port);
    }
  }

  private static int[] randomCounts(SplittableRandom random, int ports, int size) {
    int[] counts = new int[ports];
    for (int i = 0; i < size; i++) {
      counts[random.nextInt(ports)]++;
    }
    return counts;
  }

  private static int[] countsOf(int[] slots, int[] ports) {
    return Arrays.stream(ports)
        .map(port -> (int) Arrays.stream(slots).filter(owner -> owner == port).count())
        .toArray();
  }

  private static int moved(int[] before, int[] after) {
    int moved = 0;
    for (int slot = 0; slot < before.length; slot++) {
      moved += before[slot] != after[slot] ? 1 : 0;
    }
    return moved;
  }
}
