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
 * The known hosts, their number per port, and how long each has been silent. The owner counts time
 * in ticks, so that a pause of the whole process does not age hosts.
 */
public final class HostTable {
  /** A hypervisor's guests fit; a host that claims a whole prefix does not. */
  public static final int MAX_PER_PORT = 1024;

  /** Each takes four flow entries. */
  public static final int MAX_PER_SWITCH = 16_384;

  private static final TreeMap<Integer, Host> NO_HOSTS = new TreeMap<>();

  private final TreeMap<Integer, Host> byAddress = new TreeMap<>(Integer::compareUnsigned);

  /** By rising address too. */
  private final Map<String, TreeMap<Integer, Host>> bySwitch = new HashMap<>();

  private final Map<SwitchPort, Integer> countOfPort = new HashMap<>();

  private final Map<Long, Set<Integer>> addressesOfMac = new HashMap<>();

  /** When each was seen, or given to be asked, last; the longest ago first. */
  private final LinkedHashMap<Integer, Ticks> ticks = new LinkedHashMap<>();

  /** When one host was heard of. */
  private static final class Ticks {
    /** A packet of its own came from where it is known to be. */
    long seen = Long.MIN_VALUE / 2;

    /** The same, or it was given out to be asked. */
    long looked;
  }

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

  /** The addresses of the hosts with this MAC address, in no order. */
  public Set<Integer> addressesOf(long mac) {
    return Set.copyOf(addressesOfMac.getOrDefault(mac, Set.of()));
  }

  /** The hosts of a port, by rising address. O(hosts of its switch). */
  public List<Host> hostsAt(SwitchPort port) {
    List<Host> hosts = new ArrayList<>();
    if (countOfPort.containsKey(port)) {
      for (Host host : at(port.switchId()).values()) {
        if (host.port() == port.number()) {
          hosts.add(host);
        }
      }
    }
    return hosts;
  }

  /** Whether a host that is known has been seen within so many ticks. */
  public boolean isSeenWithin(int address, long itsTicks) {
    return ticks.containsKey(address) && tick - ticks.get(address).seen < itsTicks;
  }

  /**
   * Adds a host, instead of the one with its address; it counts as not seen yet.
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
    return !host.equals(before);
  }

  /** A host has shown that it is there; does nothing if it is not known there. */
  void seen(Host host) {
    if (host.equals(byAddress.get(host.address()))) {
      lookedAt(host.address()).seen = tick;
    }
  }

  private Ticks lookedAt(int address) {
    Ticks found = ticks.remove(address);
    found.looked = tick;
    ticks.put(address, found);
    return found;
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
   * Some of the hosts that were not seen for so many ticks, the longest silent first. They are not
   * given out again before as many have passed: the caller sends them ARP requests. O(hosts).
   *
   * @param most in all
   * @param mostOfSwitch of one switch
   */
  public List<Host> silentFor(long itsTicks, int most, int mostOfSwitch) {
    List<Host> silent = new ArrayList<>();
    Map<String, Integer> ofSwitch = new HashMap<>();
    for (Map.Entry<Integer, Ticks> entry : ticks.entrySet()) {
      if (silent.size() == most || tick - entry.getValue().looked < itsTicks) {
        break;
      }
      Host host = byAddress.get(entry.getKey());
      if (ofSwitch.merge(host.switchId(), 1, Integer::sum) <= mostOfSwitch) {
        silent.add(host);
      }
    }
    silent.forEach(host -> lookedAt(host.address()));
    return silent;
  }

  private void add(Host host) {
    changed.add(host.switchId());
    byAddress.put(host.address(), host);
    bySwitch
        .computeIfAbsent(host.switchId(), id -> new TreeMap<>(Integer::compareUnsigned))
        .put(host.address(), host);
    ticks.put(host.address(), new Ticks());
    lookedAt(host.address());
    addressesOfMac.computeIfAbsent(host.mac(), mac -> new HashSet<>()).add(host.address());
    countOfPort.merge(host.location(), 1, Integer::sum);
  }

  private void take(Host host) {
    changed.add(host.switchId());
    byAddress.remove(host.address());
    bySwitch.get(host.switchId()).remove(host.address());
    ticks.remove(host.address());
    addressesOfMac.computeIfPresent(
        host.mac(),
        (mac, addresses) ->
            addresses.remove(host.address()) && addresses.isEmpty() ? null : addresses);
    countOfPort.computeIfPresent(host.location(), (port, count) -> count == 1 ? null : count - 1);
  }
}
