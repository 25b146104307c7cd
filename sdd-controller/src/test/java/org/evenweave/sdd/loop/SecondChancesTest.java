package org.evenweave.sdd.loop;

import static org.evenweave.sdd.loop.VirtualWeeks.LEAST_NS;
import static org.evenweave.sdd.loop.VirtualWeeks.MS;
import static org.evenweave.sdd.loop.VirtualWeeks.NIGHT_NS;
import static org.evenweave.sdd.loop.VirtualWeeks.WEEK_NS;
import static org.evenweave.sdd.loop.VirtualWeeks.day;
import static org.evenweave.sdd.loop.VirtualWeeks.week;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SecondChancesTest {
  private final VirtualWeeks bed = new VirtualWeeks();
  private final Week week = week(0);
  private final Week following = week(1);

  {
    day(following, 150, 0, 3, 3, 0);
  }

  /** When a day of the week starts. */
  private long startNs(int day) {
    return week.startNs() + week.schedule().startNs(day);
  }

  private void assertTotals(LateTotals totals, int days, int pairs, int secondChances) {
    assertEquals(
        List.of((long) days, (long) pairs, (long) secondChances, (long) pairs - secondChances),
        List.of(totals.days(), totals.pairs(), totals.secondChances(), totals.lostPairs()));
  }

  private List<String> sent(int source, int destination) {
    return bed.sent.stream()
        .filter(one -> one.source == source && one.destination == destination)
        .map(VirtualWeeks.Sent::toString)
        .collect(Collectors.toList());
  }

  @Test
  void inTimeNothingChanges() {
    day(week, 40, 0, 1, 1, 2);
    day(week, 40, 1, 0);
    assertTotals(bed.carryOut(week, following), 0, 0, 0);
    assertEquals("[0>1 4-44, 1>2 4-44, 1>0 48-88]", bed.sent.toString());
    assertEquals(0, bed.changes);
  }

  @Test
  void aLateStartIsMadeGoodInADayWithFreePorts() {
    day(week, 40, 0, 1);
    day(week, 60, 2, 3);
    day(week, 40, 2, 0);
    bed.late.put(startNs(0), 25 * MS);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 0, 1, 1);
    assertEquals(25 * MS, totals.lostNs());
    assertEquals(25 * MS, totals.regainedNs());
    assertEquals(List.of("0>1 29-44", "0>1 48-108"), sent(0, 1));
    assertEquals(List.of("2>3 48-108"), sent(2, 3));
  }

  @Test
  void aDayThatIsOverIsMadeGoodBehindTheLastOne() {
    day(week, 40, 0, 1, 1, 0);
    day(week, 60, 0, 2, 1, 3);
    bed.late.put(startNs(0), 40 * MS);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 1, 2, 2);
    assertEquals(80 * MS, totals.regainedNs());
    assertEquals(List.of("0>1 112-152"), sent(0, 1));
    assertEquals(List.of("1>0 112-152"), sent(1, 0));
  }

  @Test
  void theOnlyDayOfAWeekIsMadeGoodAsSoonAsTheSwitchCanFollow() {
    day(week, 20, 0, 1);
    bed.late.put(startNs(0), 60 * MS);
    assertTotals(bed.carryOut(week, following), 1, 1, 1);
    long againNs = startNs(0) + 60 * MS + LEAST_NS + NIGHT_NS;
    assertEquals(List.of("0>1 " + againNs / MS + "-" + (againNs / MS + 20)), sent(0, 1));
  }

  @Test
  void aSecondChanceThatIsLateItselfHasAnother() {
    day(week, 40, 0, 1);
    day(week, 30, 2, 3);
    day(week, 40, 3, 2);
    bed.late.put(startNs(0), 40 * MS);
    bed.late.put(startNs(2), 30 * MS);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 1, 2, 2);
    assertEquals(70 * MS, totals.lostNs());
    assertEquals(70 * MS, totals.regainedNs());
    assertEquals(List.of("0>1 112-122", "0>1 126-156"), sent(0, 1));
    assertEquals(List.of("3>2 112-122", "3>2 126-156"), sent(3, 2));
  }

  @Test
  void anOwnDayThatIsOverIsRepeatedWhileTheWeekLasts() {
    day(week, 40, 0, 1);
    bed.late.put(startNs(0), 40 * MS);
    long ownNs = startNs(0) + 40 * MS + LEAST_NS + NIGHT_NS;
    bed.late.put(ownNs, 50 * MS);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 2, 1, 1);
    assertEquals(40 * MS, totals.lostNs());
    assertEquals(40 * MS, totals.regainedNs());
    long againNs = ownNs + 50 * MS + LEAST_NS + NIGHT_NS;
    assertEquals(List.of("0>1 " + againNs / MS + "-" + (againNs / MS + 40)), sent(0, 1));
  }

  @Test
  void withNothingFreeThePairWaitsForTheNextWeekAndIsCounted() {
    day(week, 90, 0, 1, 1, 0);
    day(week, 100, 0, 2, 1, 3, 2, 0);
    bed.late.put(startNs(0), 90 * MS);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 1, 2, 0);
    assertEquals(180 * MS, totals.lostNs());
    assertEquals(0, totals.regainedNs());
    assertEquals(0, bed.changes);
    assertEquals(3, bed.sent.size());
  }

  @Test
  void aWeekThatIsOverBeforeItBeginsLosesAll() {
    day(week, 40, 0, 1);
    day(week, 40, 1, 0);
    bed.late.put(startNs(0), WEEK_NS);
    assertTotals(bed.carryOut(week, following), 2, 2, 0);
    assertEquals(0, bed.changes);
  }

  @Test
  void twoThatWantTheSamePortComeOneAfterTheOther() {
    day(week, 20, 0, 2);
    day(week, 30, 1, 2);
    bed.late.put(startNs(0), 20 * MS);
    bed.late.put(startNs(1), 30 * MS);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 2, 2, 2);
    assertEquals(50 * MS, totals.regainedNs());
    long againNs = startNs(1) + 30 * MS + LEAST_NS + NIGHT_NS;
    assertEquals(List.of("0>2 " + againNs / MS + "-" + (againNs / MS + 20)), sent(0, 2));
    assertEquals(
        List.of("1>2 " + (againNs + 20 * MS + NIGHT_NS) / MS + "-" + (againNs / MS + 54)),
        sent(1, 2));
  }

  @Test
  void whereThereIsRoomForOneOnlyTheyTakeTurnsByWeeks() {
    for (int number = 0; number < 6; number++) {
      Week full = week(number);
      day(full, 60, 0, 2);
      day(full, 60, 1, 2);
      day(full, 30, 3, 2);
      Week after = week(number + 1);
      bed.late.put(full.startNs() + full.schedule().startNs(0), 60 * MS);
      bed.late.put(full.startNs() + full.schedule().startNs(1), 60 * MS);
      bed.sent.clear();
      assertTotals(bed.carryOut(full, after), 2, 2, 1);
      assertEquals(number % 2 == 0 ? 1 : 0, sent(0, 2).size(), "week " + number);
      assertEquals(number % 2 == 0 ? 0 : 1, sent(1, 2).size(), "week " + number);
    }
  }

  @Test
  void aFaultInTheMiddleOfAWeekCostsThatHostNothingButTime() {
    day(week, 30, 0, 1);
    day(week, 30, 0, 2, 1, 3);
    day(week, 30, 0, 3);
    bed.failing.add(1);
    LateTotals totals = bed.carryOut(week, following);
    assertEquals(List.of("0>1 4-34", "0>2 38-68", "0>3 72-102"), sentBy(0));
    // It fails for ever: host 1 has nothing, and is tried in the third day and behind it.
    assertTotals(totals, 0, 1, 0);
    assertTrue(bed.faults.size() > 1, bed.faults.toString());

    bed.sent.clear();
    Week second = week(1);
    day(second, 30, 0, 2, 1, 3);
    day(second, 30, 0, 3);
    day(second, 30, 2, 3);
    bed.onStartAt(second.startNs() + second.schedule().startNs(1), bed.failing::clear);
    assertTotals(bed.carryOut(second, week(2)), 0, 1, 1);
    assertEquals(List.of("1>3 306-336"), sent(1, 3));
  }

  private List<String> sentBy(int source) {
    return bed.sent.stream()
        .filter(one -> one.source == source)
        .map(VirtualWeeks.Sent::toString)
        .collect(Collectors.toList());
  }

  @Test
  void aHostThatComesBackHasWhatItMissed() {
    day(week, 30, 0, 1, 1, 0);
    day(week, 30, 2, 3);
    bed.away.add(0);
    bed.onStartAt(startNs(1), bed.away::clear);
    LateTotals totals = bed.carryOut(week, following);
    assertTotals(totals, 0, 1, 1);
    assertEquals(List.of("0>1 38-68"), sent(0, 1));
    assertEquals(List.of("1>0 4-34"), sent(1, 0));
  }

  @Test
  void aHostThatStaysAwayLeavesOthersTheirSecondChances() {
    int days = 22;
    for (int day = 0; day < days; day++) {
      if (day == 18) {
        day(week, 5, 0, 1, 2, 3);
      } else {
        day(week, 5, 0, 1);
      }
    }
    bed.away.add(0);
    bed.late.put(startNs(18), 5 * MS);
    LateTotals totals = bed.carryOut(week, following);
    // There is no room behind the last day.
    assertTotals(totals, 1, 2, 1);
    assertEquals(List.of("2>3 184-189"), sent(2, 3));
  }

  @Test
  void aCircuitThatNobodyHasDemandForIsFree() {
    day(week, 30, 0, 1);
    day(week, 30, 0, 2, 3, 1, 2, 3);
    week.demand().set(0, 2, 0);
    week.demand().set(3, 1, 0);
    bed.late.put(startNs(0), 30 * MS + NIGHT_NS / 2);
    day(week, 40, 0, 2, 3, 1, 2, 3);
    week.demand().set(0, 2, 0);
    week.demand().set(3, 1, 0);
    assertTotals(bed.carryOut(week, following), 1, 1, 1);
    assertEquals(List.of("0>1 72-112"), sent(0, 1));
    assertEquals(List.of("2>3 38-68", "2>3 72-112"), sent(2, 3));
  }

  @Test
  void whatDemandDidNotNeedIsNotLate() {
    day(week, 60, 0, 1, 2, 3);
    week.demand().set(0, 1, 30 * 125_000);
    week.demand().set(2, 3, 0);
    bed.late.put(startNs(0), 25 * MS);
    assertTotals(bed.carryOut(week, following), 0, 0, 0);
  }

  @Test
  void lessThanASlotIsNotLate() {
    day(week, 60, 0, 1);
    bed.late.put(startNs(0), LEAST_NS - 1);
    assertTotals(bed.carryOut(week, following), 0, 0, 0);
  }

  @Test
  void withoutItsSwitchNothingIsStartedWhereNoCircuitIs() {
    day(week, 40, 0, 1);
    bed.late.put(startNs(0), 40 * MS);
    bed.switchIsAway = true;
    assertTotals(bed.carryOut(week, following), 1, 1, 0);
    assertEquals(List.of(), bed.sent);
  }
}
