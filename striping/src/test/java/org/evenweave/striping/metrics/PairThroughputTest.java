package org.evenweave.striping.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.striping.AllPlans;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.junit.jupiter.api.Test;

class PairThroughputTest {

  private static final StripingParameters FIGURE = StripingParameters.of(6, 6, 8, 8);

  /** Relative; means are sums of at most 256 products of exact integers, divided once. */
  private static final double ROUNDING = 1e-12;

  @Test
  void groupStripingOfFigure35GivesThreePairs80GbpsAndTheOthers60() {
    PairThroughput throughput = PairThroughput.of(StripingKind.GROUP.plan(FIGURE));
    assertEquals(Map.of(6, 12L, 8, 3L), throughput.histogram());
    assertEquals(6, throughput.minLinks());
    assertEquals(6.4, throughput.meanLinks(), 6.4 * ROUNDING);
    assertEquals(8, throughput.maxLinks());
    assertEquals(0.8, throughput.standardDeviationLinks(), 0.8 * ROUNDING);
    assertEquals(3, throughput.fullThroughputPairs());
    assertEquals(15, throughput.pairs());
  }

  @Test
  void rotationStripingOfFigure34GivesNoPairFullThroughputButTheSameMeanWithLessVariance() {
    PairThroughput throughput = PairThroughput.of(StripingKind.ROTATION.plan(FIGURE));
    assertEquals(Map.of(6, 9L, 7, 6L), throughput.histogram());
    assertEquals(6.4, throughput.meanLinks(), 6.4 * ROUNDING);
    assertEquals(0, throughput.fullThroughputPairs());
    assertEquals(Math.sqrt(0.24), throughput.standardDeviationLinks(), ROUNDING);
  }

  @Property(tries = 200)
  void histogramIsThatOfTheDefinition(
      @ForAll("fabrics") StripingParameters parameters, @ForAll StripingKind kind) {
    StripingPlan plan = kind.plan(parameters);
    SortedMap<Integer, Long> expected = new TreeMap<>();
    for (int i = 0; i < parameters.s1Count(); i++) {
      for (int j = 0; j < i; j++) {
        int links = 0;
        for (int k = 0; k < parameters.s2Count(); k++) {
          links += Math.min(plan.links(i, k), plan.links(j, k));
        }
        expected.merge(links, 1L, Long::sum);
      }
    }
    PairThroughput throughput = PairThroughput.of(plan);
    assertEquals(expected, throughput.histogram());
    assertEquals(expected.firstKey(), throughput.minLinks());
    assertEquals(expected.lastKey(), throughput.maxLinks());
  }

  @Property(tries = 200)
  void meanDependsOnTheSizeOfTheFabricOnly(
      @ForAll("fabrics") StripingParameters parameters, @ForAll StripingKind kind) {
    double mean = meanOfEveryPlan(parameters);
    assertEquals(mean, PairThroughput.of(kind.plan(parameters)).meanLinks(), mean * ROUNDING);
  }

  @Test
  void meanIsTheSameForAllPlansOfATinyFabric() {
    StripingParameters parameters = StripingParameters.of(4, 4, 6, 6);
    double mean = meanOfEveryPlan(parameters);
    AllPlans.of(parameters)
        .map(matrix -> PairThroughput.of(StripingPlan.of(parameters, matrix)))
        .forEach(throughput -> assertEquals(mean, throughput.meanLinks(), mean * ROUNDING));
  }

  /** K·(p + C(Ω, 2)/C(L, 2)) with Ω S1 switches at p + 1 links below each S2 switch. */
  private static double meanOfEveryPlan(StripingParameters parameters) {
    double l = parameters.s1Count();
    double omega = parameters.extraPerS2();
    return parameters.s2Count() * (parameters.base() + omega * (omega - 1) / (l * (l - 1)));
  }

  /** L to 40, K to 150 so that a row's bits take more than one or two words. */
  @Provide
  Arbitrary<StripingParameters> fabrics() {
    return Combinators.combine(
            Arbitraries.integers().between(2, 40),
            Arbitraries.integers().between(1, 150),
            Arbitraries.integers().between(1, 40))
        .as((s1, s2, p) -> divisible(s1, s2, p));
  }

  private static StripingParameters divisible(int s1, int s2, int least) {
    int uplinks = least;
    while (s1 * uplinks % s2 != 0) {
      uplinks++;
    }
    return StripingParameters.of(s1, s2, uplinks, s1 * uplinks / s2);
  }

  @Test
  void singleS1SwitchHasNoPairToMeasure() {
    StripingPlan plan = StripingKind.GROUP.plan(StripingParameters.of(1, 2, 2, 1));
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> PairThroughput.of(plan));
    assertEquals(
        "s1: throughput is between two S1 switches, so there must be at least 2, was 1",
        error.getMessage());
  }
}
