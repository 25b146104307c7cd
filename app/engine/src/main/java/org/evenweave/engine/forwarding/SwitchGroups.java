package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;

/** The groups of one switch as compiled, in no particular order. Immutable. */
final class SwitchGroups {
  static final SwitchGroups NONE =
      new SwitchGroups(List.of(), Set.of(), false, null, 0, Limits.NONE, SharingCost.NONE, "");

  private final List<Entry> entries;

  /** Next hops and weights that have a plain rule, since no group can serve them within limits. */
  private final Set<IdealGroup> alone;

  /** Whether the switch hashes with a basis of its own, over UDP ports too. */
  final boolean seeded;

  /** How it was to hold them before any was a large table; null of one that was not compiled. */
  final SwitchTarget target;

  /** As in {@link org.evenweave.wcmp.fabric.LeaveOut#minNextHops}; 0 of one not compiled. */
  final int minNextHops;

  /** How much its tables hold. */
  final Limits limits;

  /** What it costs that destinations share groups, if they do. */
  final SharingCost sharing;

  /** What cannot be done within the limits, and what is done instead; empty if all can. */
  final String fault;

  /** Whether the tables compiled are but a stage on the way to these groups. */
  final boolean isStage;

  /** Whether one of the groups is a large table. */
  final boolean hasLarge;

  /** Whether some share a group, or have none. */
  final boolean isShared;

  /** Whether a group leaves out ports that are its own. */
  final boolean leavesOut;

  SwitchGroups(
      List<Entry> entries,
      Set<IdealGroup> alone,
      boolean seeded,
      SwitchTarget target,
      int minNextHops,
      Limits limits,
      SharingCost sharing,
      String fault) {
    this.entries = entries;
    this.alone = alone;
    this.limits = limits;
    this.sharing = sharing;
    this.fault = fault;
    this.seeded = seeded;
    this.target = target;
    this.minNextHops = minNextHops;
    isStage = false;
    boolean large = false;
    boolean shared = !alone.isEmpty();
    boolean leaving = false;
    for (Entry entry : entries) {
      large |= entry.group.isLarge();
      shared |= entry.isShared;
      leaving |= entry.leavesOut();
    }
    hasLarge = large;
    isShared = shared;
    leavesOut = leaving;
  }

  private SwitchGroups(SwitchGroups wanted) {
    entries = wanted.entries;
    alone = wanted.alone;
    seeded = wanted.seeded;
    target = wanted.target;
    minNextHops = wanted.minNextHops;
    limits = wanted.limits;
    sharing = wanted.sharing;
    fault = wanted.fault;
    hasLarge = wanted.hasLarge;
    isShared = wanted.isShared;
    leavesOut = wanted.leavesOut;
    isStage = true;
  }

  /** The same where the tables lead there in one more plan. */
  SwitchGroups asStage() {
    return new SwitchGroups(this);
  }

  /** One group, or one of the sets of next hops and weights that share a group. */
  static final class Entry {
    final IdealGroup ideal;

    /** Prefixes that are routed to the group. */
    final int prefixCount;

    final Realisation realisation;
    final SelectGroup group;

    /** The next hops and weights of the group: its own, or those of all that share the group. */
    final IdealGroup common;

    /** Whether the group serves other sets of next hops and weights too. */
    final boolean isShared;

    Entry(IdealGroup ideal, int prefixCount, Realisation realisation, SelectGroup group) {
      this(ideal, prefixCount, realisation, group, ideal, false);
    }

    Entry(
        IdealGroup ideal,
        int prefixCount,
        Realisation realisation,
        SelectGroup group,
        IdealGroup common,
        boolean isShared) {
      this.common = common;
      this.isShared = isShared;
      this.ideal = ideal;
      this.prefixCount = prefixCount;
      this.realisation = realisation;
      this.group = group;
    }

    private boolean leavesOut() {
      return !isShared && group.memberPorts().length < ideal.memberCount();
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
      return count == prefixCount
          ? this
          : new Entry(ideal, count, realisation, group, common, isShared);
    }
  }

  /** Whether these next hops and weights have a plain rule. */
  boolean isAlone(IdealGroup ideal) {
    return alone.contains(ideal);
  }

  int count() {
    return entries.size();
  }

  Entry get(int i) {
    return entries.get(i);
  }

  /**
   * The ports that groups of their own leave out, and the largest share of a group's capacity of
   * each.
   */
  Map<Integer, Double> leftOut(Fabric fabric) {
    Map<Integer, Double> leftOut = new TreeMap<>();
    for (Entry entry : entries) {
      if (entry.leavesOut()) {
        entry.addLeftOut(fabric, leftOut);
      }
    }
    return leftOut;
  }

  /** Whether the switch gets less than its routes ask for, or not all of it at once. */
  boolean hasExceptions() {
    return isStage || leavesOut || !fault.isEmpty();
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
