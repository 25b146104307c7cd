package org.evenweave.engine.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProbeHistoryTest {
  private final ProbeHistory history = new ProbeHistory();

  private void add(int rounds, boolean small, boolean full) {
    for (int i = 0; i < rounds; i++) {
      history.add(small, full, false);
    }
  }

  @Test
  void fullProbesThatAreLostInARowShowAnMtuAndThreeThatArriveItsEnd() {
    add(ProbeHistory.ROUNDS_TO_TOO_SMALL - 1, true, false);
    assertFalse(history.isMtuTooSmall());
    add(1, true, true);
    add(ProbeHistory.ROUNDS_TO_TOO_SMALL - 1, true, false);
    assertFalse(history.isMtuTooSmall());
    add(1, true, false);
    assertTrue(history.isMtuTooSmall());
    add(ProbeHistory.ROUNDS_TO_RESTORED - 1, true, true);
    add(1, true, false);
    assertTrue(history.isMtuTooSmall());
    add(ProbeHistory.ROUNDS_TO_RESTORED, true, true);
    assertFalse(history.isMtuTooSmall());
  }

  @Test
  void pairsOfWhichBothAreLostSayNothingOfTheMtu() {
    add(100, false, false);
    assertFalse(history.isMtuTooSmall());
  }

  @Test
  void aBurstOfLostProbesIsNoLossyLinkAndLossesAllAlongAre() {
    add(26, true, true);
    add(4, false, false);
    assertFalse(history.losesProbes());
    add(30, true, true);
    for (int i = 0; i < 4; i++) {
      add(5, true, true);
      add(1, false, true);
    }
    assertTrue(history.losesProbes());
    assertEquals(4, history.lostProbes());
    assertEquals(ProbeHistory.WINDOW, history.probes());
    add(30, true, true);
    assertTrue(history.isClean());
  }

  @Test
  void underLoadOnlyProbesThatArriveCountAndAnMtuTakesLonger() {
    for (int i = 0; i < 100; i++) {
      history.add(i % 2 == 0, true, true);
    }
    assertFalse(history.losesProbes());
    assertEquals(0, history.lostProbes());
    for (int i = 1; i < ProbeHistory.BUSY_ROUNDS_TO_TOO_SMALL; i++) {
      history.add(true, false, true);
    }
    assertFalse(history.isMtuTooSmall());
    history.add(true, false, true);
    assertTrue(history.isMtuTooSmall());
  }
}
