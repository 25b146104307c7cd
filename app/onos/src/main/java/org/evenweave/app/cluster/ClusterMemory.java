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
 * What the leader's engine leaves to the next leader's, in ONOS's distributed primitives.
 *
 * <p>Numbers are not written down one by one: each engine takes a block of them, and another one
 * when half of it is used up. So they rise by up to a block from leader to leader. Allocated group
 * ids need no place here: they are in the switches, and with ONOS's group store in such a map.
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
  private long askAt;

  /**
   * Reads what the engine before has left, and waits for it.
   *
   * @throws StorageException if the cluster's store does not answer
   */
  public ClusterMemory(StorageService storage) {
    blocks = storage.getAsyncAtomicCounter("evenweave-numbers");
    map = hosts(storage).buildAsyncMap();
    ConsistentMap<Integer, String[]> hosts = map.asConsistentMap();
    lastNumber = (blocks.asAtomicCounter().incrementAndGet() - 1) * BLOCK;
    askAt = lastNumber + BLOCK / 2;
    for (Map.Entry<Integer, Versioned<String[]>> entry : hosts.entrySet()) {
      kept.put(entry.getKey(), host(entry.getKey(), entry.getValue().value()));
    }
    hostsBefore = new ArrayList<>(kept.values());
  }

  /** Leaves no host to the next engine; for an application that goes. */
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
    while (number >= askAt) {
      askAt += BLOCK;
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

  /**
   * The engine goes on without: the worst that can come of it is that a host has to speak first.
   */
  private static void logFailure(Object done, Throwable error) {
    if (error != null) {
      LOG.warn("the cluster's store did not take what the next leader should know", error);
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
