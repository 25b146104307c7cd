package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.List;
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
 * starts with the ports that must stay; then, again and again, the group of the highest
 * oversubscription gets the fewest more that lower it. As in {@link GroupSetFitting}, the highest
 * oversubscription is then the least possible.
 */
public final class NativeTable {
  private final List<NativeGroup> groups = new ArrayList<>();
  private final List<ReplicatedTable.Request> requests;

  /** By group, how many members it may have. */
  private final int[] members;

  private final int[] most;

  private NativeTable(List<ReplicatedTable.Request> requests) {
    this.requests = requests;
    members = new int[requests.size()];
    most = new int[requests.size()];
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
    int weight = Math.min(maxWeight, ReplicatedTable.MOST_PER_GROUP);
    int total = Math.min(maxTotalWeight, ReplicatedTable.MOST_PER_GROUP);
    NativeTable table = new NativeTable(requests);
    long left = entries;
    for (int g = 0; g < table.members.length; g++) {
      int least = requests.get(g).leastEntries(minNextHops);
      if (least > Math.min(groupEntries, total)) {
        throw new IllegalArgumentException(
            least + " ports of a group need a weight each, and it may have fewer");
      }
      WeightVector ideal = WeightVector.of(requests.get(g).ideal());
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
    Ratio[] counted = new Ratio[members.length];
    boolean[] settled = new boolean[members.length];
    for (int g = 0; g < members.length; g++) {
      counted[g] = counted(g, members[g]);
    }
    for (int g = worst(counted, settled); g >= 0; g = worst(counted, settled)) {
      int more = members[g] + 1;
      while (more <= most[g] && counted(g, more).compareTo(counted[g]) >= 0) {
        more++;
      }
      if (more > most[g] || more - members[g] > left) {
        settled[g] = true;
      } else {
        left -= more - members[g];
        members[g] = more;
        counted[g] = counted(g, more);
      }
    }
  }

  private static int worst(Ratio[] counted, boolean[] settled) {
    int worst = -1;
    for (int g = 0; g < counted.length; g++) {
      if (!settled[g] && (worst < 0 || counted[g].compareTo(counted[worst]) > 0)) {
        worst = g;
      }
    }
    return worst;
  }

  private Ratio counted(int g, int count) {
    groups.get(g).weights(count);
    return groups.get(g).oversubscription().times(requests.get(g).factor());
  }
}
