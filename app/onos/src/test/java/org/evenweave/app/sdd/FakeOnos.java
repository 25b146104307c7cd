package org.evenweave.app.sdd;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipEvent;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistryAdapter;
import org.onosproject.store.primitives.DefaultConsistentMap;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.AsyncConsistentMapAdapter;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.MapEvent;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.StorageServiceAdapter;
import org.onosproject.store.service.Versioned;

/** A cluster of two instances of ONOS that says what it is told. */
final class FakeOnos {
  static final NodeId HERE = NodeId.nodeId("here");
  static final NodeId THERE = NodeId.nodeId("there");

  private FakeOnos() {}

  static SddManager manager(Leaderships leaderships, Configs configs) {
    return manager(leaderships, configs, new Storage());
  }

  static SddManager manager(Leaderships leaderships, Configs configs, StorageService storage) {
    return new SddManager(new Core(), new Cluster(), leaderships, configs, storage);
  }

  private static final class Core extends CoreServiceAdapter {
    @Override
    public ApplicationId registerApplication(String name) {
      return new DefaultApplicationId(7, name);
    }
  }

  private static final class Cluster extends ClusterServiceAdapter {
    private final ControllerNode local = new DefaultControllerNode(HERE, "10.99.0.1");

    @Override
    public ControllerNode getLocalNode() {
      return local;
    }

    @Override
    public Set<ControllerNode> getNodes() {
      return Set.of(local, new DefaultControllerNode(THERE, "10.99.0.2"));
    }
  }

  static final class Leaderships extends LeadershipServiceAdapter {
    private LeadershipEventListener listener;
    volatile NodeId leader = HERE;
    volatile boolean fails;

    /** In the order in which they lead. */
    volatile List<NodeId> candidates = List.of(HERE);

    /** Runs when this instance registers as a candidate. */
    Runnable registration = () -> {};

    @Override
    public void addListener(LeadershipEventListener added) {
      listener = added;
    }

    @Override
    public NodeId getLeader(String topic) {
      if (fails) {
        throw new StorageException.Timeout();
      }
      return leader;
    }

    @Override
    public List<NodeId> getCandidates(String topic) {
      return candidates;
    }

    @Override
    public Leadership runForLeadership(String topic) {
      registration.run();
      return null;
    }

    void elect(NodeId node, NodeId... others) {
      candidates = Stream.concat(Stream.of(node), Stream.of(others)).collect(Collectors.toList());
      elect(node);
    }

    void elect(NodeId node) {
      leader = node;
      listener.event(
          new LeadershipEvent(
              LeadershipEvent.Type.LEADER_CHANGED, new Leadership("topic", null, List.of())));
    }
  }

  static final class Configs extends NetworkConfigRegistryAdapter {
    private NetworkConfigListener listener;
    private volatile String stored;

    @Override
    public void addListener(NetworkConfigListener added) {
      listener = added;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <S, C extends Config<S>> C getConfig(S subject, Class<C> configClass) {
      return stored == null ? null : (C) SddNetworkConfigTest.config(stored);
    }

    void apply(String json) {
      stored = json;
      NetworkConfigEvent event =
          new NetworkConfigEvent(
              NetworkConfigEvent.Type.CONFIG_UPDATED, "any", SddNetworkConfig.class);
      assertTrue(listener.isRelevant(event));
      listener.event(event);
    }
  }

  /** A store with one map, which all instances share. */
  static final class Storage extends StorageServiceAdapter {
    private final Map<Object, Object> entries = new HashMap<>();
    private final List<MapEventListener<?, ?>> listeners = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    volatile boolean fails;

    /** Whether it does not answer until {@link #answerLate}. */
    volatile boolean hangs;

    /** Does what it has been asked for meanwhile. */
    void answerLate() {
      hangs = false;
      waiting.forEach(Runnable::run);
      waiting.clear();
    }

    @Override
    public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
      return new ConsistentMapBuilder<>() {
        @Override
        public ConsistentMap<K, V> build() {
          return new DefaultConsistentMap<>(buildAsyncMap(), 1);
        }

        @Override
        public AsyncConsistentMap<K, V> buildAsyncMap() {
          return new SharedMap<>();
        }
      };
    }

    @SuppressWarnings("unchecked") // Only one map is ever made.
    private final class SharedMap<K, V> extends AsyncConsistentMapAdapter<K, V> {
      private CompletableFuture<Versioned<V>> changed(K key, V value) {
        if (fails) {
          return CompletableFuture.failedFuture(new StorageException.Unavailable());
        }
        if (hangs) {
          CompletableFuture<Versioned<V>> late = new CompletableFuture<>();
          waiting.add(() -> late.complete(changed(key, value).join()));
          return late;
        }
        V old = (V) (value == null ? entries.remove(key) : entries.put(key, value));
        MapEvent<K, V> event = new MapEvent<>("any", key, versioned(value), versioned(old));
        List.copyOf(listeners)
            .forEach(listener -> ((MapEventListener<K, V>) listener).event(event));
        return CompletableFuture.completedFuture(versioned(value));
      }

      private Versioned<V> versioned(V value) {
        return value == null ? null : new Versioned<>(value, 1);
      }

      @Override
      public CompletableFuture<Versioned<V>> get(K key) {
        return CompletableFuture.completedFuture(versioned((V) entries.get(key)));
      }

      @Override
      public CompletableFuture<Versioned<V>> computeIf(
          K key,
          Predicate<? super V> condition,
          BiFunction<? super K, ? super V, ? extends V> change) {
        V old = (V) entries.get(key);
        return condition.test(old) ? changed(key, change.apply(key, old)) : get(key);
      }

      @Override
      public CompletableFuture<Versioned<V>> remove(K key) {
        return changed(key, null);
      }

      @Override
      public CompletableFuture<Void> addListener(
          MapEventListener<K, V> listener, Executor executor) {
        listeners.add(listener);
        return CompletableFuture.completedFuture(null);
      }

      @Override
      public CompletableFuture<Void> removeListener(MapEventListener<K, V> listener) {
        listeners.remove(listener);
        return CompletableFuture.completedFuture(null);
      }
    }
  }
}
