package org.evenweave.sdd.rest;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HostTurnsTest {
  private final HostTurns turns = new HostTurns();

  @Test
  void oneThatDoesNotAnswerIsWaitedForByTwoAndOthersByTheRest() {
    assertTrue(turns.begin("silent"));
    assertTrue(turns.begin("silent"));
    for (int i = 0; i < 60; i++) {
      assertFalse(turns.begin("silent"));
      assertTrue(turns.begin("h1"));
      turns.end("h1");
    }
    turns.end("silent");
    assertTrue(turns.begin("silent"));
  }

  @Test
  void allTogetherHoldHalfOfTheThreads() {
    for (int i = 0; i < HostTurns.FOR_ALL; i++) {
      assertTrue(turns.begin("h" + i));
    }
    assertFalse(turns.begin("h8"));
    turns.end("h0");
    assertTrue(turns.begin("h8"));
    assertFalse(turns.begin("h0"));
  }
}
