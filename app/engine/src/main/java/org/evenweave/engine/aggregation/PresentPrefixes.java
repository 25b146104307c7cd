package org.evenweave.engine.aggregation;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The prefixes that have a rule. A change takes at most 32 look-ups, however many there are. */
final class PresentPrefixes {
  private final Set<Ipv4Prefix> present = new HashSet<>();

  /** By prefix, how many of its addresses longer prefixes decide that are present. */
  private final Map<Ipv4Prefix, Long> decided = new HashMap<>();

  PresentPrefixes(Collection<Ipv4Prefix> present) {
    present.forEach(this::add);
  }

  void add(Ipv4Prefix prefix) {
    if (present.add(prefix)) {
      addDecided(prefix, undecided(prefix));
    }
  }

  /** Returns whether it was present. */
  boolean remove(Ipv4Prefix prefix) {
    boolean removed = present.remove(prefix);
    if (removed) {
      addDecided(prefix, -undecided(prefix));
    }
    return removed;
  }

  /** Whether a prefix is present although longer prefixes decide all of its addresses. */
  boolean isHidden(Ipv4Prefix prefix) {
    return present.contains(prefix) && undecided(prefix) == 0;
  }

  private long undecided(Ipv4Prefix prefix) {
    return (1L << (32 - prefix.length())) - decided.getOrDefault(prefix, 0L);
  }

  /** Beyond the nearest prefix around it that is present, all of that one's addresses count. */
  private void addDecided(Ipv4Prefix prefix, long addresses) {
    Ipv4Prefix next = addresses == 0 ? null : StepsInRoom.around(prefix);
    while (next != null) {
      decided.merge(next, addresses, Long::sum);
      next = present.contains(next) ? null : StepsInRoom.around(next);
    }
  }
}
