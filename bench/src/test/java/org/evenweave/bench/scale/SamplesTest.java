package org.evenweave.bench.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void percentilesAreValuesOfTheNearestRankInAnyOrderOfArrival() {
    Samples samples = new Samples();
    IntStream.rangeClosed(1, 200).map(i -> i * 77 % 201).forEach(samples::add);
    assertEquals(100, samples.median());
    assertEquals(198, samples.percentile(0.99));
    assertEquals(200, samples.percentile(1));
    assertEquals(100.5, samples.mean());
  }

  @Test
  void aSingleValueIsEveryPercentile() {
    Samples samples = new Samples();
    samples.add(3);
    assertEquals(3, samples.percentile(0.01));
    assertEquals(3, samples.percentile(0.99));
  }
}
