package org.evenweave.engine.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class RuleRatesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");
  private final RuleRates rates = new RuleRates(60 * SECOND);

  private void sample(long atSeconds, long bytes, long ageSeconds) {
    rates.sample(List.of(new RuleCount(PREFIX, bytes, ageSeconds * SECOND)), atSeconds * SECOND);
  }

  private double bps() {
    return rates.bps().get(PREFIX);
  }

  @Test
  void oneSampleIsNoRateAndTwoAreTheFirst() {
    sample(0, 5_000, 100);
    assertEquals(Map.of(), rates.bps());
    sample(10, 6_250, 110);
    assertEquals(1_000, bps());
    assertEquals(10 * SECOND, rates.sampledAtNanos());
  }

  @Test
  void followsAChangeBySixtyThreePerCentInATimeConstantHoweverOftenItIsSampled() {
    for (long step : new long[] {1, 10, 60}) {
      RuleRates own = new RuleRates(60 * SECOND);
      own.sample(List.of(new RuleCount(PREFIX, 0, 0)), 0);
      own.sample(List.of(new RuleCount(PREFIX, 0, SECOND)), SECOND);
      for (long t = step; t <= 60; t += step) {
        own.sample(List.of(new RuleCount(PREFIX, 125L * t, (1 + t) * SECOND)), (1 + t) * SECOND);
      }
      assertEquals(1_000 * (1 - Math.exp(-1)), own.bps(PREFIX), 1e-6);
    }
  }

  @Test
  void rulesForSingleSourcesCountForTheirPrefixToo() {
    Ipv4Prefix source = Ipv4Prefix.parse("10.0.7.0/24");
    for (int t = 0; t <= 10; t += 10) {
      RuleCount ofAll = new RuleCount(PREFIX, 125L * t, (1 + t) * SECOND);
      RuleCount ofPair = new RuleCount(source, PREFIX, 250L * t, (1 + t) * SECOND);
      rates.sample(List.of(ofAll, ofPair), t * SECOND);
    }
    assertEquals(3_000, bps());
    assertEquals(3_000, rates.bps(PREFIX));
  }

  /** A sample over a minute counts for the minute; what is missing is not taken for silence. */
  @Test
  void missingSamplesAreNoZeros() {
    sample(0, 0, 0);
    sample(10, 12_500, 10);
    sample(70, 87_500, 70);
    assertEquals(10_000, bps(), 1e-6);
  }

  @Test
  void aRuleInstalledAgainCountsFromThenOn() {
    sample(0, 1_000_000, 500);
    sample(10, 1_012_500, 510);
    assertEquals(10_000, bps());
    // Two seconds after a restart, more than before it and less.
    sample(20, 2_500, 2);
    assertEquals(10_000, bps(), 1e-6);
    sample(30, 3_750_000, 3);
    assertEquals(10_000 + (1 - Math.exp(-3.0 / 60)) * (10_000_000 - 10_000), bps(), 1e-3);
  }

  @Test
  void countersWrapAround() {
    sample(0, -1_000, 1_000);
    sample(10, 250, 1_010);
    assertEquals(1_000, bps());
  }

  @Test
  void aCounterThatFallsBehindIsNoRateAndBeginsAnew() {
    sample(0, 5_000, 100);
    sample(10, 4_000, 110);
    assertEquals(Map.of(), rates.bps());
    sample(20, 5_250, 120);
    assertEquals(1_000, bps());
  }

  @Test
  void aRuleThatIsGoneIsForgotten() {
    sample(0, 0, 0);
    sample(10, 1_250, 10);
    rates.sample(List.of(), 20 * SECOND);
    assertEquals(Map.of(), rates.bps());
  }
}
