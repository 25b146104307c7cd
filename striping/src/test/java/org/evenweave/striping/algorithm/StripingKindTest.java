package org.evenweave.striping.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.striping.AllPlans;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.junit.jupiter.api.Test;

class StripingKindTest {

  /** Figure 3.5: 6 S1 and 6 S2 switches, 8 uplinks. */
  private static final StripingParameters FIGURE = StripingParameters.of(6, 6, 8, 8);

  @Test
  void groupStripingOfFigure35IsThreePairsOnTheDiagonal() {
    int[][] expected = {
      {2, 2, 1, 1, 1, 1},
      {2, 2, 1, 1, 1, 1},
      {1, 1, 2, 2, 1, 1},
      {1, 1, 2, 2, 1, 1},
      {1, 1, 1, 1, 2, 2},
      {1, 1, 1, 1, 2, 2},
    };
    assertArrayEquals(expected, StripingKind.GROUP.plan(FIGURE).matrix());
  }

  @Test
  void rotationStripingOfFigure34StartsOneSwitchFurtherInEachRow() {
    int[][] expected = {
      {1, 1, 1, 1, 2, 2},
      {2, 1, 1, 1, 1, 2},
      {2, 2, 1, 1, 1, 1},
      {1, 2, 2, 1, 1, 1},
      {1, 1, 2, 2, 1, 1},
      {1, 1, 1, 2, 2, 1},
    };
    assertArrayEquals(expected, StripingKind.ROTATION.plan(FIGURE).matrix());
  }

  /**
   * Section 3.7: "two groups of six S1 switches ... The remaining seven" differ from all others.
   */
  @Test
  void groupStripingOfTheSimulatedFabricHasTwoGroupsOfSixAndSevenLoners() {
    StripingParameters parameters = StripingParameters.of(19, 57, 96, 32);
    int[][] plan = StripingKind.GROUP.plan(parameters).matrix();
    assertArrayEquals(StripingKind.GROUP.printedMatrix(parameters), plan);
    for (int row = 0; row < 12; row++) {
      assertArrayEquals(plan[row / 6 * 6], plan[row], "row " + row);
    }
    Set<String> patterns = new HashSet<>();
    Arrays.stream(plan).map(Arrays::toString).forEach(patterns::add);
    assertEquals(2 + 7, patterns.size());
  }

  @Test
  void printedRotationThatOverloadsAnS2SwitchIsRepairedInTwoEntries() {
    StripingParameters parameters = StripingParameters.of(2, 4, 6, 3);
    assertArrayEquals(
        new int[][] {{1, 1, 2, 2}, {2, 1, 1, 2}}, StripingKind.ROTATION.printedMatrix(parameters));
    assertArrayEquals(
        new int[][] {{1, 2, 2, 1}, {2, 1, 1, 2}}, StripingKind.ROTATION.plan(parameters).matrix());
  }

  @Test
  void printedGroupsThatOverloadAnS2SwitchKeepTheirFirstGroup() {
    StripingParameters parameters = StripingParameters.of(15, 5, 7, 21);
    int[] printedSums = StripingPlan.columnSums(StripingKind.GROUP.printedMatrix(parameters), 5);
    assertArrayEquals(new int[] {21, 21, 24, 24, 15}, printedSums);
    int[][] plan = StripingKind.GROUP.plan(parameters).matrix();
    for (int row = 0; row < 6; row++) {
      assertArrayEquals(new int[] {2, 2, 1, 1, 1}, plan[row], "row " + row);
    }
  }

  @Test
  void repairSpreadsItsChangesOverTheS1Switches() {
    StripingParameters parameters = StripingParameters.of(2, 6, 3, 1);
    assertArrayEquals(
        new int[][] {{0, 0, 0, 1, 1, 1}, {1, 0, 0, 0, 1, 1}},
        StripingKind.ROTATION.printedMatrix(parameters));
    assertArrayEquals(
        new int[][] {{0, 1, 0, 1, 0, 1}, {1, 0, 1, 0, 1, 0}},
        StripingKind.ROTATION.plan(parameters).matrix());
  }

  @Test
  void everySmallFabricGetsAPlanThatFitsItsPortsAndDiffersLeastFromThePrintedOne() {
    smallFabrics(12, 3).forEach(StripingKindTest::checkPlans);
  }

  /** The conditions that the two printed algorithms' comments state. */
  @Test
  void printedMatrixCanBeWiredExactlyWhenItsDivisibilityConditionHolds() {
    Map<StripingKind, Map<Boolean, Integer>> seen = new EnumMap<>(StripingKind.class);
    smallFabrics(16, 2)
        .forEach(
            parameters -> {
              int l = parameters.s1Count();
              int omega = Math.min(parameters.extraPerS2(), parameters.plainPerS2());
              boolean balanced = omega == 0;
              boolean rotationFits = balanced || l % parameters.s2Count() == 0;
              boolean groupFits =
                  balanced || l % omega == 0 || parameters.uplinks() % parameters.downlinks() == 0;
              assertEquals(rotationFits, isPrintedWirable(StripingKind.ROTATION, parameters));
              assertEquals(groupFits, isPrintedWirable(StripingKind.GROUP, parameters));
              count(seen, StripingKind.ROTATION, rotationFits);
              count(seen, StripingKind.GROUP, groupFits);
            });
    for (StripingKind kind : StripingKind.values()) {
      assertEquals(Set.of(true, false), seen.get(kind).keySet(), "both outcomes occur: " + seen);
    }
  }

