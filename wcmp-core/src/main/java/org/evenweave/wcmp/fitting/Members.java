package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.evenweave.wcmp.reduction.Ratio;

/** The groups that take entries of a table: every group, or, with sharing, every distinct one. */
final class Members {
  private final List<Integer> first = new ArrayList<>();
  private final List<Ratio> demands = new ArrayList<>();
  private final int[] memberOf;

  private Members(int groups) {
    this.memberOf = new int[groups];
  }

  /** Each group takes entries of its own. */
  static Members apart(List<Ratio> demands) {
    Members members = new Members(demands.size());
    for (int g = 0; g < demands.size(); g++) {
      members.add(g, demands.get(g));
    }
    return members;
  }

  /**
   * Groups of equal kind share entries.
   *
   * @param together makes one demand of those of two groups that share
   */
  static Members sharing(List<?> kinds, List<Ratio> demands, BinaryOperator<Ratio> together) {
    Members members = new Members(kinds.size());
    Map<Object, Integer> known = new HashMap<>();
    for (int g = 0; g < kinds.size(); g++) {
      Integer earlier = known.putIfAbsent(kinds.get(g), members.size());
      if (earlier == null) {
        members.add(g, demands.get(g));
      } else {
        members.memberOf[g] = earlier;
        Ratio demand = together.apply(members.demands.get(earlier), demands.get(g));
        members.demands.set(earlier, demand);
      }
    }
    return members;
  }

  private void add(int group, Ratio demand) {
    memberOf[group] = first.size();
    first.add(group);
    demands.add(demand);
  }

  int size() {
    return first.size();
  }

  /** The first group that has a member's entries. */
  int group(int member) {
    return first.get(member);
  }

  /** Something of each member's first group. */
  <T> List<T> map(IntFunction<T> ofGroup) {
    return first.stream().map(ofGroup::apply).collect(Collectors.toList());
  }

  /** The demand of all groups that have a member's entries. */
  Ratio demand(int member) {
    return demands.get(member);
  }

  /** All members' demands. */
  List<Ratio> demands() {
    return demands;
  }

  /** The member whose entries a group has. */
  int memberOf(int group) {
    return memberOf[group];
  }
}
