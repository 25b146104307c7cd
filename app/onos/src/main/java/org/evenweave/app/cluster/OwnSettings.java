package org.evenweave.app.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.onlab.util.KryoNamespace;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of ONOS that the application has set, with their values, in ONOS's distributed store:
 * whichever instance restores the defaults can tell them from the operator's. Thread-safe.
 */
public final class OwnSettings {
  private static final Logger LOG = LoggerFactory.getLogger(OwnSettings.class);

  /** Restoring settings blocks ONOS, so for a short time only. */
  private static final long ANSWER_TIMEOUT_SECONDS = 3;

  private final String name;
  private final AsyncConsistentMap<String, String> values;

  /**
   * @param name of the map in ONOS's store
   */
  public OwnSettings(StorageService storage, String name) {
    this.name = name;
    values =
        storage
            .<String, String>consistentMapBuilder()
            .withName(name)
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().register(String.class).build(name)))
            .buildAsyncMap();
  }

  /** The application has given a setting this value. */
  public void made(String setting, String value) {
    values.put(setting, value).whenComplete(OwnSettings::logFailure);
  }

  /** The setting is no longer the application's. */
  public void left(String setting) {
    values.remove(setting).whenComplete(OwnSettings::logFailure);
  }

  /** All settings that are still the application's; empty if the store does not respond in time. */
  public Map<String, String> all() {
    try {
      return values
          .entrySet()
          .thenApply(
              entries -> {
                Map<String, String> all = new HashMap<>();
                entries.forEach(entry -> all.put(entry.getKey(), entry.getValue().value()));
                return all;
              })
          .orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      LOG.warn(
          "{} cannot be read, the settings that the application made in ONOS stay: {}",
          name,
          e.getCause());
      return Map.of();
    }
  }

  private static void logFailure(Object done, Throwable error) {
    if (error != null) {
      LOG.warn("cannot record in the cluster's store what the application has set in ONOS", error);
    }
  }
}
