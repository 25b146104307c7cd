package org.evenweave.app.southbound;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What was put in lately; it is forgotten in time. All is O(1), what expires spread over the
 * puttings that follow. Not safe for many threads.
 */
final class ExpiringMap<K, V> {
  private final long rememberedNanos;
  private final LongSupplier nanoTime;

  /** The oldest first. */
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

  private static final class Entry<V> {
    final V value;
    final long sinceNanos;

    Entry(V value, long sinceNanos) {
      this.value = value;
      this.sinceNanos = sinceNanos;
    }
  }

  ExpiringMap(long rememberedNanos, LongSupplier nanoTime) {
    this.rememberedNanos = rememberedNanos;
    this.nanoTime = nanoTime;
  }

  void put(K key, V value) {
    long now = nanoTime.getAsLong();
    Iterator<Entry<V>> oldest = entries.values().iterator();
    while (oldest.hasNext() && isOver(oldest.next(), now)) {
      oldest.remove();
    }
    entries.remove(key);
    entries.put(key, new Entry<>(value, now));
  }

  /** Null if it was not put in, or too long ago. */
  V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null || isOver(entry, nanoTime.getAsLong()) ? null : entry.value;
  }

  void remove(K key) {
    entries.remove(key);
  }

  void clear() {
    entries.clear();
  }

  int size() {
    return entries.size();
  }

  private boolean isOver(Entry<V> entry, long now) {
    return now - entry.sinceNanos >= rememberedNanos;
  }
}
