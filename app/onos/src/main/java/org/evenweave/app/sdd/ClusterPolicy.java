package org.evenweave.app.sdd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.evenweave.sdd.handover.PolicyState;
import org.onlab.util.KryoNamespace;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps operators' changes of the SDD controller in ONOS's distributed store. A change is confirmed
 * to the operator once it is stored, so it survives the instance, and all instances receive it. The
 * highest version wins, whichever was written last. Safe for many threads.
 */
final class ClusterPolicy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPolicy.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEY = "policy";

  /** As long as an operator waits for the store. */
  private static final long PATIENCE_SECONDS = 1;

  private final AsyncConsistentMap<String, String> map;
  private final MapEventListener<String, String> mapListener = event -> changed(event.newValue());
  private final Consumer<PolicyState> listener;

  /** Null if nothing is known to have been changed. */
  private volatile PolicyState newest;

  /**
   * @param listener is told what is in the store now, and what instances change; must not block
   */
  ClusterPolicy(StorageService storage, Consumer<PolicyState> listener) {
    this.listener = listener;
    map =
        storage
            .<String, String>consistentMapBuilder()
            .withName("evenweave-sdd-policy")
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().build("evenweave-sdd-policy")))
            .buildAsyncMap();
    map.addListener(mapListener);
    map.get(KEY)
        .whenComplete(
            (value, error) -> {
              if (error != null) {
                LOG.warn("cannot read SDD's policy from the cluster's store", error);
              } else {
                changed(value);
              }
            });
  }

  private void changed(Versioned<String> value) {
    newest = value == null || value.value() == null ? null : read(value.value()).orElse(null);
    if (newest != null) {
      listener.accept(newest);
    }
  }

  private static Optional<PolicyState> read(String text) {
    try {
      return Optional.of(PolicyState.of(JSON.readTree(text)));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      LOG.warn("SDD's policy in the cluster's store cannot be read: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** What was put last, as far as this instance knows. */
  Optional<PolicyState> newest() {
    return Optional.ofNullable(newest);
  }

  /**
   * Waits until it is in the store, for a second at most. It may be there later, too.
   *
   * @return why it is not certain to be there
   */
  Optional<String> put(PolicyState state) {
    String text = state.json().toString();
    try {
      map.computeIf(
              KEY,
              old -> old == null || read(old).map(state::isNewerThan).orElse(true),
              (key, old) -> text)
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of("the cluster's store has failed and may not have it: " + e.getCause());
    } catch (TimeoutException e) {
      return Optional.of("the cluster's store has not confirmed it within a second");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("this instance is stopping, and the cluster's store may not have it");
    }
  }

  /**
   * Ends what was put for another configuration, so that it does not come back should that
   * configuration return.
   */
  void deleteUnlessOf(String base) {
    map.computeIf(KEY, old -> old != null && !isOf(base, old), (key, old) -> null)
        .whenComplete(
            (done, error) -> {
              if (error != null) {
                LOG.warn("cannot delete the policy for SDD's previous configuration", error);
              }
            });
  }

  private static boolean isOf(String base, String text) {
    return read(text).map(state -> state.base().equals(base)).orElse(false);
  }

  /** There is no SDD controller any more, so nothing was changed at it. */
  void forget() {
    map.remove(KEY)
        .whenComplete(
            (done, error) -> {
              if (error != null) {
                LOG.warn("cannot delete SDD's policy from the cluster's store", error);
              }
            });
  }

  @Override
  public void close() {
    map.removeListener(mapListener);
  }
}
