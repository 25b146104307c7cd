package org.evenweave.engine.audit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TablesDifference;

/**
 * Detects that somebody else repeatedly changes the same rule or group. It is contested after the
 * third drift within a minute, until a minute passes without drift. Belongs to the loop.
 */
final class ContestedRules {
  /** So many drifts within {@link #WINDOW_NANOS} make a rule contested. */
  static final int DRIFTS = 3;

  static final long WINDOW_NANOS = 60_000_000_000L;

  private final Map<String, Map<String, Entry>> bySwitch = new HashMap<>();

  /** A rule or group that drifted of late. */
  private static final class Entry {
    final Deque<Long> driftNanos = new ArrayDeque<>();
    String holder = "";
    boolean contested;
  }

  /**
   * A switch's tables had drifted.
   *
   * @param before as they were installed
   * @param found as they were read
   * @param holderOf says who holds the place of a rule, empty if nobody does
   * @return whether a rule is contested that was not
   */
  boolean drifted(
      String switchId,
      SwitchTables before,
      SwitchTables found,
      Function<FlowRule, String> holderOf,
      long nowNanos) {
    Map<String, Entry> entries = bySwitch.computeIfAbsent(switchId, id -> new TreeMap<>());
    boolean[] isNew = {false};
    TablesDifference.ofFlows(
        before,
        found,
        (was, is) -> {
          FlowRule rule = was != null ? was : is;
          isNew[0] |= add(entries, "rule " + rule.key(), holderOf.apply(rule), nowNanos);
        });
    TablesDifference.ofGroups(
        before,
        found,
        (was, is) -> {
          String id = SelectGroup.idText((was != null ? was : is).id());
          isNew[0] |= add(entries, "group " + id, "", nowNanos);
        });
    return isNew[0];
  }

  private static boolean add(
      Map<String, Entry> entries, String name, String holder, long nowNanos) {
    Entry entry = entries.computeIfAbsent(name, key -> new Entry());
    entry.driftNanos.add(nowNanos);
    while (nowNanos - entry.driftNanos.peek() > WINDOW_NANOS) {
      entry.driftNanos.remove();
    }
    if (!holder.isEmpty()) {
      entry.holder = holder;
    }
    boolean isNew = !entry.contested && entry.driftNanos.size() >= DRIFTS;
    entry.contested |= isNew;
    return isNew;
  }

  /** Forgets what has not drifted for a minute. Returns whether some of it was contested. */
  boolean forgetOld(long nowNanos) {
    boolean[] wasContested = {false};
    bySwitch
        .values()
        .forEach(
            entries ->
                entries
                    .values()
                    .removeIf(
                        entry -> {
                          boolean isOld = nowNanos - entry.driftNanos.peekLast() >= WINDOW_NANOS;
                          wasContested[0] |= isOld && entry.contested;
                          return isOld;
                        }));
    bySwitch.values().removeIf(Map::isEmpty);
    return wasContested[0];
  }

  /** By switch with contested rules, a sentence that names the first, and who contests it. */
  SortedMap<String, String> reasons() {
    SortedMap<String, String> reasons = new TreeMap<>();
    bySwitch.forEach(
        (switchId, entries) -> {
          String first = null;
          String holder = "";
          int count = 0;
          for (Map.Entry<String, Entry> each : entries.entrySet()) {
            if (each.getValue().contested) {
              count++;
              boolean isBetter = first == null || (holder.isEmpty() && hasHolder(each));
              first = isBetter ? each.getKey() : first;
              holder = isBetter ? each.getValue().holder : holder;
            }
          }
          if (count > 0) {
            reasons.put(switchId, sentence(switchId, first, holder, count - 1));
          }
        });
    return reasons;
  }

  private static boolean hasHolder(Map.Entry<String, Entry> each) {
    return !each.getValue().holder.isEmpty();
  }

  private static String sentence(String switchId, String first, String holder, int others) {
    String rest = others == 0 ? "" : " (and " + others + " more)";
    String what = switchId + ": " + first + rest + " is contested: ";
    return holder.isEmpty()
        ? what
            + "another application repeatedly changes or deletes it, and each repair lasts until"
            + " then"
        : what
            + holder
            + " holds a rule with its match and priority, and puts it back after each repair; the"
            + " rule written last wins";
  }

  /** Whether something of a switch drifted within the last minute. */
  boolean hasDriftOf(String switchId) {
    return bySwitch.containsKey(switchId);
  }
}
