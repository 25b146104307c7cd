package org.evenweave.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandshakesTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The thread, in virtual time. */
  private static final class VirtualThread extends ScheduledThreadPoolExecutor {
    private static final class Task {
      final long atNanos;
      final long number;
      final Runnable runnable;

      Task(long atNanos, long number, Runnable runnable) {
        this.atNanos = atNanos;
        this.number = number;
        this.runnable = runnable;
      }
    }

    private final PriorityQueue<Task> tasks =
        new PriorityQueue<>(
            Comparator.<Task>comparingLong(task -> task.atNanos)
                .thenComparingLong(task -> task.number));
    private long nowNanos;
    private long number;

    VirtualThread() {
      super(0);
    }

    @Override
    public void execute(Runnable runnable) {
      tasks.add(new Task(nowNanos, number++, runnable));
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable runnable, long delay, TimeUnit unit) {
      tasks.add(new Task(nowNanos + unit.toNanos(delay), number++, runnable));
      return null;
    }

    void pass(long nanos) {
      long end = nowNanos + nanos;
      while (!tasks.isEmpty() && tasks.peek().atNanos <= end) {
        Task next = tasks.remove();
        nowNanos = next.atNanos;
        next.runnable.run();
      }
      nowNanos = end;
    }
  }

  private final VirtualThread thread = new VirtualThread();
  private final Handshakes handshakes = new Handshakes(thread, () -> thread.nowNanos);
  private final List<String> computed = new ArrayList<>();

  private Handshakes.Handshake handshake(String host) {
    try {
      return handshakes.of(new InetSocketAddress(InetAddress.getByName(host), 4242));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private Handshakes.Handshake begin(String host) {
    Handshakes.Handshake begun = handshake(host);
    begun.execute(() -> computed.add(host));
    return begun;
  }

  private void flood(String host, int handshakes) {
    for (int i = 0; i < handshakes; i++) {
      begin(host);
    }
  }

  @Test
  void thoseThatProveNothingAreLimited() {
    flood("10.0.0.9", 1000);
    thread.pass(0);
    assertEquals(Handshakes.AT_ONCE, computed.size());
    thread.pass(2 * SECOND_NANOS);
    assertEquals(Handshakes.AT_ONCE + 2 * Handshakes.PER_SECOND, computed.size());
  }

  @Test
  void thoseThatProveThemselvesAreNot() {
    for (int i = 0; i < 1000; i++) {
      Handshakes.Handshake handshake = begin("10.0.0.1");
      handshake.execute(() -> computed.add("second part"));
      thread.pass(0);
      handshake.proved();
      handshake.proved();
      handshake.end();
    }
    assertEquals(2000, computed.size());
    flood("10.0.0.9", 1000);
    thread.pass(0);
    assertEquals(2000 + Handshakes.AT_ONCE, computed.size(), "tokens are given back once");
  }

  @Test
  void anotherHostsIsTheNextHoweverManyWait() {
    flood("10.0.0.9", 1000);
    thread.pass(0);
    begin("10.0.0.1");
    computed.clear();
    thread.pass(2 * SECOND_NANOS / Handshakes.PER_SECOND);
    assertEquals(List.of("10.0.0.9", "10.0.0.1"), computed);
  }

  @Test
  void oneThatHasBegunGoesOnAheadOfThoseThatWait() {
    Handshakes.Handshake first = begin("10.0.0.1");
    thread.pass(0);
    flood("10.0.0.9", 1000);
    first.execute(() -> computed.add("second part"));
    thread.pass(0);
    assertTrue(computed.indexOf("second part") <= 2, computed.toString());
  }

  @Test
  void anEndedConnectionTakesNoTurn() {
    flood("10.0.0.9", Handshakes.AT_ONCE);
    Handshakes.Handshake ended = begin("10.0.0.8");
    Handshakes.Handshake other = begin("10.0.0.7");
    ended.end();
    ended.proved();
    ended.execute(() -> computed.add("too late"));
    thread.pass(0);
    computed.clear();
    thread.pass(SECOND_NANOS / Handshakes.PER_SECOND);
    other.end();
    thread.pass(SECOND_NANOS);
    assertTrue(!computed.contains("10.0.0.8") && !computed.contains("too late"));
  }

  @Test
  void aPartThatFailsEndsNoOther() {
    handshake("10.0.0.9")
        .execute(
            () -> {
              throw new IllegalStateException("a fault in TLS");
            });
    begin("10.0.0.1");
    try {
      thread.pass(0);
    } catch (IllegalStateException e) {
      thread.pass(0); // as an executor's thread does
    }
    assertEquals(List.of("10.0.0.1"), computed);
  }
}
