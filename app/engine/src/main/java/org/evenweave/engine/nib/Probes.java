package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashSet;
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

  /** Immutable lists, since nearly all are of one port. */
  private final TreeMap<SwitchPort, List<SwitchPort>> tosOf = new TreeMap<>();

  private final TreeMap<SwitchPort, List<SwitchPort>> fromsOf = new TreeMap<>();

  /** Returns whether this was not known. */
  boolean seen(SwitchPort from, SwitchPort to) {
    List<SwitchPort> tos = arrivalsOf(from);
    if (tos.size() >= MAX_ARRIVALS || tos.contains(to)) {
      return false;
    }
    add(tosOf, from, to);
    add(fromsOf, to, from);
    return true;
  }

  private static void add(
      TreeMap<SwitchPort, List<SwitchPort>> map, SwitchPort end, SwitchPort other) {
    List<SwitchPort> others = new ArrayList<>(map.getOrDefault(end, List.of()));
    others.add(other);
    map.put(end, List.copyOf(others));
  }

  /** Returns whether this was known. */
  boolean lost(SwitchPort from, SwitchPort to) {
    boolean known = arrives(from, to);
    if (known) {
      remove(tosOf, from, to);
      remove(fromsOf, to, from);
    }
    return known;
  }

  private static void remove(
      TreeMap<SwitchPort, List<SwitchPort>> map, SwitchPort end, SwitchPort other) {
    List<SwitchPort> others = new ArrayList<>(map.get(end));
    others.remove(other);
    if (others.isEmpty()) {
      map.remove(end);
    } else {
      map.put(end, List.copyOf(others));
    }
  }

  /** Probes from a port and to it are not known any more. */
  void forget(SwitchPort end) {
    arrivalsOf(end).forEach(to -> lost(end, to));
    fromsOf.getOrDefault(end, List.of()).forEach(from -> lost(from, end));
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
    return arrivalsOf(from).contains(to);
  }

  /** Where a port's probes arrive, the port that was found first at first; immutable. */
  List<SwitchPort> arrivalsOf(SwitchPort end) {
    return tosOf.getOrDefault(end, List.of());
  }

  /** All ports that probes leave by, in order. */
  Set<SwitchPort> ends() {
    return tosOf.keySet();
  }
}
