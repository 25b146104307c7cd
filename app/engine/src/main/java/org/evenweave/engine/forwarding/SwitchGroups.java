package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;

/** The groups of one switch as compiled, in no particular order. Immutable. */
final class SwitchGroups {
  static final SwitchGroups NONE = new SwitchGroups(List.of(), false, null, 0);

  private final List<Entry> entries;

  /** Whether the switch hashes with a basis of its own, over UDP ports too. */
  final boolean seeded;

  /** How it was to hold them before any was a large table; null of one that was not compiled. */
  final SwitchTarget target;

  /** As in {@link org.evenweave.wcmp.fabric.LeaveOut#minNextHops}; 0 of one not compiled. */
  final int minNextHops;

  SwitchGroups(List<Entry> entries, boolean seeded, SwitchTarget target, int minNextHops) {
    this.entries = entries;
    this.seeded = seeded;
    this.target = target;
    this.minNextHops = minNextHops;
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

    private void addLeftOut(Fabric fabric, Map<Integer, Double> leftOut) {
      int[] ports = ideal.ports(fabric);
      long[] weights = ideal.weights();
      double capacity = Arrays.stream(weights).asDoubleStream().sum();
      for (int i = 0; i < ports.length; i++) {
        if (realisation.share(ports[i]).equals(Ratio.ZERO)) {
          leftOut.merge(ports[i], weights[i] / capacity, Math::max);
        }
      }
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

  /** The ports that groups leave out, and the largest share of a group's capacity of each. */
  Map<Integer, Double> leftOut(Fabric fabric) {
    Map<Integer, Double> leftOut = new TreeMap<>();
    for (Entry entry : entries) {
      if (entry.group.memberPorts().length < entry.ideal.memberCount()) {
        entry.addLeftOut(fabric, leftOut);
      }
    }
    return leftOut;
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
