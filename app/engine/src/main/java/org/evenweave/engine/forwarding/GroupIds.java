package org.evenweave.engine.forwarding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Gives the groups of one switch their ids. A destination keeps the id that its rules use on the
 * switch already, also after a restart of the controller, so that a re-weighting is a change in
 * place and a group's id never comes to mean another destination while rules still use it.
 */
final class GroupIds {
  private final Map<Ipv4Prefix, Integer> groupOfPrefix = new HashMap<>();
  private final Map<Integer, Set<Ipv4Prefix>> prefixesOfGroup = new HashMap<>();
  private final Set<Integer> taken;
  private int next = 1;

  GroupIds(SwitchTables before) {
    taken = new HashSet<>(before.groups().keySet());
    for (FlowRule rule : before.flows().values()) {
      if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && taken.contains(rule.groupId())) {
        groupOfPrefix.put(rule.prefix(), rule.groupId());
        prefixesOfGroup.computeIfAbsent(rule.groupId(), id -> new HashSet<>()).add(rule.prefix());
      }
    }
  }

  /** An id for the group of a destination, told by all the destination's prefixes. */
  int idFor(List<Ipv4Prefix> prefixes) {
    for (Ipv4Prefix prefix : prefixes) {
      Integer id = groupOfPrefix.get(prefix);
      if (id != null && prefixes.containsAll(prefixesOfGroup.get(id))) {
        return id;
      }
    }
    while (!taken.add(next)) {
      next++;
    }
    return next;
  }
}
