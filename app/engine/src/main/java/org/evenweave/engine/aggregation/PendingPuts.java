package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Rules to put that are in no step yet, in the order of the table entries that they need. A put
 * changes at most 32 others, so that a table of n rules takes a time of n log n in all, even where
 * each step has room for one rule.
 */
final class PendingPuts {
  private final Set<Ipv4Prefix> puts;
  private final Set<Ipv4Prefix> isNew;
  private final Map<Ipv4Prefix, List<Ipv4Prefix>> covered;
  private final TreeSet<Ipv4Prefix> left;

  /** Those left with none left inside them. */
  private final Set<Ipv4Prefix> ready = new HashSet<>();

  /** By prefix, how many of those next inside it are to be put before it. */
  private final Map<Ipv4Prefix, Integer> waitsFor = new HashMap<>();

  /** By prefix that is left, how many new entries it and those left inside it need. */
  private final Map<Ipv4Prefix, Integer> entries = new HashMap<>();

  /** Those left that set entries free, from what needs the fewest new ones. */
  private final TreeSet<Ipv4Prefix> freeing = new TreeSet<>(this::compareByRoom);

  /** The others that are left, in the same order. */
  private final TreeSet<Ipv4Prefix> notFreeing = new TreeSet<>(this::compareByRoom);

  /** New entries that those left need. */
  private int entriesLeft;

  /**
   * @param puts a rule is put after all those inside it
   * @param isNew those that take an entry
   * @param covered by prefix, the rules that are deleted when it is put
   */
  PendingPuts(
      Set<Ipv4Prefix> puts, Set<Ipv4Prefix> isNew, Map<Ipv4Prefix, List<Ipv4Prefix>> covered) {
    this.puts = puts;
    this.isNew = isNew;
    this.covered = covered;
    left = new TreeSet<>(puts);
    entriesLeft = isNew.size();
    for (Ipv4Prefix prefix : left) {
      entries.merge(prefix, ownEntries(prefix), Integer::sum);
      Ipv4Prefix around = nearestPut(prefix);
      if (around != null) {
        waitsFor.merge(around, 1, Integer::sum);
      }
      for (Ipv4Prefix next = around; next != null; next = nearestPut(next)) {
        entries.merge(next, ownEntries(prefix), Integer::sum);
      }
    }
    for (Ipv4Prefix prefix : left) {
      byRoom(prefix).add(prefix);
      if (!waitsFor.containsKey(prefix)) {
        ready.add(prefix);
      }
    }
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  /** Those that may be put now, whatever the room. */
  Collection<Ipv4Prefix> ready() {
    return List.copyOf(ready);
  }

  /**
   * Those that may be put now and that there is room for; none if there is too little for any.
   *
   * @param free entries, negative if the table is to hold more than it can
   */
  Collection<Ipv4Prefix> fitting(long free) {
    if (entriesLeft <= free) {
      return ready();
    }
    Choice choice = new Choice(free);
    choice.addFrom(freeing);
    choice.addFrom(notFreeing);
    return choice.chosen;
  }

  /** Counts a rule as put; it was ready. */
  void put(Ipv4Prefix prefix) {
    byRoom(prefix).remove(prefix);
    left.remove(prefix);
    ready.remove(prefix);
    int own = ownEntries(prefix);
    entriesLeft -= own;
    Ipv4Prefix around = nearestPut(prefix);
    if (around != null && waitsFor.merge(around, -1, Integer::sum) == 0) {
      ready.add(around);
    }
    for (Ipv4Prefix next = around; own > 0 && next != null; next = nearestPut(next)) {
      // Those around it are left, as they are put after it.
      byRoom(next).remove(next);
      entries.merge(next, -own, Integer::sum);
      byRoom(next).add(next);
    }
  }

  private TreeSet<Ipv4Prefix> byRoom(Ipv4Prefix prefix) {
    return covered.containsKey(prefix) ? freeing : notFreeing;
  }

  /** The fewest new entries first, then the most entries that become free. */
  private int compareByRoom(Ipv4Prefix a, Ipv4Prefix b) {
    int byEntries = Integer.compare(entries.get(a), entries.get(b));
    int byFreed = Integer.compare(freed(b), freed(a));
    return byEntries != 0 ? byEntries : byFreed != 0 ? byFreed : a.compareTo(b);
  }

  private int freed(Ipv4Prefix prefix) {
    return covered.getOrDefault(prefix, List.of()).size();
  }

  private int ownEntries(Ipv4Prefix prefix) {
    return isNew.contains(prefix) ? 1 : 0;
  }

  private Ipv4Prefix nearestPut(Ipv4Prefix prefix) {
    Ipv4Prefix next = StepsInRoom.around(prefix);
    while (next != null && !puts.contains(next)) {
      next = StepsInRoom.around(next);
    }
    return next;
  }

  /** Those left inside a prefix, itself among them. */
  private List<Ipv4Prefix> leftIn(Ipv4Prefix prefix) {
    List<Ipv4Prefix> inside = new ArrayList<>();
    for (Ipv4Prefix next : left.tailSet(prefix)) {
      if (!next.overlaps(prefix)) {
        break;
      }
      inside.add(next);
    }
    return inside;
  }

  /** The rules of the next step, with entries reserved for those that have to follow. */
  private final class Choice {
    private final Set<Ipv4Prefix> chosen = new TreeSet<>();
    private final Set<Ipv4Prefix> reserved = new HashSet<>();
    private final long free;
    private long room;

    Choice(long free) {
      this.free = free;
      room = free;
    }

    void addFrom(TreeSet<Ipv4Prefix> some) {
      for (Ipv4Prefix prefix : some) {
        if (entries.get(prefix) > room) {
          break;
        }
        addIfItFits(prefix);
      }
      // Of the others only those around a reserved one need fewer entries than are counted.
      TreeSet<Ipv4Prefix> wider = new TreeSet<>(some.comparator());
      for (Ipv4Prefix prefix : reserved) {
        for (Ipv4Prefix next = nearestPut(prefix); next != null; next = nearestPut(next)) {
          if (entries.get(next) <= free && some.contains(next)) {
            wider.add(next);
          }
        }
      }
      wider.forEach(this::addIfItFits);
    }

    private void addIfItFits(Ipv4Prefix prefix) {
      List<Ipv4Prefix> needed = leftIn(prefix);
      needed.removeIf(reserved::contains);
      int needs = needed.stream().mapToInt(PendingPuts.this::ownEntries).sum();
      if (needs <= room) {
        room -= needs;
        reserved.addAll(needed);
        needed.stream().filter(ready::contains).forEach(chosen::add);
      }
    }
  }
}
