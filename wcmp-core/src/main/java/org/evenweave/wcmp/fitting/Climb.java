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
 * Spends what is left of a table: the group of the highest level goes up its frontier by one step,
 * the cheapest first among equals, until it cannot, and then the others in turn.
 */
final class Climb {
  private static final Comparator<Climber> WORST_FIRST =
      Comparator.comparing((Climber climber) -> climber.at.level)
          .reversed()
          .thenComparingInt(climber -> climber.next.entries - climber.at.entries)
          .thenComparingInt(climber -> climber.index);

  private static final class Climber {
    final int index;
    final Frontier frontier;
    Step at;
    Step next;

    Climber(int index, Frontier frontier, Step at) {
      this.index = index;
      this.frontier = frontier;
      this.at = at;
    }
  }

  private final PriorityQueue<Climber> climbers = new PriorityQueue<>(WORST_FIRST);
  private final Step[] reached;
  private long left;

  private Climb(int members, long left) {
    this.reached = new Step[members];
    this.left = left;
  }

  /**
   * Climbs until no member can be improved with the entries left.
   *
   * @param members what takes entries of its own, starting from its bracket's smallest size
   * @param entries of the whole table
   * @return the step that each member reached
   */
  static List<Step> climb(List<Bracket> members, int entries) {
    Map<Bracket, Step> start = new HashMap<>();
    long left = entries;
    for (Bracket member : members) {
      start.computeIfAbsent(member, m -> m.frontier().at(m.smallest()));
      left -= member.smallest();
    }
    Climb climb = new Climb(members.size(), left);
    for (int m = 0; m < members.size(); m++) {
      climb.enter(new Climber(m, members.get(m).frontier(), start.get(members.get(m))));
    }
    climb.run();
    return Arrays.asList(climb.reached);
  }

  private void run() {
    for (Climber worst = climbers.poll(); worst != null; worst = climbers.poll()) {
      int cost = worst.next.entries - worst.at.entries;
      if (cost <= left) {
        left -= cost;
        worst.at = worst.next;
        enter(worst);
      }
    }
  }

  private void enter(Climber climber) {
    reached[climber.index] = climber.at;
    int most = (int) Math.min(Integer.MAX_VALUE, climber.at.entries + left);
    climber.next = climber.frontier.after(climber.at, most);
    if (climber.next != null) {
      climbers.add(climber);
    }
  }
}
