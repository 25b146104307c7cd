package org.evenweave.engine.packets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketLimitsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  @Test
  void aPortThatFloodsLeavesTheOthersTheirShare() {
    PortLimiter limiter = PortLimiter.forHosts(0);
    int admitted = 0;
    for (int packet = 0; packet < 100_000; packet++) {
      admitted += limiter.admits(1, packet * SECOND_NANOS / 10_000) ? 1 : 0;
    }
    assertEquals(PortLimiter.PORT_BURST + 10 * PortLimiter.PORT_RATE, admitted, 1);
    assertTrue(limiter.admits(2, 10 * SECOND_NANOS));
  }

  @Test
  void allPortsTogetherHaveALimit() {
    PortLimiter limiter = PortLimiter.forHosts(0);
    int admitted = 0;
    for (int packet = 0; packet < 100_000; packet++) {
      admitted += limiter.admits(packet % 1000, 0) ? 1 : 0;
    }
    assertEquals(PortLimiter.SWITCH_BURST, admitted);
  }

  @Test
  void portsThatDoNotExistCannotFillTheMemoryNorTakeMoreThanOne() {
    PortLimiter limiter = new PortLimiter(1, 1, 1 << 30, 1 << 30, 0);
    int admitted = 0;
    for (int port = 0; port < 100_000; port++) {
      admitted += limiter.admits(port, 0) ? 1 : 0;
    }
    assertEquals(4096 + 1, admitted);
  }

  @Test
  void aKeyPassesOnceInAPeriodAndHearsHowManyDidNot() {
    KeyedLimit<String> limit = new KeyedLimit<>(SECOND_NANOS, 2);
    assertEquals(0, limit.pass("a", 0));
    assertEquals(-1, limit.pass("a", SECOND_NANOS - 1));
    assertEquals(0, limit.pass("b", SECOND_NANOS - 1));
    assertEquals(1, limit.pass("a", SECOND_NANOS));
    assertEquals(-1, limit.pass("c", SECOND_NANOS), "no room while both are within their period");
    assertEquals(0, limit.pass("c", 2 * SECOND_NANOS - 1), "room of b's, who passed first");
    assertEquals(-1, limit.pass("a", 2 * SECOND_NANOS - 1));
  }

  @Test
  void aThousandPortsThatMisbehaveGetALineASecondEachAndFurtherOnesNone() {
    long[] nowNanos = new long[1];
    List<String> lines = new ArrayList<>();
    PortLog log = new PortLog(lines::add, () -> nowNanos[0]);
    for (int packet = 0; packet < 100_000; packet++) {
      log.warn("s", packet % 5000, "bad");
    }
    assertEquals(1024, lines.size());
    nowNanos[0] = SECOND_NANOS;
    log.warn("s", 0, "bad");
    assertEquals("s/0: bad (and 19 more since the last line)", lines.get(1024));
  }

  @Test
  void anythingElseWaitsForOnePacketAtMost() {
    Deque<Runnable> executor = new ArrayDeque<>();
    List<String> done = new ArrayList<>();
    PacketQueue queue = new PacketQueue(executor::add, 100, 1000);
    for (int packet = 0; packet < 10; packet++) {
      int number = packet;
      assertTrue(queue.add(10, () -> done.add("packet " + number)));
    }
    executor.add(() -> done.add("port down"));
    while (!executor.isEmpty()) {
      executor.remove().run();
    }
    assertEquals(List.of("packet 0", "port down", "packet 1"), done.subList(0, 3));
    assertEquals(11, done.size());
  }

  @Test
  void theQueueIsBoundedInPacketsAndInBytesAndOutlivesAFailure() {
    Deque<Runnable> executor = new ArrayDeque<>();
    int[] done = new int[1];
    PacketQueue queue = new PacketQueue(executor::add, 3, 100);
    assertFalse(queue.add(101, () -> {}));
    assertTrue(
        queue.add(
            60,
            () -> {
              throw new IllegalStateException("thrown on purpose");
            }));
    assertFalse(queue.add(60, () -> {}));
    assertTrue(queue.add(20, () -> done[0]++));
    assertTrue(queue.add(20, () -> done[0]++));
    assertFalse(queue.add(0, () -> {}));
    while (!executor.isEmpty()) {
      try {
        executor.remove().run();
      } catch (IllegalStateException e) {
        assertEquals("thrown on purpose", e.getMessage());
      }
    }
    assertEquals(2, done[0]);
    assertTrue(queue.add(100, () -> {}));
  }
}
