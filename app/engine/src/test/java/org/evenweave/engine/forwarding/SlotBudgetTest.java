package org.evenweave.engine.forwarding;

import static org.evenweave.engine.forwarding.SlotBudget.LargeTables.NEVER;
import static org.evenweave.engine.forwarding.SlotBudget.LargeTables.WHERE_NEARER;
import static org.evenweave.engine.forwarding.SlotBudget.LargeTables.WHERE_NEEDED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;
import org.junit.jupiter.api.Test;

class SlotBudgetTest {
  private static final int ALL = LeaveOut.NEVER.minNextHops();
  private static final List<long[]> GROUPS =
      List.of(new long[] {1, 1, 2, 2}, new long[] {1, 1}, new long[] {1, 1, 1});

  private static int[] slots(int tableEntries, String limit) {
    return SlotBudget.slots(
        "s", shared(GROUPS), Limits.ofEntries(tableEntries), Ratio.parse(limit), NEVER, ALL);
  }

  @Test
  void anUnlimitedTableGivesEveryGroupTheMost() {
    assertArrayEquals(new int[] {256, 256, 256}, slots(Fabric.UNLIMITED, "1"));
  }

  @Test
  void aLimitIsMetWithTheFewestSlots() {
    // 3:3:5:5 of 16 is 1.125 times too much for ports 1 and 2, 6:5:5 of 16 is 1.125 for port 1.
    assertArrayEquals(new int[] {16, 16, 16}, slots(Fabric.UNLIMITED, "1.125"));
    assertArrayEquals(new int[] {32, 16, 32}, slots(Fabric.UNLIMITED, "1.1"));
  }

  @Test
  void whatIsLeftOfTheTableGoesToTheSmallestOnceNoneCanImprove() {
    assertArrayEquals(new int[] {16, 16, 16}, slots(48, "1"));
    assertEquals(128, Arrays.stream(slots(128, "1")).sum());
    assertEquals(768, Arrays.stream(slots(768, "1")).sum());
  }

  @Test
  void theErrorNamesTheLeastTableThatWouldDo() {
    assertEquals(
        "s: its 3 groups need at least 48 multipath table entries, and its table has 47",
        assertThrows(CannotFitException.class, () -> slots(47, "1")).getMessage());
  }

  /** Against all combinations of sizes. */
  @Property(tries = 200)
  void theHighestOversubscriptionIsTheLeastPossible(
      @ForAll @IntRange(min = 1, max = 3) int count,
      @ForAll @IntRange(min = 48, max = 600) int tableEntries,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<long[]> groups = new ArrayList<>();
    for (int g = 0; g < count; g++) {
      groups.add(random.longs(2 + random.nextInt(5), 1, 20).toArray());
    }
    int[] slots =
        SlotBudget.slots(
            "s", shared(groups), Limits.ofEntries(tableEntries), Ratio.ONE, NEVER, ALL);
    assertTrue(Arrays.stream(slots).sum() <= tableEntries);
    assertEquals(leastWorst(groups, 0, tableEntries), worst(groups, slots));
  }

  private static Ratio worst(List<long[]> groups, int[] slots) {
    Ratio worst = Ratio.ZERO;
    for (int g = 0; g < slots.length; g++) {
      worst = max(worst, oversubscription(groups.get(g), slots[g]));
    }
    return worst;
  }

  private static Ratio leastWorst(List<long[]> groups, int g, int entries) {
    Ratio least = null;
    for (int size = 16; size <= Math.min(256, entries); size *= 2) {
      Ratio own = oversubscription(groups.get(g), size);
      Ratio others =
          g + 1 == groups.size() ? Ratio.ZERO : leastWorst(groups, g + 1, entries - size);
      if (others != null && (least == null || max(own, others).compareTo(least) < 0)) {
        least = max(own, others);
      }
    }
    return least;
  }

  private static Ratio oversubscription(long[] weights, int size) {
    return Oversubscription.of(weights, TableFitting.apportion(weights, size));
  }

