package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The changes of {@link TableSteps} in an order that needs little room: where a table has entries
 * for all rules of both forms, rules are put first and deleted afterwards; here a rule is deleted
 * as soon as others route its addresses, and its entry is used for the next.
 *
 * <p><b>Order.</b> A rule that is to go has a <em>cover</em>: the longest prefix around it that has
 * a rule afterwards. It may be deleted when its cover has been put and the rules between the two
 * are gone: from then on the cover decides, which routes its addresses as they are to be routed. It
 * may be deleted before that while rules for longer prefixes decide all of its addresses. A rule
 * may be put when the new rules for longer prefixes inside its own have been. So the promise of
 * {@link TableSteps} holds: each address has its old route or its new one at every moment.
 *
 * <p><b>Room.</b> Where entries are scarce, those that allow a deletion come first, and of these
 * what needs the fewest new entries with all that goes before it; these entries are reserved, so
 * that nothing begins that cannot end. In the smallest merged form of a table every new rule is the
 * cover of at least one old rule, so one free entry is enough to merge a table, whatever its size.
 * The free entries double from step to step where rules are merged in pairs.
 */
final class StepsInRoom {
  private final TreeMap<Ipv4Prefix, FlowRule> puts;

  /** By prefix to put, how many longer ones inside it are to be put before it. */
  private final Map<Ipv4Prefix, Integer> inside = new HashMap<>();

  /** The same where some have been put. */
  private final Map<Ipv4Prefix, Integer> waitsFor = new HashMap<>();

  /** Those of {@link #puts} that are in no step yet. */
  private final TreeSet<Ipv4Prefix> left = new TreeSet<>();

  private final Map<Ipv4Prefix, FlowRule> deletions;
  private final Set<Ipv4Prefix> isNew = new HashSet<>();

  /** By prefix that is put, those to delete then, from the shortest to the longest. */
  private final Map<Ipv4Prefix, List<Ipv4Prefix>> covered = new HashMap<>();

  /** Those to delete whose cover is not put, from the shortest to the longest. */
  private final List<Ipv4Prefix> others = new ArrayList<>();

  /** Those of {@link #others} that are in no step yet. */
  private final List<Ipv4Prefix> othersLeft = new ArrayList<>();

  /** The prefixes that have a rule at first. */
  private final Set<Ipv4Prefix> held;

  /** Those that have one after the steps so far. */
  private final TreeSet<Ipv4Prefix> present = new TreeSet<>();

  private boolean isExceeded;

  private List<List<SwitchOperation>> steps;

  /**
   * @param puts rules to put, of which none is held as it is
   * @param deletions rules to delete, for other prefixes
   * @param held the prefixes that have a rule for a destination
   */
  StepsInRoom(
      TreeMap<Ipv4Prefix, FlowRule> puts,
      Map<Ipv4Prefix, FlowRule> deletions,
      Collection<Ipv4Prefix> held) {
    this.puts = puts;
    this.deletions = deletions;
    this.held = new HashSet<>(held);
    puts.keySet().stream().filter(prefix -> !this.held.contains(prefix)).forEach(isNew::add);
    puts.keySet().forEach(prefix -> inside.put(prefix, 0));
    for (Ipv4Prefix prefix : puts.keySet()) {
      Ipv4Prefix around = nearestPut(prefix);
      if (around != null) {
        inside.merge(around, 1, Integer::sum);
      }
    }
    Set<Ipv4Prefix> after = new HashSet<>(held);
    after.removeAll(deletions.keySet());
    after.addAll(puts.keySet());
    List<Ipv4Prefix> fromShortest = new ArrayList<>(deletions.keySet());
    fromShortest.sort(Comparator.comparingInt(Ipv4Prefix::length));
    for (Ipv4Prefix prefix : fromShortest) {
      Ipv4Prefix cover = prefix;
      do {
        cover = around(cover);
      } while (cover != null && !after.contains(cover));
      boolean isPut = cover != null && puts.containsKey(cover);
      (isPut ? covered.computeIfAbsent(cover, any -> new ArrayList<>()) : others).add(prefix);
    }
  }

