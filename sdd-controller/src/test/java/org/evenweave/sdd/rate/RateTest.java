package org.evenweave.sdd.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.schedule.RecordedCommands;
import org.junit.jupiter.api.Test;

class RateTest {
  private final RecordedCommands sdd = new RecordedCommands();
  private final RateLimits limits = new RateLimits(sdd, 1_500);

  /** The desired gaps of Tewari 2015, table 5.2. */
  @Test
  void gapsAreThoseOfTable52() {
    assertEquals(12_000_000, limits.gapNs(1_000_000));
    assertEquals(1_200_000, limits.gapNs(10_000_000));
    assertEquals(120_000, limits.gapNs(100_000_000));
    assertEquals(12_000, limits.gapNs(1_000_000_000));
    assertEquals(4_000_000_000L, limits.gapNs(3_000));
  }

  @Test
  void aNewLimitIsAddedBeforeTheOldOneGoes() {
    limits.limit(1, 2, 1_000_000_000);
    limits.limit(1, 2, 1_000_000_000);
    limits.limit(1, 3, 10_000_000_000L);
    limits.limit(1, 2, 100_000_000);
    assertEquals(
        List.of(
            "add 1/2 currTime - lastXmitTime >= 12000",
            "add 1/3 currTime - lastXmitTime >= 1200",
            "add 1/2 currTime - lastXmitTime >= 120000",
            "remove 1/2 currTime - lastXmitTime >= 12000"),
        sdd.commands);
    assertThrows(IllegalArgumentException.class, () -> limits.limit(1, 2, 0));
    assertThrows(IllegalArgumentException.class, () -> new RateLimits(sdd, 0));
  }

  /** A fluid link: what arrives beyond its capacity waits. */
  @Property(tries = 100)
  void rcpEndsAtTheFairShareWithoutAQueueHoweverManyFlows(
      @ForAll @IntRange(min = 1, max = 500) int flows) {
    long capacityBps = 10_000_000_000L;
    long roundTripNs = 100_000;
    long intervalNs = 50_000;
    RcpLink link = new RcpLink(capacityBps);
    long capacityBytes = capacityBps / 8 * intervalNs / 1_000_000_000;
    long queuedBytes = 0;
    for (int i = 0; i < 2_000; i++) {
      long arrivedBytes = (long) (flows * (double) link.rateBps() * intervalNs / 8e9);
      queuedBytes = Math.max(0, queuedBytes + arrivedBytes - capacityBytes);
      link.update(intervalNs, arrivedBytes, queuedBytes, roundTripNs);
    }
    double fairBps = (double) capacityBps / flows;
    // Rounding to whole bytes per interval is 160 kb/s, which moves 20 Mb/s by less than 1 %.
    assertEquals(fairBps, (double) link.rateBps(), fairBps * 0.01);
    assertTrue(queuedBytes < capacityBytes / 100, queuedBytes + " bytes queued");
  }

  @Test
  void rcpNeverLeavesItsRange() {
    RcpLink link = new RcpLink(1_000_000);
    assertEquals(1_000_000, link.rateBps());
    for (int i = 0; i < 100; i++) {
      link.update(1_000, 1_000_000, 1_000_000_000, 1_000);
    }
    assertEquals(10, link.rateBps());
    for (int i = 0; i < 100; i++) {
      link.update(1_000, 0, 0, 1_000);
    }
    assertEquals(1_000_000, link.rateBps());
    assertThrows(IllegalArgumentException.class, () -> link.update(0, 0, 0, 1_000));
    assertThrows(IllegalArgumentException.class, () -> link.update(1_001, 0, 0, 1_000));
    assertThrows(IllegalArgumentException.class, () -> link.update(1, -1, 0, 1_000));
    assertThrows(IllegalArgumentException.class, () -> new RcpLink(0));
  }
}
