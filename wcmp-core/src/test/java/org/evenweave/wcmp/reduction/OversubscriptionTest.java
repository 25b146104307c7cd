package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class OversubscriptionTest {
  @Test
  void isOneForEqualRatios() {
    assertEquals(Ratio.ONE, Oversubscription.of(new long[] {2, 4, 6}, new int[] {1, 2, 3}));
    assertEquals(Ratio.ONE, Oversubscription.of(new long[] {9}, new int[] {5}));
  }

  @Test
  void countsTheCapacityOfDroppedPorts() {
    assertEquals(Ratio.of(9, 8), Oversubscription.of(new long[] {4, 4, 1}, new int[] {1, 1, 0}));
  }

  @Property
  void isTheLargestTermOfTheEquation(@ForAll("ideals") long[] ideal, @ForAll Random random) {
    int[] reduced = random.ints(ideal.length, 0, Integer.MAX_VALUE).toArray();
    reduced[random.nextInt(reduced.length)]++;
    Ratio expected = Groups.oversubscription(ideal, reduced);
    assertEquals(expected, Oversubscription.of(ideal, reduced));
    assertEquals(
        expected.toDouble(), Oversubscription.approximate(ideal, reduced, ideal.length), 0);
    int[] entries = WeightReduction.reduce(ideal, Ratio.of(11, 10));
    assertEquals(
        Oversubscription.of(ideal, entries).toDouble(),
        Oversubscription.approximate(ideal, entries, ideal.length),
        0);
    assertTrue(expected.compareTo(Ratio.ONE) >= 0);
  }

  @Provide
  Arbitrary<long[]> ideals() {
    return Arbitraries.oneOf(Groups.typical().map(Groups::longs), Groups.huge());
  }

  @Test
  void rejectsWhatIsNoReducedGroup() {
    long[] ideal = {1, 2};
    assertMessage("reduced has 1 ports, ideal has 2", ideal, 1);
    assertMessage("reduced[1] is -1; it must not be negative", ideal, 1, -1);
    assertMessage("reduced has no entries; at least one port needs one", ideal, 0, 0);
    assertMessage("weights[0] is 0; a weight must be a positive integer", new long[] {0, 1}, 1, 1);
  }

  private static void assertMessage(String message, long[] ideal, int... reduced) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Oversubscription.of(ideal, reduced));
    assertEquals(message, e.getMessage());
  }
}
