package org.evenweave.app.cluster;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.onosproject.store.primitives.DefaultConsistentMap;
import org.onosproject.store.service.AsyncAtomicCounter;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.AsyncConsistentMapAdapter;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageServiceAdapter;
import org.onosproject.store.service.Versioned;

/** ONOS's store, as far as one map and one counter go, which all who ask share. */
public final class FakeStorage extends StorageServiceAdapter {
  private static final long TIMEOUT_MILLIS = 1000;

  public boolean answers = true;

  private final Map<Object, Object> entries = new HashMap<>();
  private final AtomicLong counter = new AtomicLong();

  private <T> CompletableFuture<T> answer(Supplier<T> answer) {
    return answers
        ? CompletableFuture.completedFuture(answer.get())
        : CompletableFuture.failedFuture(new StorageException.Unavailable());
  }

  @Override
  public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
    return new ConsistentMapBuilder<>() {
      @Override
      public ConsistentMap<K, V> build() {
        return new DefaultConsistentMap<>(buildAsyncMap(), TIMEOUT_MILLIS);
      }

      @Override
      public AsyncConsistentMap<K, V> buildAsyncMap() {
        return new SharedMap<>();
      }
    };
  }

  @Override
  public AsyncAtomicCounter getAsyncAtomicCounter(String name) {
    return new SharedCounter(name);
  }

  private final class SharedMap<K, V> extends AsyncConsistentMapAdapter<K, V> {
    @Override
    public CompletableFuture<Versioned<V>> put(K key, V value) {
      return answer(() -> versioned(entries.put(key, value)));
    }

    @Override
    public CompletableFuture<Versioned<V>> get(K key) {
      return answer(() -> entries.containsKey(key) ? versioned(entries.get(key)) : null);
    }

    @Override
    public CompletableFuture<Versioned<V>> remove(K key) {
      return answer(() -> versioned(entries.remove(key)));
    }

    @Override
    public CompletableFuture<Void> clear() {
      return answer(
          () -> {
            entries.clear();
            return null;
          });
    }

    @Override
    @SuppressWarnings("unchecked") // Only one map is ever made.
    public CompletableFuture<Set<Map.Entry<K, Versioned<V>>>> entrySet() {
      return answer(
          () -> {
            Set<Map.Entry<K, Versioned<V>>> set = new LinkedHashSet<>();
            entries.forEach((key, value) -> set.add(Map.entry((K) key, versioned(value))));
            return set;
          });
    }

    @SuppressWarnings("unchecked")
    private Versioned<V> versioned(Object value) {
      return new Versioned<>((V) value, 1);
    }
  }

  private final class SharedCounter implements AsyncAtomicCounter {
    private final String name;

    SharedCounter(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public CompletableFuture<Long> incrementAndGet() {
      return answer(counter::incrementAndGet);
    }

    @Override
    public CompletableFuture<Long> getAndIncrement() {
      return answer(counter::getAndIncrement);
    }

    @Override
    public CompletableFuture<Long> getAndAdd(long delta) {
      return answer(() -> counter.getAndAdd(delta));
    }

    @Override
    public CompletableFuture<Long> addAndGet(long delta) {
      return answer(() -> counter.addAndGet(delta));
    }

    @Override
    public CompletableFuture<Long> get() {
      return answer(counter::get);
    }

    @Override
    public CompletableFuture<Void> set(long value) {
      return answer(
          () -> {
            counter.set(value);
            return null;
          });
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(long expected, long value) {
      return answer(() -> counter.compareAndSet(expected, value));
    }
  }
}