  /**
   * The deletions that change no route: of rules inside others that route alike, as a change that
   * ended early leaves them behind.
   */
  static List<SwitchOperation> redundant(SwitchTables held) {
    Map<Ipv4Prefix, FlowRule> rules = new HashMap<>();
    held.forEachFlow(
        rule -> {
          if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
            rules.put(rule.prefix(), rule);
          }
        });
    List<SwitchOperation> deletions = new ArrayList<>();
    held.forEachRoute(
        rule -> {
          Ipv4Prefix next = around(rule.prefix());
          while (next != null && !rules.containsKey(next)) {
            next = around(next);
          }
          FlowRule other = next == null ? null : rules.get(next);
          if (other != null && other.action() == rule.action() && other.target() == rule.target()) {
            deletions.add(SwitchOperation.deleteFlow(rule));
          }
        });
    return deletions;
  }

  /** The prefix one bit shorter; null if there is none. */
  private static Ipv4Prefix around(Ipv4Prefix prefix) {
    if (prefix.length() == 0) {
      return null;
    }
    int lastBit = 1 << (32 - prefix.length());
    return Ipv4Prefix.of(prefix.address() & ~lastBit, prefix.length() - 1);
  }

  private Ipv4Prefix nearestPut(Ipv4Prefix prefix) {
    Ipv4Prefix next = around(prefix);
    while (next != null && !puts.containsKey(next)) {
      next = around(next);
    }
    return next;
  }

  /** Whether so many free entries are enough. */
  boolean fit(int free) {
    with(free);
    return !isExceeded;
  }

  /**
   * @param free entries of the table; rules that these do not suffice for are put at the end, for
   *     the switch to refuse
   */
  List<List<SwitchOperation>> with(int free) {
    steps = new ArrayList<>();
    isExceeded = false;
    waitsFor.putAll(inside);
    left.addAll(puts.keySet());
    othersLeft.addAll(others);
    present.clear();
    present.addAll(held);
    List<Ipv4Prefix> atOnce = takeOthers();
    deletions.keySet().stream().filter(this::isHidden).forEach(atOnce::add);
    long room = (long) free + delete(atOnce);
    Set<Ipv4Prefix> ready = new HashSet<>(puts.keySet());
    ready.removeIf(prefix -> waitsFor.get(prefix) > 0);
    while (!ready.isEmpty()) {
      List<SwitchOperation> step = new ArrayList<>();
      List<Ipv4Prefix> gone = new ArrayList<>();
      for (Ipv4Prefix prefix : chosen(ready, room)) {
        step.add(SwitchOperation.putFlow(puts.get(prefix)));
        room -= isNew.contains(prefix) ? 1 : 0;
        gone.addAll(covered.getOrDefault(prefix, List.of()));
        present.add(prefix);
        left.remove(prefix);
        ready.remove(prefix);
        Ipv4Prefix around = nearestPut(prefix);
        if (around != null && waitsFor.merge(around, -1, Integer::sum) == 0) {
          ready.add(around);
        }
      }
      steps.add(step);
      gone.addAll(takeOthers());
      step.forEach(put -> gone.addAll(hiddenAround(put.flow().prefix())));
      room += delete(gone);
    }
    return steps;
  }

  /** Takes those out of {@link #othersLeft} that may be deleted. */
  private List<Ipv4Prefix> takeOthers() {
    List<Ipv4Prefix> free = new ArrayList<>();
    List<Ipv4Prefix> kept = new ArrayList<>();
    for (Ipv4Prefix prefix : othersLeft) {
      if (!present.contains(prefix)) {
        continue;
      }
      Ipv4Prefix next = left.higher(prefix);
      boolean isWaiting =
          (next != null && next.overlaps(prefix)) || kept.stream().anyMatch(prefix::overlaps);
      (isWaiting ? kept : free).add(prefix);
    }
    othersLeft.retainAll(kept);
    return free;
  }

  /** Those to delete around a prefix that decide no address any more. */
  private List<Ipv4Prefix> hiddenAround(Ipv4Prefix prefix) {
    List<Ipv4Prefix> hidden = new ArrayList<>();
    for (Ipv4Prefix next = around(prefix); next != null; next = around(next)) {
      if (deletions.containsKey(next) && isHidden(next)) {
        hidden.add(next);
      }
    }
    return hidden;
  }

  /** Whether longer prefixes inside one that is present decide all of its addresses. */
  private boolean isHidden(Ipv4Prefix prefix) {
    return present.contains(prefix) && halvesAreDecided(prefix);
  }

  private boolean halvesAreDecided(Ipv4Prefix prefix) {
    Ipv4Prefix next = present.higher(prefix);
    if (next == null || !next.overlaps(prefix)) {
      return false;
    }
    int length = prefix.length() + 1;
    Ipv4Prefix low = Ipv4Prefix.of(prefix.address(), length);
    Ipv4Prefix high = Ipv4Prefix.of(prefix.address() | 1 << (32 - length), length);
    return (present.contains(low) || halvesAreDecided(low))
        && (present.contains(high) || halvesAreDecided(high));
  }

  /** Those that there is room for; all if there is room for none. */
  private Collection<Ipv4Prefix> chosen(Set<Ipv4Prefix> ready, long free) {
    if (left.stream().filter(isNew::contains).count() <= free) {
      return List.copyOf(ready);
    }
    Set<Ipv4Prefix> chosen = new TreeSet<>();
    Set<Ipv4Prefix> reserved = new HashSet<>();
    long room = free;
    for (Ipv4Prefix prefix : byRoom()) {
      List<Ipv4Prefix> needed = new ArrayList<>(leftIn(prefix));
      needed.removeAll(reserved);
      long entries = needed.stream().filter(isNew::contains).count();
      if (entries <= room) {
        room -= entries;
        reserved.addAll(needed);
        needed.stream().filter(ready::contains).forEach(chosen::add);
      }
    }
    isExceeded |= chosen.isEmpty();
    return chosen.isEmpty() ? List.copyOf(ready) : chosen;
  }

  /** Those that are left, first what sets entries free, and of these what needs the fewest. */
  private List<Ipv4Prefix> byRoom() {
    Map<Ipv4Prefix, Integer> entries = new HashMap<>();
    for (Ipv4Prefix prefix : left) {
      int own = isNew.contains(prefix) ? 1 : 0;
      for (Ipv4Prefix next = prefix; next != null; next = nearestLeft(next)) {
        entries.merge(next, own, Integer::sum);
      }
    }
    List<Ipv4Prefix> sorted = new ArrayList<>(left);
    sorted.sort(
        Comparator.comparing((Ipv4Prefix prefix) -> !covered.containsKey(prefix))
            .thenComparing(entries::get)
            .thenComparing(prefix -> -covered.getOrDefault(prefix, List.of()).size())
            .thenComparing(Comparator.naturalOrder()));
    return sorted;
  }

  private Ipv4Prefix nearestLeft(Ipv4Prefix prefix) {
    Ipv4Prefix next = nearestPut(prefix);
    while (next != null && !left.contains(next)) {
      next = nearestPut(next);
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

  /**
   * Adds steps; of two prefixes one inside the other the shorter is deleted first.
   *
   * @param prefixes some may be there twice, or be deleted already
   * @return how many entries that sets free
   */
  private int delete(List<Ipv4Prefix> prefixes) {
    TreeMap<Ipv4Prefix, FlowRule> gone = new TreeMap<>();
    for (Ipv4Prefix prefix : prefixes) {
      if (present.remove(prefix)) {
        gone.put(prefix, deletions.get(prefix));
      }
    }
    steps.addAll(TableSteps.deletionSteps(gone));
    return gone.size();
  }
}