  private static void count(
      Map<StripingKind, Map<Boolean, Integer>> seen, StripingKind kind, boolean fits) {
    seen.computeIfAbsent(kind, k -> new TreeMap<>()).merge(fits, 1, Integer::sum);
  }

  private static boolean isPrintedWirable(StripingKind kind, StripingParameters parameters) {
    return Arrays.stream(
            StripingPlan.columnSums(kind.printedMatrix(parameters), parameters.s2Count()))
        .allMatch(sum -> sum == parameters.downlinks());
  }

  /** All fabrics with up to {@code most} switches in a stage and p below {@code basesBelow}. */
  private static Stream<StripingParameters> smallFabrics(int most, int basesBelow) {
    return IntStream.rangeClosed(1, most)
        .boxed()
        .flatMap(
            s1 ->
                IntStream.rangeClosed(1, most)
                    .boxed()
                    .flatMap(
                        s2 ->
                            IntStream.range(1, s2 * basesBelow)
                                .filter(uplinks -> s1 * uplinks % s2 == 0)
                                .mapToObj(
                                    uplinks ->
                                        StripingParameters.of(
                                            s1, s2, uplinks, s1 * uplinks / s2))));
  }

  @Property(tries = 300)
  void everyLargeFabricGetsAPlanThatFitsItsPortsAndDiffersLeastFromThePrintedOne(
      @ForAll("largeFabrics") StripingParameters parameters) {
    checkPlans(parameters);
  }

  /** L, K to 256; N a random multiple of the least that makes D whole. */
  @Provide
  Arbitrary<StripingParameters> largeFabrics() {
    Arbitrary<Integer> switches = Arbitraries.integers().between(1, 256);
    return Combinators.combine(switches, switches, Arbitraries.integers().between(1, 255))
        .as(
            (s1, s2, factor) -> {
              int uplinks = s2 / gcd(s1, s2) * factor;
              return StripingParameters.of(s1, s2, uplinks, s1 * uplinks / s2);
            });
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static void checkPlans(StripingParameters parameters) {
    for (StripingKind kind : StripingKind.values()) {
      checkPlan(kind, parameters);
    }
  }

  /** Checks a plan from first principles. */
  private static void checkPlan(StripingKind kind, StripingParameters parameters) {
    int[][] printed = kind.printedMatrix(parameters);
    int[][] plan = kind.plan(parameters).matrix();
    String context = kind + " " + parameters;
    int p = parameters.uplinks() / parameters.s2Count();
    int distance = 0;
    int[] planSums = new int[parameters.s2Count()];
    int[] printedSums = new int[parameters.s2Count()];
    for (int s1 = 0; s1 < parameters.s1Count(); s1++) {
      assertEquals(parameters.uplinks(), IntStream.of(plan[s1]).sum(), context);
      for (int s2 = 0; s2 < parameters.s2Count(); s2++) {
        assertTrue(plan[s1][s2] == p || plan[s1][s2] == p + 1, context);
        planSums[s2] += plan[s1][s2];
        printedSums[s2] += printed[s1][s2];
        distance += plan[s1][s2] == printed[s1][s2] ? 0 : 1;
      }
    }
    int leastDistance = 0;
    for (int s2 = 0; s2 < parameters.s2Count(); s2++) {
      assertEquals(parameters.downlinks(), planSums[s2], context);
      leastDistance += Math.abs(printedSums[s2] - parameters.downlinks());
    }
    assertEquals(leastDistance, distance, context);
  }

  /** The bound Σ|column − D| used above, against all valid matrices of tiny fabrics. */
  @Test
  void noWirableMatrixIsCloserToThePrintedOneThanThePlan() {
    smallFabrics(4, 2)
        .forEach(
            parameters -> {
              for (StripingKind kind : StripingKind.values()) {
                int[][] printed = kind.printedMatrix(parameters);
                int least =
                    AllPlans.of(parameters).mapToInt(m -> distance(printed, m)).min().getAsInt();
                int[][] plan = kind.plan(parameters).matrix();
                assertEquals(least, distance(printed, plan), kind + " " + parameters);
              }
            });
  }

  private static int distance(int[][] a, int[][] b) {
    return IntStream.range(0, a.length)
        .map(
            row ->
                (int) IntStream.range(0, a[row].length).filter(c -> a[row][c] != b[row][c]).count())
        .sum();
  }

  @Test
  void rotationOfAMultipleOfTheS2SwitchesIsTheIndexFormula() {
    StripingParameters parameters = StripingParameters.of(14, 7, 17, 34);
    int[][] plan = StripingKind.ROTATION.plan(parameters).matrix();
    for (int i = 0; i < 14; i++) {
      for (int k = 0; k < 7; k++) {
        boolean plain = Math.floorMod(k - i, 7) < parameters.plainPerS1();
        assertEquals(plain ? 2 : 3, plan[i][k], "row " + i + " column " + k);
      }
    }
  }

  @Test
  void balancedFabricHasTheSameNumberOfLinksEverywhere() {
    StripingParameters parameters = StripingParameters.of(4, 3, 6, 8);
    for (StripingKind kind : StripingKind.values()) {
      for (int[] row : kind.plan(parameters).matrix()) {
        assertArrayEquals(new int[] {2, 2, 2}, row);
      }
    }
  }

  @Test
  void kindIsFoundByItsLabelOnly() {
    assertEquals(StripingKind.GROUP, StripingKind.labelled("group"));
    assertEquals(StripingKind.ROTATION, StripingKind.labelled("rotation"));
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> StripingKind.labelled("Group"));
    assertEquals("kind: must be one of rotation, group, was \"Group\"", error.getMessage());
  }
}
