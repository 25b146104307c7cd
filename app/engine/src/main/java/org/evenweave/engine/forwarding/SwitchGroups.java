package org.evenweave.engine.forwarding;

import java.util.List;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.weights.IdealGroup;

/** The groups of one switch as compiled, in no particular order. Immutable. */
final class SwitchGroups {
  static final SwitchGroups NONE = new SwitchGroups(List.of(), false, null);

  private final List<Entry> entries;

  /** Whether the switch hashes with a basis of its own, over UDP ports too. */
  final boolean seeded;

  /** How it was to hold them before any was a large table; null of one that was not compiled. */
  final SwitchTarget target;

  SwitchGroups(List<Entry> entries, boolean seeded, SwitchTarget target) {
    this.entries = entries;
    this.seeded = seeded;
    this.target = target;
  }

  /** One group. */
  static final class Entry {
    final IdealGroup ideal;

    /** Prefixes that are routed to it. */
    final int prefixCount;

    final Realisation realisation;
    final SelectGroup group;

    Entry(IdealGroup ideal, int prefixCount, Realisation realisation, SelectGroup group) {
      this.ideal = ideal;
      this.prefixCount = prefixCount;
      this.realisation = realisation;
      this.group = group;
    }

    Entry withPrefixCount(int count) {
      return count == prefixCount ? this : new Entry(ideal, count, realisation, group);
    }
  }

  int count() {
    return entries.size();
  }

  Entry get(int i) {
    return entries.get(i);
  }

  /** Whether one of them is a large table. */
  boolean hasLarge() {
    return entries.stream().anyMatch(entry -> entry.group.isLarge());
  }

  /** The group for these next hops and weights, or -1. */
  int indexOf(IdealGroup ideal) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).ideal.equals(ideal)) {
        return i;
      }
    }
    return -1;
  }
}
