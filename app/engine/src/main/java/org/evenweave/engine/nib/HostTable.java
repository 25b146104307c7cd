package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The hosts that are known, how many of them are where, and for how long each has been silent. Time
 * is counted in ticks that the owner gives, so that a pause of the whole process ages no host.
 */
public final class HostTable {
  /** A hypervisor's guests fit; a host that claims a whole prefix does not. */
  public static final int MAX_PER_PORT = 1024;

  /** Each takes two flow entries. */
  public static final int MAX_PER_SWITCH = 16_384;

  private static final TreeMap<Integer, Host> NO_HOSTS = new TreeMap<>();

  private final TreeMap<Integer, Host> byAddress = new TreeMap<>(Integer::compareUnsigned);

  /** By rising address too. */
  private final Map<String, TreeMap<Integer, Host>> bySwitch = new HashMap<>();

  private final Map<SwitchPort, Integer> countOfPort = new HashMap<>();

  /** The tick at which each was seen last, the longest silent first. */
  private final LinkedHashMap<Integer, Long> seenAtTick = new LinkedHashMap<>();

  private long tick;

  private Hosts list = Hosts.NONE;

  /** The switches whose hosts are others than in {@link #list}. */
  private final Set<String> changed = new HashSet<>();

  /** All of them; the same object until something changes. */
  Hosts list() {
    if (!changed.isEmpty()) {
      Map<String, List<Host>> others = new HashMap<>();
      changed.forEach(id -> others.put(id, new ArrayList<>(at(id).values())));
      list = list.with(others);
      changed.clear();
    }
    return list;
  }

  private Map<Integer, Host> at(String switchId) {
    return bySwitch.getOrDefault(switchId, NO_HOSTS);
  }

  Host at(int address) {
    return byAddress.get(address);
  }

  /** Whether one more host may be known there. */
  public boolean hasRoomAt(SwitchPort port) {
    return at(port.switchId()).size() < MAX_PER_SWITCH
        && countOfPort.getOrDefault(port, 0) < MAX_PER_PORT;
  }

  /**
   * Takes a host in, in place of the one with its address.
   *
   * @return whether something changed; not if there is no room
   */
  boolean put(Host host) {
    Host before = byAddress.get(host.address());
    if (!host.equals(before)) {
      if (before != null) {
        take(before);
      }
      if (!hasRoomAt(host.location())) {
        if (before != null) {
          add(before);
        }
        return false;
      }
      add(host);
    }
    seen(host.address());
    return !host.equals(before);
  }

  /** A host that is known has shown that it is there. */
  void seen(int address) {
    seenAtTick.remove(address);
    seenAtTick.put(address, tick);
  }

  /** Returns whether any was removed. */
  boolean removeIf(Predicate<Host> condition) {
    List<Host> gone = new ArrayList<>();
    byAddress.values().stream().filter(condition).forEach(gone::add);
    gone.forEach(this::take);
    return !gone.isEmpty();
  }

  /** Returns whether any was removed. */
  boolean removeAt(SwitchPort port) {
    return countOfPort.containsKey(port) && removeIf(host -> host.location().equals(port));
  }

  /** Returns whether it was there. */
  boolean remove(Host host) {
    boolean known = host.equals(byAddress.get(host.address()));
    if (known) {
      take(host);
    }
    return known;
  }

  /** Time goes by. */
  public void tick() {
    tick++;
  }

  /**
   * Some of the hosts that were not seen for so many ticks, the longest silent first. They count as
   * seen from now on: the caller sends them ARP requests.
   */
  public List<Host> silentFor(long ticks, int most) {
    List<Host> silent = new ArrayList<>();
    for (Map.Entry<Integer, Long> entry : seenAtTick.entrySet()) {
      if (silent.size() == most || tick - entry.getValue() < ticks) {
        break;
      }
      silent.add(byAddress.get(entry.getKey()));
    }
    silent.forEach(host -> seen(host.address()));
    return silent;
  }

  private void add(Host host) {
    changed.add(host.switchId());
    byAddress.put(host.address(), host);
    bySwitch
        .computeIfAbsent(host.switchId(), id -> new TreeMap<>(Integer::compareUnsigned))
        .put(host.address(), host);
    seenAtTick.put(host.address(), tick);
    countOfPort.merge(host.location(), 1, Integer::sum);
  }

  private void take(Host host) {
    changed.add(host.switchId());
    byAddress.remove(host.address());
    bySwitch.get(host.switchId()).remove(host.address());
    seenAtTick.remove(host.address());
    countOfPort.computeIfPresent(host.location(), (port, count) -> count == 1 ? null : count - 1);
  }
}
