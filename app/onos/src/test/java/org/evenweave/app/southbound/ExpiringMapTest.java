package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExpiringMapTest {
  private static final long REMEMBERED_NANOS = 10;

  private long nowNanos = Long.MAX_VALUE - 5;
  private final ExpiringMap<String, Integer> map =
      new ExpiringMap<>(REMEMBERED_NANOS, () -> nowNanos);

  @Test
  void whatIsPutInIsForgottenInTime() {
    map.put("a", 1);
    nowNanos += REMEMBERED_NANOS - 1;
    assertEquals(1, map.get("a"));
    nowNanos += 1;
    assertNull(map.get("a"));
  }

  @Test
  void whatIsPutInAgainIsRememberedFromThenOn() {
    map.put("a", 1);
    map.put("b", 2);
    nowNanos += REMEMBERED_NANOS - 1;
    map.put("a", 3);
    nowNanos += REMEMBERED_NANOS - 1;
    assertEquals(3, map.get("a"));
    assertNull(map.get("b"));
  }

  @Test
  void whatIsForgottenTakesNoRoom() {
    for (int i = 0; i < 100; i++) {
      map.put("" + i, i);
      nowNanos += 1;
    }
    assertEquals(REMEMBERED_NANOS, map.size());
  }

  @Test
  void whatIsRemovedIsGoneAtOnce() {
    map.put("a", 1);
    map.put("b", 2);
    map.remove("a");
    assertNull(map.get("a"));
    map.clear();
    assertNull(map.get("b"));
  }

  @Test
  void anActionRunsIfThereIsAnEntry() {
    map.put("a", 1);
    AtomicInteger ran = new AtomicInteger();
    assertTrue(map.runIfPresent("a", ran::incrementAndGet));
    assertFalse(map.runIfPresent("b", ran::incrementAndGet));
    nowNanos += REMEMBERED_NANOS;
    assertFalse(map.runIfPresent("a", ran::incrementAndGet));
    assertEquals(1, ran.get());
  }
}
