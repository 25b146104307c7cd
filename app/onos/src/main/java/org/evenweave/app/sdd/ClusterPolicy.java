package org.evenweave.app.sdd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import java.util.function.Consumer;
import org.evenweave.sdd.handover.PolicyState;
import org.onlab.util.KryoNamespace;
import org.onosproject.store.LogicalTimestamp;
import org.onosproject.store.service.EventuallyConsistentMap;
import org.onosproject.store.service.EventuallyConsistentMapEvent;
import org.onosproject.store.service.EventuallyConsistentMapListener;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators changed at the SDD controller, on all instances: in memory, told from one to the
 * other, so that it takes no quorum, and ends when all have ended. The newest by its own version
 * stays, whatever instances' clocks say. Safe for many threads.
 */
final class ClusterPolicy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPolicy.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEY = "policy";

  private final EventuallyConsistentMap<String, String> map;
  private final EventuallyConsistentMapListener<String, String> mapListener;

  /**
   * @param listener is told what another instance changed, and this one's own changes
   */
  ClusterPolicy(StorageService storage, Consumer<PolicyState> listener) {
    map =
        storage
            .<String, String>eventuallyConsistentMapBuilder()
            .withName("evenweave-sdd-policy")
            .withSerializer(KryoNamespace.newBuilder().build("evenweave-sdd-policy"))
            .withTimestampProvider((key, text) -> new LogicalTimestamp(timestamp(text)))
            .build();
    mapListener =
        event -> {
          if (event.type() == EventuallyConsistentMapEvent.Type.PUT) {
            read(event.value()).ifPresent(listener);
          }
        };
    map.addListener(mapListener);
  }

  /** What is removed makes way for what is put later. */
  private long timestamp(String text) {
    return text == null
        ? newest().map(PolicyState::version).orElse(0L) + 1
        : read(text).map(PolicyState::version).orElse(0L);
  }

  private static Optional<PolicyState> read(String text) {
    try {
      return Optional.of(PolicyState.of(JSON.readTree(text)));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      LOG.warn("what another instance says of SDD's policy cannot be read: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** What was put last, if anything was. */
  Optional<PolicyState> newest() {
    String text = map.get(KEY);
    return text == null ? Optional.empty() : read(text);
  }

  void put(PolicyState state) {
    map.put(KEY, state.json().toString());
  }

  /** There is no SDD controller any more, so nothing was changed at it. */
  void forget() {
    map.remove(KEY);
  }

  @Override
  public void close() {
    map.removeListener(mapListener);
    map.destroy();
  }
}
