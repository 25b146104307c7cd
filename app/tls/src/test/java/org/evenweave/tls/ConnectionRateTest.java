package org.evenweave.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ConnectionRateTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long INTERVAL_NANOS = SECOND_NANOS / ConnectionRate.PER_SECOND;

  /** Near the end of the clock, which may run over. */
  private long nowNanos = Long.MAX_VALUE - SECOND_NANOS;

  private final ConnectionRate rate = new ConnectionRate(() -> nowNanos);

  private static SocketAddress from(String host) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), 4242);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private int admitted(String host, int asked) {
    int admitted = 0;
    for (int i = 0; i < asked; i++) {
      admitted += rate.admits(from(host)) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aHostHasABurstAndThenItsRate() {
    assertEquals(ConnectionRate.AT_ONCE, admitted("10.0.0.9", 1000));
    nowNanos += 2 * SECOND_NANOS;
    assertEquals(2 * ConnectionRate.PER_SECOND, admitted("10.0.0.9", 1000));
  }

  @Test
  void oneHostsFloodTakesNothingFromAnother() {
    admitted("10.0.0.9", 1000);
    assertTrue(rate.admits(from("10.0.0.1")));
  }

  @Test
  void anIpv6HostIsItsNetwork() {
    admitted("2001:db8::1", 1000);
    assertFalse(rate.admits(from("2001:db8::2")));
    assertTrue(rate.admits(from("2001:db8:0:1::1")));
  }

  @Test
  void hostsThatAreQuietAreForgottenAndMemoryIsBounded() {
    for (int i = 0; i < 10_000; i++) {
      rate.admits(from("10.1." + i / 256 + "." + i % 256));
    }
    assertEquals(4096, rate.hosts());
    nowNanos += SECOND_NANOS;
    rate.admits(from("10.0.0.1"));
    assertEquals(1, rate.hosts());
  }

  /** The model counts tokens, each of which comes at a moment of its own. */
  @Property(tries = 200)
  void itIsATokenBucket(@ForAll long seed) {
    Random random = new Random(seed);
    Deque<Long> back = new ArrayDeque<>();
    Allowance allowance = new Allowance(ConnectionRate.PER_SECOND, 5, nowNanos);
    long elapsed = 0;
    for (int i = 0; i < 300; i++) {
      long step = random.nextBoolean() ? 0 : (long) (random.nextDouble() * 2 * INTERVAL_NANOS);
      elapsed += step;
      nowNanos += step;
      while (!back.isEmpty() && back.peek() <= elapsed) {
        back.remove();
      }
      boolean expected = back.size() < 5;
      assertEquals(expected, allowance.waitNanos(nowNanos) == 0);
      assertEquals(expected, allowance.take(nowNanos));
      if (expected) {
        long last = back.isEmpty() ? elapsed : back.getLast();
        back.add(last + INTERVAL_NANOS);
      }
      assertEquals(back.isEmpty(), allowance.isFull(nowNanos));
    }
  }
}
