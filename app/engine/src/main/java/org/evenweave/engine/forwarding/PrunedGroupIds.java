package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;

/**
 * Ids for the groups of {@link PrunedTables}, such that no rule ever uses another one's next hops:
 * an installed group that is equal already, or one that only these rules use and that may therefore
 * change in place, or else a new one.
 */
final class PrunedGroupIds {
  private final SwitchTables installed;
  private final PrimitiveIterator.OfInt candidates;
  private final Set<Integer> taken = new HashSet<>();

  /**
   * @param candidates the ids that a new group may get, best first
   */
  PrunedGroupIds(SwitchTables installed, IntStream candidates) {
    this.installed = installed;
    this.candidates = candidates.iterator();
  }

  /**
   * @param wanted the groups, whatever their ids
   * @param users aligned: the rules that use each
   */
  int[] assign(List<SelectGroup> wanted, List<List<FlowRule>> users) {
    int[] ids = new int[wanted.size()];
    for (int g = 0; g < ids.length; g++) {
      ids[g] = firstEqual(wanted.get(g), groupsOf(users.get(g)));
      ids[g] = ids[g] == 0 ? firstEqual(wanted.get(g), installed.groups().keySet()) : ids[g];
    }
    for (int g = 0; g < ids.length; g++) {
      Set<Integer> now = groupsOf(users.get(g));
      if (ids[g] == 0 && now.size() == 1) {
        int id = now.iterator().next();
        ids[g] = isUsedByNoneBut(id, users.get(g)) && taken.add(id) ? id : 0;
      }
    }
    for (int g = 0; g < ids.length; g++) {
      ids[g] = ids[g] == 0 ? unused() : ids[g];
    }
    return ids;
  }

  private int firstEqual(SelectGroup group, Set<Integer> among) {
    for (int id : among) {
      SelectGroup held = installed.groups().get(id);
      if (Arrays.equals(held.ports(), group.ports())
          && Arrays.equals(held.weights(), group.weights())
          && taken.add(id)) {
        return id;
      }
    }
    return 0;
  }

  /** The groups that the rules' prefixes use now. */
  private Set<Integer> groupsOf(List<FlowRule> rules) {
    Set<Integer> ids = new TreeSet<>();
    for (FlowRule rule : rules) {
      FlowRule now = installed.flows().get(rule.key());
      if (isToGroup(now)) {
        ids.add(now.groupId());
      }
    }
    return ids;
  }

  private boolean isUsedByNoneBut(int id, List<FlowRule> rules) {
    Set<String> keys = rules.stream().map(FlowRule::key).collect(Collectors.toSet());
    return installed.flows().values().stream()
        .allMatch(rule -> !isToGroup(rule) || rule.groupId() != id || keys.contains(rule.key()));
  }

  private boolean isToGroup(FlowRule rule) {
    return rule != null
        && rule.action() == FlowRule.Action.ROUTE_TO_GROUP
        && installed.groups().containsKey(rule.groupId());
  }

  private int unused() {
    int id = candidates.nextInt();
    while (installed.groups().containsKey(id) || !taken.add(id)) {
      id = candidates.nextInt();
    }
    return id;
  }
}
