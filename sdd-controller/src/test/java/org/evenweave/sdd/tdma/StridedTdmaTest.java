package org.evenweave.sdd.tdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.RecordedCommands;
import org.evenweave.sdd.schedule.Schedule;
import org.junit.jupiter.api.Test;

class StridedTdmaTest {
  /** Eight hosts, slots of 200 us: section 4.7.1. */
  private final CircuitNetwork network =
      new CircuitNetwork(8, 10_000_000_000L, 0, 10_000, 1_500_000);

  private final Schedule week = new Schedule(8);

  @Test
  void connectsEveryPairOnceInSevenDays() {
    new StridedTdma(network, 200_000).plan(new DemandMatrix(8), week);
    assertEquals(7, week.days());
    int[] met = new int[64];
    for (int day = 0; day < 7; day++) {
      assertEquals(200_000, week.durationNs(day));
      for (int host = 0; host < 8; host++) {
        assertEquals((host + day + 1) % 8, week.destination(day, host));
        met[host * 8 + week.destination(day, host)]++;
      }
    }
    for (int pair = 0; pair < 64; pair++) {
      assertEquals(pair / 8 == pair % 8 ? 0 : 1, met[pair]);
    }
  }

  @Test
  void goesOnNextWeekWhereThisOneEnded() {
    StridedTdma tdma = new StridedTdma(network, 400_000);
    tdma.plan(new DemandMatrix(8), week);
    assertEquals(3, week.days());
    tdma.plan(new DemandMatrix(8), week);
    assertEquals(4, week.destination(0, 0));
    tdma.plan(new DemandMatrix(8), week);
    assertEquals(7, week.destination(0, 0));
    assertEquals(1, week.destination(1, 0));
  }

  @Test
  void refusesSlotsThatNeverFit() {
    assertThrows(IllegalArgumentException.class, () -> new StridedTdma(network, 0));
    assertThrows(IllegalArgumentException.class, () -> new StridedTdma(network, 1_490_001));
    assertThrows(
        IllegalArgumentException.class,
        () -> new StridedTdma(new CircuitNetwork(1, 1_000, 0, 0, 10), 5));
  }

  @Test
  void theTightRecipeStartsAndStopsTheQueuesOfADay() {
    Schedule day = new Schedule(3);
    day.clear(10);
    day.addDay(new int[] {2, Schedule.IDLE, 1}, 0, 100);
    RecordedCommands sdd = new RecordedCommands();
    TightTdma recipe = new TightTdma(sdd);
    recipe.start(day, 0);
    recipe.stop(day, 0);
    assertEquals(List.of("start 0/2", "start 2/1", "stop 0/2", "stop 2/1"), sdd.commands);
  }
}
