package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The hosts of a snapshot. Immutable; versions share the lists of the switches whose hosts did not
 * change, and one object stands for all versions between which none did.
 */
final class Hosts {
  static final Hosts NONE = new Hosts(Map.of());

  private final Map<String, List<Host>> bySwitch;

  /** Made when somebody asks for it; threads may race to it. */
  private List<Host> all;

  private Hosts(Map<String, List<Host>> bySwitch) {
    this.bySwitch = bySwitch;
  }

  static Hosts of(List<Host> hosts) {
    Map<String, List<Host>> bySwitch = new HashMap<>();
    for (Host host : sorted(hosts)) {
      bySwitch.computeIfAbsent(host.switchId(), id -> new ArrayList<>()).add(host);
    }
    return NONE.with(bySwitch);
  }

  /**
   * The same with other hosts under some switches.
   *
   * @param others by switch id, by rising address
   */
  Hosts with(Map<String, List<Host>> others) {
    Map<String, List<Host>> next = new HashMap<>(bySwitch);
    others.forEach((id, list) -> next.put(id, Collections.unmodifiableList(list)));
    return new Hosts(next);
  }

  /** By rising address; the same list at every call. */
  List<Host> all() {
    List<Host> made = all;
    if (made == null) {
      List<Host> hosts = new ArrayList<>();
      bySwitch.values().forEach(hosts::addAll);
      made = Collections.unmodifiableList(sorted(hosts));
      all = made;
    }
    return made;
  }

  private static List<Host> sorted(List<Host> hosts) {
    List<Host> sorted = new ArrayList<>(hosts);
    sorted.sort(Comparator.comparing(Host::address, Integer::compareUnsigned));
    return sorted;
  }

  /** By rising address. */
  List<Host> at(String switchId) {
    return bySwitch.getOrDefault(switchId, List.of());
  }

  /** The switches that have, or had, other hosts in another version. */
  Set<String> switchesChangedSince(Hosts before) {
    Set<String> changed = new HashSet<>();
    if (before != this) {
      bySwitch.forEach((id, list) -> addIfOther(id, list, before.at(id), changed));
      before.bySwitch.forEach((id, list) -> addIfOther(id, at(id), list, changed));
    }
    return changed;
  }

  private static void addIfOther(
      String switchId, List<Host> now, List<Host> then, Set<String> changed) {
    if (now != then && !now.equals(then)) {
      changed.add(switchId);
    }
  }
}
