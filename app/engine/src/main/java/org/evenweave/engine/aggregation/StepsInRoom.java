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
  private final Map<Ipv4Prefix, FlowRule> deletions;
  private final Set<Ipv4Prefix> isNew = new HashSet<>();

  /** By prefix that is put, those to delete then, from the shortest to the longest. */
  private final Map<Ipv4Prefix, List<Ipv4Prefix>> covered = new HashMap<>();

  /** Those to delete whose cover is not put, from the shortest to the longest. */
  private final List<Ipv4Prefix> others = new ArrayList<>();

  /** The prefixes that have a rule at first. */
  private final Set<Ipv4Prefix> held;

  /** Those that have one after the steps so far. */
  private PresentPrefixes present;

  /** Those of {@link #puts} that are in no step yet. */
  private PendingPuts pending;

  /** Those of {@link #others} that are in no step yet. */
  private WaitingDeletions waiting;

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
  static Ipv4Prefix around(Ipv4Prefix prefix) {
    return prefix.length() == 0 ? null : prefix.shortened(prefix.length() - 1);
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
    present = new PresentPrefixes(held);
    pending = new PendingPuts(puts.keySet(), isNew, covered);
    waiting = new WaitingDeletions(others, puts.keySet());
    List<Ipv4Prefix> atOnce = waiting.take();
    deletions.keySet().stream().filter(present::isHidden).forEach(atOnce::add);
    long room = (long) free + delete(atOnce);
    while (!pending.isEmpty()) {
      Collection<Ipv4Prefix> chosen = pending.fitting(room);
      if (chosen.isEmpty()) {
        isExceeded = true;
        chosen = pending.ready();
      }
      List<SwitchOperation> step = new ArrayList<>();
      List<Ipv4Prefix> gone = new ArrayList<>();
      for (Ipv4Prefix prefix : chosen) {
        step.add(SwitchOperation.putFlow(puts.get(prefix)));
        room -= isNew.contains(prefix) ? 1 : 0;
        gone.addAll(covered.getOrDefault(prefix, List.of()));
        present.add(prefix);
        pending.put(prefix);
        waiting.put(prefix);
      }
      steps.add(step);
      gone.addAll(waiting.take());
      step.forEach(put -> gone.addAll(hiddenAround(put.flow().prefix())));
      room += delete(gone);
    }
    return steps;
  }

  /** Those to delete around a prefix that decide no address any more. */
  private List<Ipv4Prefix> hiddenAround(Ipv4Prefix prefix) {
    List<Ipv4Prefix> hidden = new ArrayList<>();
    for (Ipv4Prefix next = around(prefix); next != null; next = around(next)) {
      if (deletions.containsKey(next) && present.isHidden(next)) {
        hidden.add(next);
      }
    }
    return hidden;
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
        waiting.delete(prefix);
        gone.put(prefix, deletions.get(prefix));
      }
    }
    steps.addAll(TableSteps.deletionSteps(gone));
    return gone.size();
  }
}
