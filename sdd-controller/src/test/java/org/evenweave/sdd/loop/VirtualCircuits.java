package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;

/** What a circuit switch connects when, in virtual time. */
final class VirtualCircuits {
  private final long nightNs;
  private final long guardNs;

  /** Each source's destination, by the begin of the night before. */
  private final TreeMap<Long, int[]> configurations = new TreeMap<>();

  VirtualCircuits(long nightNs, long guardNs) {
    this.nightNs = nightNs;
    this.guardNs = guardNs;
  }

  /** As the circuit switch does: what waits and is not earlier is forgotten. */
  void configure(int[] destinationOf, long atNs) {
    configurations.tailMap(atNs, true).clear();
    configurations.put(atNs, destinationOf.clone());
  }

  /** How many nights begin then or later. */
  int countFrom(long atNs) {
    return configurations.tailMap(atNs, true).size();
  }

  /** Each source's destination behind the night that begins then. */
  int[] at(long atNs) {
    return configurations.get(atNs);
  }

  /** A source may send then: its circuit is up a guard before, until a guard after. */
  void assertUp(int source, int destination, long fromNs, long untilNs) {
    String what = source + ">" + destination + " from " + fromNs + " to " + untilNs;
    Map.Entry<Long, int[]> up = configurations.floorEntry(fromNs);
    Long over = configurations.higherKey(fromNs);
    assertTrue(up != null, what + " before any configuration");
    assertEquals(destination, up.getValue()[source], what);
    assertTrue(fromNs >= up.getKey() + nightNs + guardNs, what + " in a night");
    assertTrue(over == null || untilNs + guardNs <= over, what + " into the next night");
  }
}
