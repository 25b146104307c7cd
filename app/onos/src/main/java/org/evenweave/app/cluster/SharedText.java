package org.evenweave.app.cluster;

import java.util.Optional;
import org.onlab.util.KryoNamespace;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A text in ONOS's distributed store that every instance has at hand: reading it asks nobody.
 * Thread-safe.
 */
public final class SharedText implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharedText.class);

  private final String name;
  private final AsyncConsistentMap<String, String> map;
  private final MapEventListener<String, String> listener = event -> follow(event.newValue());

  /** Null if there is none, or none is known yet. */
  private volatile String text;

  private volatile boolean known;

  /**
   * @param name of the map in ONOS's store
   */
  public SharedText(StorageService storage, String name) {
    this.name = name;
    map =
        storage
            .<String, String>consistentMapBuilder()
            .withName(name)
            .withSerializer(Serializer.using(KryoNamespace.newBuilder().build(name)))
            .buildAsyncMap();
    map.addListener(listener);
    ask();
  }

  private void ask() {
    map.get(name)
        .whenComplete(
            (value, error) -> {
              if (error == null) {
                followFirst(value);
              } else {
                LOG.warn("cannot read {} from the cluster's store", name, error);
              }
            });
  }

  private synchronized void followFirst(Versioned<String> value) {
    if (!known) {
      follow(value);
    }
  }

  private synchronized void follow(Versioned<String> value) {
    text = value == null ? null : value.value();
    known = true;
  }

  /** Whether this instance knows what is in the store; if not, it asks again. */
  public boolean isKnown() {
    if (!known) {
      ask();
    }
    return known;
  }

  /** The text as far as this instance knows. */
  public Optional<String> get() {
    return Optional.ofNullable(text);
  }

  /** Replaces the text on all instances, here at once. */
  public synchronized void put(String newText) {
    if (!newText.equals(text)) {
      text = newText;
      known = true;
      map.put(name, newText).whenComplete(this::logFailure);
    }
  }

  /** Removes the text on all instances, here at once. */
  public synchronized void remove() {
    if (text != null || !known) {
      text = null;
      known = true;
      map.remove(name).whenComplete(this::logFailure);
    }
  }

  private void logFailure(Object done, Throwable error) {
    if (error != null) {
      LOG.warn("cannot write {} to the cluster's store", name, error);
    }
  }

  @Override
  public void close() {
    map.removeListener(listener);
  }
}
