package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two connections with one datapath id, in virtual time. */
class DatapathsTest {
  private static final String UP = "up s7 [port 1 up 10000000000 bps]";
  private static final Duration ANSWER = ChannelFixture.TIMEOUT.dividedBy(5);

  private final FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1);
  private final ChannelFixture first = ChannelFixture.withUp(peer);
  private final FakeOpenFlowSwitch other = new FakeOpenFlowSwitch(7, 1);

  private ChannelFixture connectOther() {
    ChannelFixture second = new ChannelFixture(other, first);
    second.fromSwitch(FakeOpenFlowSwitch.hello());
    return second;
  }

  /** Both channels get the time, as of one controller. */
  private void settle(ChannelFixture second) {
    first.settle();
    second.settle();
  }

  @Test
  void theFirstStaysWhileItAnswersAndTheSecondIsNeverClaimed() {
    for (int attempt = 0; attempt < 10; attempt++) {
      ChannelFixture second = connectOther();
      settle(second);
      assertFalse(second.channel.isActive());
      assertTrue(first.channel.isActive());
    }
    assertEquals(-1, other.generation, "its master would lose it");
    assertEquals(11, first.events.size());
    assertEquals(List.of(UP, "duplicate s7"), first.events.subList(0, 2));
  }

  @Test
  void theSecondReplacesAFirstThatDoesNotAnswer() {
    peer.answersEchoes = false;
    ChannelFixture second = connectOther();
    settle(second);
    first.pass(ANSWER.minusMillis(100));
    settle(second);
    assertTrue(first.channel.isActive());
    assertEquals(List.of(UP), first.events);
    first.pass(Duration.ofMillis(200));
    settle(second);
    assertFalse(first.channel.isActive());
    assertTrue(second.channel.isActive());
    assertEquals(List.of(UP, "down s7", UP), first.events);
  }

  @Test
  void theSecondIsUsedWhenTheFirstEndsBeforeItAnswers() {
    first.answering = false;
    ChannelFixture second = connectOther();
    settle(second);
    first.channel.close();
    settle(second);
    assertTrue(second.channel.isActive());
    assertEquals(List.of(UP, "down s7", UP), first.events);
  }

  @Test
  void afterTheFirstHasGoneTheSecondIsWelcome() {
    first.channel.close();
    first.settle();
    ChannelFixture second = connectOther();
    settle(second);
    assertTrue(second.channel.isActive());
    assertEquals(List.of(UP, "down s7", UP), first.events);
  }
}
