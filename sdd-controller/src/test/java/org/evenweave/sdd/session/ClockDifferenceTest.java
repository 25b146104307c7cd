package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Which differences of two clocks are told from the travel of messages. */
class ClockDifferenceTest {
  private static final long GUARD_NS = 20_000_000;
  private static final int SEEN = 3 * ClockDifference.MESSAGES;

  private static ClockDifference seen(long offsetNs, long leastTravelNs, long seed) {
    Random random = new Random(seed);
    ClockDifference difference = new ClockDifference();
    for (int i = 0; i < SEEN; i++) {
      long travelNs = leastTravelNs + (long) (random.nextDouble() * 2_000_000_000L);
      boolean isLeast = i % ClockDifference.MESSAGES == 5;
      difference.add(offsetNs, isLeast ? leastTravelNs : travelNs);
    }
    return difference;
  }

  @Property
  void oneClockIsPlausibleHoweverLateMostMessagesAre(@ForAll long seed) {
    ClockDifference difference = seen(0, 50_000, seed);
    assertEquals(-50_000, difference.ns());
    assertTrue(difference.isPlausible(0));
  }

  @Test
  void aHostThatIsAheadByMoreThanTheGuardIsTold() {
    assertTrue(seen(GUARD_NS, 50_000, 1).isPlausible(GUARD_NS));
    assertFalse(seen(GUARD_NS + 60_000, 50_000, 1).isPlausible(GUARD_NS));
    ClockDifference first = new ClockDifference();
    first.add(GUARD_NS + 1, 0);
    assertFalse(first.isPlausible(GUARD_NS));
  }

  @Test
  void aHostThatIsBehindByMoreThanMessagesTravelIsTold() {
    assertTrue(seen(-ClockDifference.TRAVEL_NS + 60_000, 50_000, 1).isPlausible(GUARD_NS));
    assertFalse(seen(-ClockDifference.TRAVEL_NS, 50_000, 1).isPlausible(GUARD_NS));
  }

  /** The first ones come while both sides start. */
  @Test
  void theFirstMessagesMayTravelForLonger() {
    ClockDifference difference = new ClockDifference();
    assertTrue(difference.isPlausible(0));
    difference.add(0, ClockDifference.FIRST_TRAVEL_NS - 1);
    assertTrue(difference.isPlausible(GUARD_NS));
    ClockDifference farOff = new ClockDifference();
    farOff.add(0, ClockDifference.FIRST_TRAVEL_NS);
    assertFalse(farOff.isPlausible(GUARD_NS));
  }

  @Test
  void clocksThatAgreeAgainAreToldByTheNextMessages() {
    ClockDifference difference = seen(GUARD_NS * 4, 0, 1);
    for (int i = 0; i < ClockDifference.MESSAGES; i++) {
      assertFalse(difference.isPlausible(GUARD_NS));
      difference.add(0, 50_000);
    }
    assertTrue(difference.isPlausible(GUARD_NS));
  }
}
