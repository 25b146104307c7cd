package org.evenweave.wcmp.fitting;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.evenweave.wcmp.fitting.CommonLevel.Bracket;
import org.evenweave.wcmp.fitting.Frontier.Step;

/**
 * Spends the remaining entries of a table: it repeatedly improves the group of the highest level by
 * one step of its frontier, and among equal levels the one whose step takes the fewest entries. A
 * group whose step does not fit is not improved further.
 */
final class GreedyImprovement {
  private static final Comparator<Member> WORST_FIRST =
      Comparator.comparing((Member member) -> member.at.level)
          .reversed()
          .thenComparingInt(member -> member.next.entries - member.at.entries)
          .thenComparingInt(member -> member.index);

  private static final class Member {
    final int index;
    final Frontier frontier;
    Step at;
    Step next;

    Member(int index, Frontier frontier, Step at) {
      this.index = index;
      this.frontier = frontier;
      this.at = at;
    }
  }

  private final PriorityQueue<Member> members = new PriorityQueue<>(WORST_FIRST);
  private final Step[] reached;
  private long left;

  private GreedyImprovement(int members, long left) {
    this.reached = new Step[members];
    this.left = left;
  }

  /**
   * Improves members until none can be improved with the remaining entries.
   *
   * @param brackets what takes entries of its own, starting from its bracket's smallest size
   * @param entries of the whole table
   * @return the step that each member reached
   */
  static List<Step> of(List<Bracket> brackets, int entries) {
    Map<Bracket, Step> start = new HashMap<>();
    long left = entries;
    for (Bracket member : brackets) {
      start.computeIfAbsent(member, m -> m.frontier().at(m.smallest()));
      left -= member.smallest();
    }
    GreedyImprovement improvement = new GreedyImprovement(brackets.size(), left);
    for (int m = 0; m < brackets.size(); m++) {
      improvement.enter(new Member(m, brackets.get(m).frontier(), start.get(brackets.get(m))));
    }
    improvement.run();
    return Arrays.asList(improvement.reached);
  }

  private void run() {
    for (Member worst = members.poll(); worst != null; worst = members.poll()) {
      int cost = worst.next.entries - worst.at.entries;
      if (cost <= left) {
        left -= cost;
        worst.at = worst.next;
        enter(worst);
      }
    }
  }

  private void enter(Member member) {
    reached[member.index] = member.at;
    int most = (int) Math.min(Integer.MAX_VALUE, member.at.entries + left);
    member.next = member.frontier.after(member.at, most);
    if (member.next != null) {
      members.add(member);
    }
  }
}
