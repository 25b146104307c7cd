package org.evenweave.engine.hosts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.EngineMemory;

/**
 * Keeps hosts beyond the time that their port is up, their switch connected or this engine at work:
 * hosts with a full ARP cache may send no ARP for hours. A host that has moved meanwhile is learned
 * from its packets at its new place. Owned by the engine's loop.
 */
public final class HostMemory {
  private final EngineMemory memory;
  private final Map<Integer, Host> byAddress = new HashMap<>();
  private final Map<String, Map<Integer, Host>> bySwitch = new HashMap<>();

  /** Null before the first. */
  private Snapshot followed;

  public HostMemory(EngineMemory memory) {
    this.memory = memory;
    memory.hosts().forEach(this::put);
  }

  /** Restores the hosts of a switch or port that is up again, those that the NIB accepts. */
  public void recall(String switchId, Nib nib) {
    for (Host host : List.copyOf(bySwitch.getOrDefault(switchId, Map.of()).values())) {
      if (nib.hostAt(host.address()) == null) {
        nib.hostKnown(host);
      }
    }
  }

  /**
   * Takes over the hosts of a snapshot. One that is missing there is forgotten only if its port is
   * up: then something else has shown that it is not there.
   */
  public void follow(Snapshot snapshot, Nib nib) {
    Set<String> switchIds = new HashSet<>();
    if (followed == null) {
      switchIds.addAll(bySwitch.keySet());
      snapshot.hosts().forEach(host -> switchIds.add(host.switchId()));
    } else {
      switchIds.addAll(snapshot.switchesWithOtherHosts(followed));
    }
    boolean changed = false;
    for (String switchId : switchIds) {
      changed |= follow(switchId, snapshot, nib);
    }
    followed = snapshot;
    if (changed) {
      memory.keep(new ArrayList<>(byAddress.values()));
    }
  }

  private boolean follow(String switchId, Snapshot snapshot, Nib nib) {
    boolean changed = false;
    for (Host host : snapshot.hostsAt(switchId)) {
      if (!host.equals(byAddress.get(host.address()))) {
        put(host);
        changed = true;
      }
    }
    for (Host host : List.copyOf(bySwitch.getOrDefault(switchId, Map.of()).values())) {
      boolean isRefuted =
          nib.hostAt(host.address()) == null
              && snapshot.isPresent(host.switchId())
              && nib.isUp(host.switchId(), host.port());
      if (isRefuted) {
        remove(host);
        changed = true;
      }
    }
    return changed;
  }

  private void put(Host host) {
    Host before = byAddress.get(host.address());
    if (before != null) {
      remove(before);
    }
    byAddress.put(host.address(), host);
    bySwitch.computeIfAbsent(host.switchId(), id -> new HashMap<>()).put(host.address(), host);
  }

  private void remove(Host host) {
    byAddress.remove(host.address());
    bySwitch.get(host.switchId()).remove(host.address());
  }
}
