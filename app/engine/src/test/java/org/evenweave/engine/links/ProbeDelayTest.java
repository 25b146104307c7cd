package org.evenweave.engine.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProbeDelayTest {
  private static final long MILLI_NANOS = 1_000_000L;

  private final ProbeDelay delay = new ProbeDelay();

  private void add(int rounds, long underWayMs, long answersMs, boolean mayBeQueue) {
    for (int i = 0; i < rounds; i++) {
      delay.add(underWayMs * MILLI_NANOS, answersMs * MILLI_NANOS, mayBeQueue);
    }
  }

  @Test
  void onlyADelayOfAllProbesOfTheWindowCounts() {
    add(ProbeDelay.ROUNDS - 1, 402, 2, false);
    assertFalse(delay.isKnown());
    assertFalse(delay.isSlow());
    add(1, 402, 2, false);
    assertTrue(delay.isSlow());
    assertEquals(401 * MILLI_NANOS, delay.aboutNanos());
    add(1, 5, 2, false);
    assertFalse(delay.isSlow());
    assertTrue(delay.isPrompt());
    add(ProbeDelay.ROUNDS, 402, 2, false);
    assertTrue(delay.isSlow());
    delay.restart();
    assertFalse(delay.isKnown());
    assertFalse(delay.isPrompt());
  }

  @Test
  void whatTheConnectionsToTheSwitchesTakeIsNotTheLinks() {
    add(ProbeDelay.ROUNDS, 402, 303, false);
    assertFalse(delay.isKnown());
    add(ProbeDelay.ROUNDS, 402, 302, false);
    assertTrue(delay.isSlow());
  }

  @Test
  void aProbeThatSlowAnswersMayExplainShowsNothing() {
    for (int i = 0; i < ProbeDelay.ROUNDS; i++) {
      assertFalse(delay.isSlow());
      add(1, 280, 200, false);
      add(1, 280, 20, false);
    }
    assertTrue(delay.isSlow());
    assertEquals(270 * MILLI_NANOS, delay.aboutNanos());
  }

  @Test
  void fewProbesAmongMoreThatShowNothingMakeNoLinkSlow() {
    for (int i = 0; i < 10 * ProbeDelay.ROUNDS; i++) {
      add(2, 280, 200, false);
      add(1, 280, 20, false);
      assertFalse(delay.isSlow());
    }
  }

  @Test
  void aQueueMakesNoLinkSlowAndAQuickProbeCountsUnderLoadToo() {
    add(ProbeDelay.ROUNDS, 402, 2, true);
    assertFalse(delay.isKnown());
    add(ProbeDelay.ROUNDS, 402, 2, false);
    add(ProbeDelay.ROUNDS, 402, 2, true);
    assertTrue(delay.isSlow());
    add(1, 2, 2, true);
    assertTrue(delay.isPrompt());
  }
}
