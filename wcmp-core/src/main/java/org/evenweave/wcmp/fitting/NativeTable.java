package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The groups of one switch that has the weight of each member port as a number: a member takes one
 * entry of the table whatever its weight.
 *
 * <p>Each group is as near to its ideal weights as the largest weights allow ({@link NativeGroup}).
 * Where the table does not hold the members of all groups, and ports may be left out, every group
 * starts with the ports that must stay; then, again and again, the group of the highest level gets
 * the fewest more that lower it. As in {@link GroupSetFitting}, which defines levels, the highest
 * one is then the least possible. What remains of the table goes to ports that raise no level.
 */
public final class NativeTable {
  private final List<NativeGroup> groups = new ArrayList<>();
  private final List<Member> requests;

  /** By group, how many members it may have. */
  private final int[] members;

  private final int[] most;

  private NativeTable(List<Member> requests) {
    this.requests = requests;
    members = new int[requests.size()];
    most = new int[requests.size()];
  }

  /** One group of the table. Immutable. */
  static final class Member {
    private final WeightVector ideal;
    private final Ratio demand;
    private final Ratio factor;

    /**
     * @param demand by which its excess counts, positive
     * @param factor by which its oversubscription counts, at least 1
     */
    Member(WeightVector ideal, Ratio demand, Ratio factor) {
      this.ideal = ideal;
      this.demand = demand;
      this.factor = factor;
    }

    int leastPorts(int minNextHops) {
      return Math.min(ideal.ports(), minNextHops);
    }

    /** As in {@link GroupSetFitting}. */
    Ratio level(Ratio oversubscription) {
      return demand.times(factor.times(oversubscription).minus(Ratio.ONE));
    }
  }

  /**
   * @param requests groups that share entries once
   * @param entries members of all groups
   * @param groupEntries members of each
   * @param maxWeight of each member
   * @param maxTotalWeight of each group
   * @param minNextHops ports of each group that get at least one entry; all of smaller groups, and
   *     all of any with {@link Integer#MAX_VALUE}
   * @return aligned: the weight of each member port, 0 for those left out
   * @throws TableTooSmallException if there are fewer entries than such ports of all groups
   * @throws IllegalArgumentException if a group has more such ports than {@code groupEntries}, or
   *     than {@code maxTotalWeight}
   */
  public static List<int[]> weights(
      List<ReplicatedTable.Request> requests,
      int entries,
      int groupEntries,
      int maxWeight,
      int maxTotalWeight,
      int minNextHops) {
    List<Member> members =
        requests.stream()
            .map(group -> new Member(WeightVector.of(group.ideal()), Ratio.ONE, group.factor()))
            .collect(Collectors.toList());
    return ofMembers(members, entries, groupEntries, maxWeight, maxTotalWeight, minNextHops);
  }

  /** The same for groups with demands. */
  static List<int[]> ofMembers(
      List<Member> requests,
      int entries,
      int groupEntries,
      int maxWeight,
      int maxTotalWeight,
      int minNextHops) {
    int weight = Math.min(maxWeight, ReplicatedTable.MOST_PER_GROUP);
    int total = Math.min(maxTotalWeight, ReplicatedTable.MOST_PER_GROUP);
    NativeTable table = new NativeTable(requests);
    long left = entries;
    for (int g = 0; g < table.members.length; g++) {
      int least = requests.get(g).leastPorts(minNextHops);
      if (least > Math.min(groupEntries, total)) {
        throw new IllegalArgumentException(
            least + " ports of a group need a weight each, and it may have fewer");
      }
      WeightVector ideal = requests.get(g).ideal;
      GuaranteedPorts guaranteed = GuaranteedPorts.atLeast(ideal, minNextHops);
      table.groups.add(new NativeGroup(ideal, guaranteed, weight, total));
      table.members[g] = least;
      table.most[g] = Math.min(ideal.ports(), groupEntries);
      left -= least;
    }
    if (left < 0) {
      throw new TableTooSmallException(entries, entries - left);
    }
    return table.weights(left);
  }

  private List<int[]> weights(long left) {
    long all = 0;
    for (int g = 0; g < members.length; g++) {
      all += most[g] - members[g];
    }
    if (all <= left) {
      System.arraycopy(most, 0, members, 0, most.length);
    } else {
      improve(left);
    }
    List<int[]> weights = new ArrayList<>();
    for (int g = 0; g < members.length; g++) {
      weights.add(groups.get(g).weights(members[g]));
    }
    return weights;
  }

  private void improve(long entriesLeft) {
    long left = entriesLeft;
    Ratio[] levels = new Ratio[members.length];
    boolean[] settled = new boolean[members.length];
    for (int g = 0; g < members.length; g++) {
      levels[g] = level(g, members[g]);
    }
    for (int g = worst(levels, settled); g >= 0; g = worst(levels, settled)) {
      int more = members[g] + 1;
      long affordable = Math.min(most[g], members[g] + left);
      while (more <= affordable && level(g, more).compareTo(levels[g]) >= 0) {
        more++;
      }
      if (more > affordable) {
        settled[g] = true;
      } else {
        left -= more - members[g];
        members[g] = more;
        levels[g] = level(g, more);
      }
    }
    addPorts(left);
  }

  /** No group can lower its level any more: those that can have more ports at theirs have them. */
  private void addPorts(long entriesLeft) {
    long left = entriesLeft;
    for (int g = 0; g < members.length && left > 0; g++) {
      int[] weights = groups.get(g).weights((int) Math.min(most[g], members[g] + left));
      int ports = (int) Arrays.stream(weights).filter(weight -> weight > 0).count();
      left -= ports - members[g];
      members[g] = ports;
    }
  }

  private static int worst(Ratio[] levels, boolean[] settled) {
    int worst = -1;
    for (int g = 0; g < levels.length; g++) {
      if (!settled[g] && (worst < 0 || levels[g].compareTo(levels[worst]) > 0)) {
        worst = g;
      }
    }
    return worst;
  }

  private Ratio level(int g, int count) {
    groups.get(g).weights(count);
    return requests.get(g).level(groups.get(g).oversubscription());
  }
}
