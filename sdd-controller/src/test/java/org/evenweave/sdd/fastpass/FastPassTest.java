package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.SlotControl;
import org.junit.jupiter.api.Test;

class FastPassTest {
  /** 1500 bytes take 1200 ns at 10 Gb/s. */
  private final CircuitNetwork network = new CircuitNetwork(3, 10_000_000_000L, 0, 0, 100 * 1_200);

  private final Schedule week = new Schedule(3);
  private final DemandMatrix demand = new DemandMatrix(3);

  @Test
  void aWeekEndsWithTheLastTimeslotThatIsWanted() {
    demand.set(0, 1, 3 * 1_500);
    demand.set(2, 1, 1_501);
    new FastPass(network, 1_200).plan(demand, week);
    assertEquals(5, week.days());
    assertEquals(5 * 1_200, week.lengthNs());
    assertEquals(0, week.remainder().total());
  }

  @Test
  void theShortestDemandIsCompletedFirstIfAskedFor() {
    demand.set(0, 1, 3 * 1_500);
    demand.set(2, 1, 1_500);
    new FastPass(network, 1_200, Order.SHORTEST_REMAINING).plan(demand, week);
    assertEquals(4, week.days());
    assertEquals(1, week.destination(0, 2));
    for (int day = 1; day < 4; day++) {
      assertEquals(1, week.destination(day, 0));
    }
  }

  @Test
  void weeksAreFairToEachOther() {
    FastPass fastPass = new FastPass(new CircuitNetwork(3, 10_000_000_000L, 0, 0, 1_200), 1_200);
    demand.set(0, 1, 1_000_000);
    demand.set(2, 1, 1_000_000);
    int[] got = new int[3];
    for (int i = 0; i < 10; i++) {
      fastPass.plan(demand, week);
      assertEquals(1, week.days());
      got[week.destination(0, 0) == 1 ? 0 : 2]++;
    }
    assertEquals(5, got[0]);
    assertEquals(5, got[2]);
  }

  @Test
  void demandForItselfIsLeftToTheRemainder() {
    demand.set(1, 1, 700);
    new FastPass(network, 1_200).plan(demand, week);
    assertEquals(0, week.days());
    assertEquals(700, week.remainder().get(1, 1));
  }

  @Test
  void refusesTimeslotsThatCarryNothingOrExceedTheWeek() {
    assertThrows(IllegalArgumentException.class, () -> new FastPass(network, 0));
    assertThrows(IllegalArgumentException.class, () -> new FastPass(network, 120_001));
  }

  @Test
  void theLooseRecipeSendsEverySlotWithItsTimes() {
    week.clear(0);
    week.addDay(new int[] {1, 2, Schedule.IDLE}, 0, 1_200);
    week.addDay(new int[] {1, 0, Schedule.IDLE}, 0, 1_200);
    List<String> sent = new ArrayList<>();
    new LooseTdma(
            new SlotControl() {
              @Override
              public void slot(int host, int queue, long startNs, long endNs) {
                sent.add(host + "/" + queue + " [" + startNs + ", " + endNs + ")");
              }

              @Override
              public void complete(int host) {
                sent.add("end of " + host);
              }
            })
        .send(week, 5_000);
    assertEquals(
        List.of(
            "0/1 [5000, 7400)",
            "end of 0",
            "1/2 [5000, 6200)",
            "1/0 [6200, 7400)",
            "end of 1",
            "end of 2"),
        sent);
  }
}
