package org.evenweave.app.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.port.EngineMemory;
import org.onlab.util.KryoNamespace;
import org.onosproject.store.service.AsyncAtomicCounter;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State that a leader's engine leaves to the next leader's, in ONOS's distributed primitives.
 *
 * <p>Numbers are not stored one by one: each engine allocates a block of them, and the next block
 * when half of it is used. So they skip up to a block from leader to leader. Allocated group ids
 * need not be stored: they are in the switches, and in ONOS's distributed group store.
 */
public final class ClusterMemory implements EngineMemory {
  static final long BLOCK = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMemory.class);
  private static final int HEX = 16;

  private final AsyncAtomicCounter blocks;
  private final AsyncConsistentMap<Integer, String[]> map;
  private final long lastNumber;
  private final Map<Integer, Host> kept = new HashMap<>();
  private final Collection<Host> hostsBefore;
  private long allocateAt;

  /**
   * Reads the state of the engine before; blocks.
   *
   * @throws StorageException if the cluster's store does not respond
   */
  public ClusterMemory(StorageService storage) {
    blocks = storage.getAsyncAtomicCounter("evenweave-numbers");
    map = hosts(storage).buildAsyncMap();
    ConsistentMap<Integer, String[]> hosts = map.asConsistentMap();
    lastNumber = (blocks.asAtomicCounter().incrementAndGet() - 1) * BLOCK;
    allocateAt = lastNumber + BLOCK / 2;
    for (Map.Entry<Integer, Versioned<String[]>> entry : hosts.entrySet()) {
      kept.put(entry.getKey(), host(entry.getKey(), entry.getValue().value()));
    }
    hostsBefore = new ArrayList<>(kept.values());
  }

  /** Deletes all hosts, when the application is uninstalled. */
  public static void forgetHosts(StorageService storage) {
    hosts(storage).buildAsyncMap().clear().whenComplete(ClusterMemory::logFailure);
  }

  private static ConsistentMapBuilder<Integer, String[]> hosts(StorageService storage) {
    return storage
        .<Integer, String[]>consistentMapBuilder()
        .withName("evenweave-hosts")
        .withSerializer(
            Serializer.using(
                KryoNamespace.newBuilder().register(String[].class).build("evenweave-hosts")));
  }

  @Override
  public long lastNumber() {
    return lastNumber;
  }

  @Override
  public void reached(long number) {
    while (number >= allocateAt) {
      allocateAt += BLOCK;
      blocks.incrementAndGet().whenComplete(ClusterMemory::logFailure);
    }
  }

  @Override
  public Collection<Host> hosts() {
    return hostsBefore;
  }

  @Override
  public void keep(List<Host> hosts) {
    Map<Integer, Host> wanted = new HashMap<>();
    hosts.forEach(host -> wanted.put(host.address(), host));
    for (Host host : hosts) {
      if (!host.equals(kept.get(host.address()))) {
        map.put(host.address(), text(host)).whenComplete(ClusterMemory::logFailure);
      }
    }
    for (int address : kept.keySet()) {
      if (!wanted.containsKey(address)) {
        map.remove(address).whenComplete(ClusterMemory::logFailure);
      }
    }
    kept.clear();
    kept.putAll(wanted);
  }

  /** The engine continues: at worst the next leader has to learn a host again. */
  private static void logFailure(Object done, Throwable error) {
    if (error != null) {
      LOG.warn("cannot write hosts or numbers for the next leader to the cluster's store", error);
    }
  }

  private static String[] text(Host host) {
    return new String[] {
      Long.toString(host.mac(), HEX), host.switchId(), Integer.toString(host.port())
    };
  }

  private static Host host(int address, String[] text) {
    return new Host(address, Long.parseLong(text[0], HEX), text[1], Integer.parseInt(text[2]));
  }
}
