package org.evenweave.bench.figure312;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fitting.FittedGroups;
import org.evenweave.wcmp.fitting.GroupSetFitting;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.evenweave.wcmp.weights.IdealGroup;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * One fabric of Figure 3.12, group-striped, and the groups that its S1 switches need: one for each
 * other S1 switch, of all N uplinks, with WCMP's weights in lowest terms.
 */
final class Point {
  private final int s1;
  private final int uplinks;

  /** For each S1 switch its groups, one per destination. */
  private final List<List<IdealGroup>> groups = new ArrayList<>();

  /** Entries of a group, by scheme; the same few weights occur again and again. */
  private final Map<List<Object>, Integer> entries = new HashMap<>();

  /**
   * @param s1 S1 switches, L
   * @param uplinks of each, N
   * @param downlinks of an S2 switch, D: a divisor of L N and at least L, so that an S2 switch
   *     reaches every S1 switch
   */
  Point(int s1, int uplinks, int downlinks) {
    this.s1 = s1;
    this.uplinks = uplinks;
    int s2 = s1 * uplinks / downlinks;
    Fabric fabric =
        StripedFabric.of(
            StripingKind.GROUP.plan(StripingParameters.of(s1, s2, uplinks, downlinks)));
    RoutesTable routes = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    for (int from = 0; from < s1; from++) {
      List<IdealGroup> ofSwitch = new ArrayList<>();
      for (int to = 0; to < s1; to++) {
        if (to != from) {
          ofSwitch.add(routes.to(to).group(from));
        }
      }
      groups.add(ofSwitch);
    }
  }

  int s1() {
    return s1;
  }

  int uplinks() {
    return uplinks;
  }

  /** Whether any group has unequal weights. */
  boolean isUneven() {
    return maxEntries(Scheme.UNREDUCED, false) > (s1 - 1) * uplinks;
  }

  /**
   * The most table entries that any S1 switch needs: the value of Figure 3.12.
   *
   * @param sharing whether destinations of equal next hops and weights use one group
   */
  int maxEntries(Scheme scheme, boolean sharing) {
    return groups.stream().mapToInt(g -> entries(g, scheme, sharing)).max().getAsInt();
  }

  private int entries(List<IdealGroup> ofSwitch, Scheme scheme, boolean sharing) {
    return held(ofSwitch, sharing).stream()
        .mapToInt(
            group ->
                entries.computeIfAbsent(
                    List.of(scheme, group), key -> scheme.entries(group.weights())))
        .sum();
  }

  /** Equal groups have the same next hops and weights. */
  private static Collection<IdealGroup> held(List<IdealGroup> ofSwitch, boolean sharing) {
    return sharing ? new LinkedHashSet<>(ofSwitch) : ofSwitch;
  }

  /**
   * The least common oversubscription with which every S1 switch's groups fit a table.
   *
   * @throws org.evenweave.wcmp.reduction.TableTooSmallException if the ports alone need more
   */
  Ratio leastOversubscription(int tableEntries, boolean sharing) {
    return leastOversubscription(tableEntries, sharing, LeaveOut.NEVER);
  }

  /** The same where ports may be left out. */
  Ratio leastOversubscription(int tableEntries, boolean sharing, LeaveOut leaveOut) {
    Ratio worst = Ratio.ONE;
    for (List<IdealGroup> ofSwitch : groups) {
      List<long[]> weights =
          held(ofSwitch, sharing).stream().map(IdealGroup::weights).collect(Collectors.toList());
      FittedGroups fitted =
          GroupSetFitting.of(weights).withMinNextHops(leaveOut.minNextHops()).into(tableEntries);
      worst = worst.compareTo(fitted.oversubscription()) < 0 ? fitted.oversubscription() : worst;
    }
    return worst;
  }

  /** Groups for which Algorithm 1 as printed needs other entries than the exact optimum. */
  long groupsWhereAlgorithm1Differs(Scheme scheme) {
    return groups.stream()
        .flatMap(List::stream)
        .distinct()
        .filter(
            group ->
                PaperReduction.size(PaperReduction.reduce(ints(group), scheme.limit))
                    != scheme.entries(group.weights()))
        .count();
  }

  private static int[] ints(IdealGroup group) {
    return LongStream.of(group.weights()).mapToInt(Math::toIntExact).toArray();
  }
}
