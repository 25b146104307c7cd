package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Gives the groups of one switch their ids, so that packets are never lost while groups are shared
 * differently than before. A group grows out of the installed one that most of its prefixes use,
 * also after a restart of the controller. It keeps that one's id if it needs no change; or if it
 * may be changed in place ({@link GroupChange}) and no other prefix uses it. Otherwise it gets an
 * id that is not in use, and its prefixes move to it one by one: make before break.
 */
final class GroupIds {
  private final SwitchTables before;
  private final Map<Ipv4Prefix, Integer> groupOfPrefix = new HashMap<>();
  private final Map<Integer, Set<Ipv4Prefix>> prefixesOfGroup = new HashMap<>();
  private final Set<Integer> claimed = new HashSet<>();
  private final PrimitiveIterator.OfInt candidates;

  /**
   * @param candidates the ids that a new group may get, best first
   * @param stays whether a prefix is still in the fabric; rules of the others go before any group
   *     changes
   */
  GroupIds(SwitchTables before, IntStream candidates, Predicate<Ipv4Prefix> stays) {
    this.before = before;
    this.candidates = candidates.iterator();
    for (FlowRule rule : before.flows().values()) {
      if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP
          && before.groups().containsKey(rule.groupId())
          && stays.test(rule.prefix())) {
        groupOfPrefix.put(rule.prefix(), rule.groupId());
        prefixesOfGroup.computeIfAbsent(rule.groupId(), id -> new HashSet<>()).add(rule.prefix());
      }
    }
  }

  /** The installed group that most of these prefixes use, or null if they use none. */
  SelectGroup installedFor(List<Ipv4Prefix> prefixes) {
    Map<Integer, Integer> votes = new TreeMap<>();
    for (Ipv4Prefix prefix : prefixes) {
      Integer id = groupOfPrefix.get(prefix);
      if (id != null) {
        votes.merge(id, 1, Integer::sum);
      }
    }
    int best = 0;
    for (Map.Entry<Integer, Integer> vote : votes.entrySet()) {
      best = vote.getValue() > votes.getOrDefault(best, 0) ? vote.getKey() : best;
    }
    return before.groups().get(best);
  }

  /**
   * The ids of all groups of the switch.
   *
   * @param groups what is wanted
   * @param installed aligned: what each grew out of, or null
   * @param slotPorts aligned: the port of each slot
   */
  int[] assign(List<SharedGroup> groups, List<SelectGroup> installed, List<int[]> slotPorts) {
    int[] ids = new int[groups.size()];
    for (int g = 0; g < ids.length; g++) {
      SelectGroup old = installed.get(g);
      if (old != null && old.equals(SelectGroup.ofSlots(old.id(), slotPorts.get(g)))) {
        ids[g] = claimed.add(old.id()) ? old.id() : 0;
      }
    }
    for (int g = 0; g < ids.length; g++) {
      SelectGroup old = installed.get(g);
      if (ids[g] == 0
          && old != null
          && mayChange(old, groups.get(g), slotPorts.get(g))
          && claimed.add(old.id())) {
        ids[g] = old.id();
      }
    }
    for (int g = 0; g < ids.length; g++) {
      ids[g] = ids[g] == 0 ? unused() : ids[g];
    }
    return ids;
  }

  private boolean mayChange(SelectGroup old, SharedGroup group, int[] slotPorts) {
    int[] ports = Arrays.stream(slotPorts).sorted().distinct().toArray();
    Set<Ipv4Prefix> users = prefixesOfGroup.get(old.id());
    return new HashSet<>(group.prefixes).containsAll(users)
        && (users.containsAll(group.prefixes) || GroupChange.mayBeJoined(old, ports))
        && GroupChange.round(old, ports, group.nearest, group.farthest) != GroupChange.NEVER;
  }

  private int unused() {
    int id = candidates.nextInt();
    while (before.groups().containsKey(id) || !claimed.add(id)) {
      id = candidates.nextInt();
    }
    return id;
  }
}
