package org.evenweave.engine.nib;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Which port's probes arrive at which port. Ports are written {@code switch/port}. */
final class Probes {
  private final TreeMap<String, String> toOf = new TreeMap<>();
  private final TreeMap<String, Set<String>> fromsOf = new TreeMap<>();

  /** Returns whether this was not known. */
  boolean seen(String from, String to) {
    String before = toOf.put(from, to);
    if (to.equals(before)) {
      return false;
    }
    if (before != null) {
      removeFrom(before, from);
    }
    fromsOf.computeIfAbsent(to, end -> new HashSet<>()).add(from);
    return true;
  }

  /** Returns whether this was known. */
  boolean lost(String from, String to) {
    boolean known = toOf.remove(from, to);
    if (known) {
      removeFrom(to, from);
    }
    return known;
  }

  /** Probes from a port and to it are not known any more. */
  void forget(String end) {
    String to = toOf.get(end);
    if (to != null) {
      lost(end, to);
    }
    for (String from : List.copyOf(fromsOf.getOrDefault(end, Set.of()))) {
      lost(from, end);
    }
  }

  /** The ports of a switch that probes leave by or arrive at. */
  Set<String> endsOf(String switchId) {
    // '0' comes right after '/', so these are exactly the keys that begin with the id and '/'.
    Set<String> ends = new HashSet<>(toOf.subMap(switchId + "/", switchId + "0").keySet());
    ends.addAll(fromsOf.subMap(switchId + "/", switchId + "0").keySet());
    return ends;
  }

  /** Whether a probe leaves this port and arrives somewhere, or arrives at it. */
  boolean passes(String end) {
    return toOf.containsKey(end) || fromsOf.containsKey(end);
  }

  /** The port that is joined with this one by probes in both directions, or null. */
  String peerOf(String end) {
    String to = toOf.get(end);
    return to != null && end.equals(toOf.get(to)) ? to : null;
  }

  /** All ports that probes leave by, in order. */
  Set<String> ends() {
    return toOf.keySet();
  }

  private void removeFrom(String to, String from) {
    Set<String> froms = fromsOf.get(to);
    froms.remove(from);
    if (froms.isEmpty()) {
      fromsOf.remove(to);
    }
  }
}
