package org.evenweave.app.southbound;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A map whose entries expire. All operations are O(1); the removal of expired entries is amortised
 * over later insertions. Thread-safe.
 */
final class ExpiringMap<K, V> {
  private final long lifetimeNanos;
  private final LongSupplier nanoTime;

  /** The oldest first. */
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

  private static final class Entry<V> {
    final V value;
    final long insertedNanos;

    Entry(V value, long insertedNanos) {
      this.value = value;
      this.insertedNanos = insertedNanos;
    }
  }

  ExpiringMap(long lifetimeNanos, LongSupplier nanoTime) {
    this.lifetimeNanos = lifetimeNanos;
    this.nanoTime = nanoTime;
  }

  synchronized void put(K key, V value) {
    long now = nanoTime.getAsLong();
    Iterator<Entry<V>> oldest = entries.values().iterator();
    while (oldest.hasNext() && isExpired(oldest.next(), now)) {
      oldest.remove();
    }
    entries.remove(key);
    entries.put(key, new Entry<>(value, now));
  }

  /** Null if there is no entry, or it has expired. */
  synchronized V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null || isExpired(entry, nanoTime.getAsLong()) ? null : entry.value;
  }

  /**
   * Runs an action if there is an entry, under the lock: it is not removed meanwhile.
   *
   * @return whether the action ran
   */
  synchronized boolean runIfPresent(K key, Runnable action) {
    boolean isPresent = get(key) != null;
    if (isPresent) {
      action.run();
    }
    return isPresent;
  }

  synchronized void remove(K key) {
    entries.remove(key);
  }

  synchronized void clear() {
    entries.clear();
  }

  synchronized int size() {
    return entries.size();
  }

  private boolean isExpired(Entry<V> entry, long now) {
    return now - entry.insertedNanos >= lifetimeNanos;
  }
}
