package org.evenweave.engine.nib;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The ports at which each port's probes arrive.
 *
 * <p>A probe that is relayed arrives at a second port as well, so a port may have several: a later
 * one never replaces an earlier one.
 */
final class Probes {
  /** Ports at which one port's probes are known to arrive; more are a flood and not a link. */
  private static final int MAX_ARRIVALS = 16;

  private final TreeMap<SwitchPort, Set<SwitchPort>> tosOf = new TreeMap<>();
  private final TreeMap<SwitchPort, Set<SwitchPort>> fromsOf = new TreeMap<>();

  /** Returns whether this was not known. */
  boolean seen(SwitchPort from, SwitchPort to) {
    Set<SwitchPort> tos = tosOf.computeIfAbsent(from, end -> new LinkedHashSet<>());
    if (tos.size() >= MAX_ARRIVALS || !tos.add(to)) {
      return false;
    }
    fromsOf.computeIfAbsent(to, end -> new HashSet<>()).add(from);
    return true;
  }

  /** Returns whether this was known. */
  boolean lost(SwitchPort from, SwitchPort to) {
    boolean known = arrives(from, to);
    if (known) {
      tosOf.get(from).remove(to);
      removeIfEmpty(tosOf, from);
      fromsOf.get(to).remove(from);
      removeIfEmpty(fromsOf, to);
    }
    return known;
  }

  private static void removeIfEmpty(TreeMap<SwitchPort, Set<SwitchPort>> map, SwitchPort end) {
    if (map.get(end).isEmpty()) {
      map.remove(end);
    }
  }

  /** Probes from a port and to it are not known any more. */
  void forget(SwitchPort end) {
    List.copyOf(tosOf.getOrDefault(end, Set.of())).forEach(to -> lost(end, to));
    List.copyOf(fromsOf.getOrDefault(end, Set.of())).forEach(from -> lost(from, end));
  }

  /** The ports of a switch that probes leave by or arrive at. */
  Set<SwitchPort> endsOf(String switchId) {
    SwitchPort first = new SwitchPort(switchId, Integer.MIN_VALUE);
    SwitchPort last = new SwitchPort(switchId, Integer.MAX_VALUE);
    Set<SwitchPort> ends = new HashSet<>(tosOf.subMap(first, true, last, true).keySet());
    ends.addAll(fromsOf.subMap(first, true, last, true).keySet());
    return ends;
  }

  /** Whether a probe leaves this port and arrives somewhere, or arrives at it. */
  boolean passes(SwitchPort end) {
    return tosOf.containsKey(end) || fromsOf.containsKey(end);
  }

  /** Whether probes pass between two ports in both directions. */
  boolean join(SwitchPort end, SwitchPort peer) {
    return arrives(end, peer) && arrives(peer, end);
  }

  private boolean arrives(SwitchPort from, SwitchPort to) {
    return tosOf.getOrDefault(from, Set.of()).contains(to);
  }

  /** Where a port's probes arrive, the port that was found first at first. */
  Set<SwitchPort> arrivalsOf(SwitchPort end) {
    return tosOf.getOrDefault(end, Set.of());
  }

  /** All ports that probes leave by, in order. */
  Set<SwitchPort> ends() {
    return tosOf.keySet();
  }
}
