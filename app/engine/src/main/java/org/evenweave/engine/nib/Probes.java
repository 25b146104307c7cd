package org.evenweave.engine.nib;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which port's probes arrive at which ports. Ports are written {@code switch/port}.
 *
 * <p>A probe that is relayed arrives at a second port as well, so a port may have several: a later
 * one never replaces an earlier one.
 */
final class Probes {
  /** Ports at which one port's probes are known to arrive; more are a flood and not a link. */
  private static final int MAX_ARRIVALS = 16;

  private final TreeMap<String, Set<String>> tosOf = new TreeMap<>();
  private final TreeMap<String, Set<String>> fromsOf = new TreeMap<>();

  /** Returns whether this was not known. */
  boolean seen(String from, String to) {
    Set<String> tos = tosOf.computeIfAbsent(from, end -> new LinkedHashSet<>());
    if (tos.size() >= MAX_ARRIVALS || !tos.add(to)) {
      return false;
    }
    fromsOf.computeIfAbsent(to, end -> new HashSet<>()).add(from);
    return true;
  }

  /** Returns whether this was known. */
  boolean lost(String from, String to) {
    boolean known = arrives(from, to);
    if (known) {
      tosOf.get(from).remove(to);
      removeIfEmpty(tosOf, from);
      fromsOf.get(to).remove(from);
      removeIfEmpty(fromsOf, to);
    }
    return known;
  }

  private static void removeIfEmpty(TreeMap<String, Set<String>> map, String end) {
    if (map.get(end).isEmpty()) {
      map.remove(end);
    }
  }

  /** Probes from a port and to it are not known any more. */
  void forget(String end) {
    List.copyOf(tosOf.getOrDefault(end, Set.of())).forEach(to -> lost(end, to));
    List.copyOf(fromsOf.getOrDefault(end, Set.of())).forEach(from -> lost(from, end));
  }

  /** The ports of a switch that probes leave by or arrive at. */
  Set<String> endsOf(String switchId) {
    // '0' comes right after '/', so these are exactly the keys that begin with the id and '/'.
    Set<String> ends = new HashSet<>(tosOf.subMap(switchId + "/", switchId + "0").keySet());
    ends.addAll(fromsOf.subMap(switchId + "/", switchId + "0").keySet());
    return ends;
  }

  /** Whether a probe leaves this port and arrives somewhere, or arrives at it. */
  boolean passes(String end) {
    return tosOf.containsKey(end) || fromsOf.containsKey(end);
  }

  /** Whether probes pass between two ports in both directions. */
  boolean join(String end, String peer) {
    return arrives(end, peer) && arrives(peer, end);
  }

  private boolean arrives(String from, String to) {
    return tosOf.getOrDefault(from, Set.of()).contains(to);
  }

  /** Where a port's probes arrive, the port that was found first at first. */
  Set<String> arrivalsOf(String end) {
    return tosOf.getOrDefault(end, Set.of());
  }

  /** All ports that probes leave by, in order. */
  Set<String> ends() {
    return tosOf.keySet();
  }
}