  private static Ratio max(Ratio a, Ratio b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  @Test
  void aGroupHasNoMorePortsThanSlots() {
    long[] ports = new long[257];
    Arrays.fill(ports, 1);
    assertEquals(
        "s: its traffic to a switch would spread over 257 ports, and a group has at most 256,"
            + " whatever the table",
        assertThrows(
                CannotFitException.class,
                () ->
                    SlotBudget.slots(
                        "s",
                        shared(List.of(ports)),
                        Limits.ofEntries(Fabric.UNLIMITED),
                        Ratio.ONE,
                        NEVER,
                        ALL))
            .getMessage());
  }

  @Test
  void onlyAGroupThatNeedsALargeTableHasOneUnasked() {
    long[] ports = new long[300];
    Arrays.fill(ports, 1);
    List<long[]> groups = List.of(ports, new long[] {1000, 1001, 997});
    assertArrayEquals(
        new int[] {2048, 256},
        SlotBudget.slots(
            "s", shared(groups), Limits.ofEntries(Fabric.UNLIMITED), Ratio.ONE, WHERE_NEEDED, ALL));
    long[] uneven = LongStream.rangeClosed(1, 300).toArray();
    assertArrayEquals(
        new int[] {SlotBudget.MAX_UNASKED_SLOTS},
        SlotBudget.slots(
            "s",
            shared(List.of(uneven)),
            Limits.ofEntries(Fabric.UNLIMITED),
            Ratio.ONE,
            WHERE_NEEDED,
            ALL));
    assertArrayEquals(
        new int[] {512, 256},
        SlotBudget.slots(
            "s", shared(groups), Limits.ofEntries(1000), Ratio.ONE, WHERE_NEEDED, ALL));
  }

  @Test
  void largeTablesMeetALimitThat256SlotsDoNot() {
    List<long[]> groups = List.of(new long[] {1000, 1001, 997}, new long[] {1, 1});
    Ratio limit = Ratio.parse("1.001");
    assertArrayEquals(
        new int[] {2048, 16},
        SlotBudget.slots(
            "s", shared(groups), Limits.ofEntries(Fabric.UNLIMITED), limit, WHERE_NEARER, ALL));
    assertArrayEquals(
        new int[] {512, 16},
        SlotBudget.slots("s", shared(groups), Limits.ofEntries(1000), limit, WHERE_NEARER, ALL));
    assertArrayEquals(
        new int[] {256, 16},
        SlotBudget.slots(
            "s", shared(groups), Limits.ofEntries(Fabric.UNLIMITED), limit, NEVER, ALL));
  }

  @Test
  void largeTablesShareTheRulesOfASwitch() {
    List<long[]> thirds = List.of(new long[] {1, 1, 1}, new long[] {2, 2, 2, 1});
    assertArrayEquals(
        new int[] {32768, 32768},
        SlotBudget.slots(
            "s", shared(thirds), Limits.ofEntries(Fabric.UNLIMITED), Ratio.ONE, WHERE_NEARER, ALL));
    List<long[]> wide = List.of(new long[1024], new long[1025]);
    wide.forEach(weights -> Arrays.fill(weights, 1));
    assertEquals(
        "s: its traffic to a switch would spread over 1025 ports, and a group has at most 1024,"
            + " whatever the table",
        assertThrows(
                CannotFitException.class,
                () ->
                    SlotBudget.slots(
                        "s",
                        shared(wide),
                        Limits.ofEntries(Fabric.UNLIMITED),
                        Ratio.ONE,
                        WHERE_NEARER,
                        ALL))
            .getMessage());
  }

  private static List<SharedGroup> shared(List<long[]> groups) {
    return groups.stream()
        .map(weights -> IdealGroup.of(IntStream.range(0, weights.length).toArray(), weights))
        .map(SharedGroup::new)
        .collect(Collectors.toList());
  }
}
