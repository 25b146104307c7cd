package org.evenweave.sdd.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private final Schedule week = new Schedule(3);

  private List<String> slots(int source) {
    List<String> slots = new ArrayList<>();
    week.visitSlots(source, 1_000, (to, start, end) -> slots.add(to + ":" + start + "-" + end));
    return slots;
  }

  @Test
  void putsANightBeforeEachDay() {
    week.clear(20);
    week.addDay(new int[] {1, 2, 0}, 0, 100);
    week.addDay(new int[] {1, Schedule.IDLE, 0}, 0, 50);
    assertEquals(2, week.days());
    assertEquals(20, week.startNs(0));
    assertEquals(140, week.startNs(1));
    assertEquals(190, week.lengthNs());
    assertEquals(List.of("1:1020-1120", "1:1140-1190"), slots(0));
    assertEquals(List.of("2:1020-1120"), slots(1));
    assertEquals(List.of("0:1020-1120", "0:1140-1190"), slots(2));
  }

  @Test
  void aHostHasNoSlotsToItself() {
    week.clear(20);
    week.addDay(new int[] {0, 2, 1}, 0, 100);
    week.addDay(new int[] {1, Schedule.IDLE, 2}, 0, 50);
    assertEquals(0, week.destination(0, 0));
    assertEquals(Schedule.IDLE, week.peer(0, 0));
    assertEquals(2, week.peer(0, 1));
    assertEquals(Schedule.IDLE, week.peer(1, 1));
    assertEquals(List.of("1:1140-1190"), slots(0));
    assertEquals(List.of("1:1020-1120"), slots(2));
  }

  @Test
  void joinsDaysOfOneDestinationThatNoNightParts() {
    week.clear(0);
    week.addDay(new int[] {1, 2, 0}, 0, 100);
    week.addDay(new int[] {1, 0, Schedule.IDLE}, 0, 50);
    assertEquals(List.of("1:1000-1150"), slots(0));
    assertEquals(List.of("2:1000-1100", "0:1100-1150"), slots(1));
  }

  @Test
  void readsMatchingsOutOfALargerArray() {
    week.clear(0);
    week.addDay(new int[] {9, 9, 2, 0, 1}, 2, 10);
    assertEquals(2, week.destination(0, 0));
    assertEquals(1, week.destination(0, 2));
  }

  @Test
  void growsBeyondItsFirstDays() {
    week.clear(1);
    for (int day = 0; day < 100; day++) {
      week.addDay(new int[] {day % 3, (day + 1) % 3, (day + 2) % 3}, 0, day + 1);
    }
    assertEquals(100, week.days());
    for (int day = 0; day < 100; day++) {
      assertEquals((day + 2) % 3, week.destination(day, 2));
      assertEquals(day + 1, week.durationNs(day));
    }
    assertEquals(100 + 5050, week.lengthNs());
    week.clear(1);
    assertEquals(0, week.days());
    assertEquals(0, week.lengthNs());
  }

  @Test
  void refusesWhatIsNoMatchingAndStaysAsItWas() {
    week.clear(5);
    week.addDay(new int[] {1, 2, 0}, 0, 100);
    for (int[] wrong : new int[][] {{1, 1, 0}, {0, 3, 1}, {-2, 1, 2}}) {
      assertThrows(IllegalArgumentException.class, () -> week.addDay(wrong, 0, 100));
    }
    assertThrows(IllegalArgumentException.class, () -> week.addDay(new int[] {0, 1, 2}, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> week.clear(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> week.destination(1, 0));
    assertEquals(1, week.days());
    assertEquals(105, week.lengthNs());
    week.addDay(new int[] {1, Schedule.IDLE, 0}, 0, 1);
    assertEquals(2, week.days());
  }

  @Test
  void networksThatCannotBeAreRefusedByField() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new CircuitNetwork(4, 1, 0, 20, 20));
    assertEquals("weekNs: must be more than the night's 20, not 20", refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new CircuitNetwork(0, 1, 0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new CircuitNetwork(1, 0, 0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new CircuitNetwork(1, 1, -1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new CircuitNetwork(1, 1, 0, -1, 1));
  }
}
