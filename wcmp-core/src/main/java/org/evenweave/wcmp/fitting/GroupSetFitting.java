package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fitting.CommonLevel.Bracket;
import org.evenweave.wcmp.fitting.Frontier.Step;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * Fits many groups into one table with the least common oversubscription, and spends the rest of
 * the table on the groups of highest oversubscription; or by one of two other objectives, {@link
 * LeastSum} and {@link LeastUtilisation}. What follows is about the first.
 *
 * <p><b>Objective.</b> With D[g] the maximum oversubscription of group g (Tewari 2015, section
 * 3.3.2, Equation 3.2) and d[g] its demand (1 unless given), the <em>level</em> of a group is d[g]
 * (D[g] - 1): the demand times the part of it that its worst port gets beyond its fair share, so
 * that it is 0 for an exact group whatever its demand, and a group of ten times the demand is held
 * to a tenth of the excess. The largest level is minimised, exactly; without demands that is the
 * least common oversubscription that Algorithm 4 looks for in steps of 0.001. Then the entries left
 * go, again and again, to the group of the highest level that they can still improve.
 *
 * <p>A group that serves several destinations of different weights has an oversubscription of a
 * factor f[g] times D[g] for the worst of them; then the level is d[g] (f[g] D[g] - 1), which is
 * not 0 even for exact entries. All else stays.
 *
 * <p><b>Idea.</b> Each group has a {@link Frontier}: sizes at which it gets strictly better than at
 * any smaller one. A common level L costs the sum of every group's smallest size within L, which
 * falls as L rises. Bisection narrows L down fast, but need not meet the optimum: from any L that
 * fits, the last part climbs the frontiers. The group of the highest level goes up its frontier by
 * one step, the cheapest first among equals, until it cannot: that level is the optimum, and the
 * group is settled. The climb goes on with the others until nothing can be improved.
 *
 * <p><b>Proof.</b> During the climb, every group is at its smallest size for some level at or above
 * the current highest. When the group at the top, of level L, lacks entries for its next step, any
 * assignment with all levels below L would give every group at least what it has now, and that
 * group its next step: more than the table holds. Hence L is optimal. By the same argument with
 * settled groups held fixed, the levels of the others are the least possible in turn
 * (lexicographically, unless equal levels leave a choice of whom to improve).
 *
 * <p><b>Complexity.</b> About 20 searches of {@link org.evenweave.wcmp.reduction.SizeSearch} for
 * each <em>distinct</em> group, over brackets that halve, then O(log G) and one search per step of
 * the climb for G groups.
 */
public final class GroupSetFitting {
  private final List<WeightVector> groups;
  private final List<Ratio> demands;
  private final List<Ratio> factors;
  private final boolean sharing;
  private final int minNextHops;
  private final int mostPerGroup;

  private GroupSetFitting(
      List<WeightVector> groups,
      List<Ratio> demands,
      List<Ratio> factors,
      boolean sharing,
      int minNextHops,
      int mostPerGroup) {
    this.groups = groups;
    this.demands = demands;
    this.factors = factors;
    this.sharing = sharing;
    this.minNextHops = minNextHops;
    this.mostPerGroup = mostPerGroup;
  }

  /**
   * Groups to fit, of equal demand.
   *
   * @param groups for each group positive ideal weights, one per member port, in any unit
   * @throws IllegalArgumentException if there are none, or a weight is not positive
   */
  public static GroupSetFitting of(List<long[]> groups) {
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("groups is empty; there is nothing to fit");
    }
    List<WeightVector> ideal = new ArrayList<>(groups.size());
    for (int g = 0; g < groups.size(); g++) {
      try {
        ideal.add(WeightVector.of(groups.get(g)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("groups[" + g + "]: " + e.getMessage(), e);
      }
    }
    List<Ratio> ones = Collections.nCopies(groups.size(), Ratio.ONE);
    return new GroupSetFitting(ideal, ones, ones, false, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /**
   * The same with a demand for each group, which weighs its excess; only their ratios matter.
   *
   * @throws IllegalArgumentException if there is not one per group, or one is not positive
   */
  public GroupSetFitting withDemands(List<Ratio> demands) {
    if (demands.size() != groups.size()) {
      throw new IllegalArgumentException(
          "demands has " + demands.size() + " elements for " + groups.size() + " groups");
    }
    for (int g = 0; g < demands.size(); g++) {
      if (demands.get(g).compareTo(Ratio.ZERO) <= 0) {
        throw new IllegalArgumentException(
            "demands[" + g + "] is " + demands.get(g) + "; a demand must be positive");
      }
    }
    return new GroupSetFitting(
        groups, new ArrayList<>(demands), factors, sharing, minNextHops, mostPerGroup);
  }

  /**
   * The same with a factor for each group by which its oversubscription counts: that of a group
   * which serves destinations of different weights ({@code GroupSharing}). {@link #into} alone
   * looks at it, without sharing.
   *
   * @throws IllegalArgumentException if there is not one per group, or one is below 1
   */
  public GroupSetFitting withFactors(List<Ratio> factors) {
    if (factors.size() != groups.size()
        || factors.stream().anyMatch(factor -> factor.compareTo(Ratio.ONE) < 0)) {
      throw new IllegalArgumentException(
          "factors must be one of at least 1 for each of " + groups.size() + " groups");
    }
    return new GroupSetFitting(
        groups, demands, new ArrayList<>(factors), sharing, minNextHops, mostPerGroup);
  }

  /**
   * The same with groups of equal weights (in lowest terms, in order) sharing one set of entries,
   * for which the largest of their demands counts.
   */
  public GroupSetFitting withSharing() {
    return new GroupSetFitting(groups, demands, factors, true, minNextHops, mostPerGroup);
  }

  /**
   * The same with ports left out where that brings the objective down; {@link
   * FittedGroups#capacityLost} is what it costs. Where it brings nothing, ports have entries.
   *
   * @param minNextHops ports of each group that get at least one entry; all of smaller groups
   * @throws IllegalArgumentException if it is below 1
   */
  public GroupSetFitting withMinNextHops(int minNextHops) {
    if (minNextHops < 1) {
      throw new IllegalArgumentException(
          "minNextHops is " + minNextHops + "; a group needs at least one next hop");
    }
    return new GroupSetFitting(groups, demands, factors, sharing, minNextHops, mostPerGroup);
  }

  /**
   * The same with a limit on each group's entries, whatever room the table has. {@link #into} and
   * {@link #intoNumbers} alone keep to it.
   *
   * @param entries at least one per port of every group that cannot be left out
   * @throws IllegalArgumentException if a group has more of these
   */
  public GroupSetFitting withAtMost(int entries) {
    for (int g = 0; g < groups.size(); g++) {
      int ports = Math.min(minNextHops, groups.get(g).ports());
      if (ports > entries) {
        throw new IllegalArgumentException(
            "groups[" + g + "] has " + ports + " ports, and may have " + entries);
      }
    }
    return new GroupSetFitting(groups, demands, factors, sharing, minNextHops, entries);
  }

  /**
   * Fits the groups, with the least maximum level.
   *
   * @param entries table entries there are for all groups together
   * @throws TableTooSmallException if there are fewer than one per port of every group that cannot
   *     be left out
   */
  public FittedGroups into(int entries) {
    return byOversubscription(members(groups, GroupSetFitting::larger), entries);
  }

  /**
   * Fits the groups, with the least maximum level, into the table of a switch that has the weight
   * of each member port as a number ({@link NativeTable}): a port takes one entry.
   *
   * @param entries table entries there are for all groups together
   * @param maxWeight of each port, at least 1
   * @param maxTotalWeight of each group
   * @throws TableTooSmallException as {@link #into}
   * @throws IllegalArgumentException if a group has more ports that cannot be left out than {@code
   *     maxTotalWeight}
   */
  public FittedGroups intoNumbers(int entries, int maxWeight, int maxTotalWeight) {
    Members members = members(groups, GroupSetFitting::larger);
    List<NativeTable.Member> each = new ArrayList<>();
    for (int m = 0; m < members.size(); m++) {
      int group = members.group(m);
      each.add(new NativeTable.Member(groups.get(group), members.demand(m), factors.get(group)));
    }
    List<int[]> weights =
        NativeTable.ofMembers(each, entries, mostPerGroup, maxWeight, maxTotalWeight, minNextHops);
    return FittedGroups.ofNumbers(groups, demands, members, weights);
  }

  /**
   * Fits the groups with the least sum of demands times {@linkplain FittedGroups#l1(int) L1
   * distances}. Groups that share entries count with the sum of their demands.
   *
   * @throws TableTooSmallException as {@link #into}
   */
  public FittedGroups intoByL1(int entries) {
    return byL1(members(groups, Ratio::plus), entries);
  }

  /**
   * Fits the groups so that the busiest link's utilisation is low ({@link LeastUtilisation}): never
   * above that of {@link #into} and {@link #intoByL1}, and for the links' own good below that of
   * the ideal weights. Groups with sharing share if their ports are on the same links too, and
   * carry the sum of their demands.
   *
   * @param links of each group's member ports
   * @throws TableTooSmallException as {@link #into}
   * @throws IllegalArgumentException if {@code links} is of other groups
   */
  public FittedGroups intoByUtilisation(int entries, Links links) {
    for (int g = 0; g < groups.size(); g++) {
      int ports = g < links.linkOf().size() ? links.linkOf().get(g).length : 0;
      if (links.linkOf().size() != groups.size() || ports != groups.get(g).ports()) {
        throw new IllegalArgumentException("group " + g + " and its links differ in their ports");
      }
    }
    List<Object> kinds =
        IntStream.range(0, groups.size())
            .mapToObj(g -> List.of(groups.get(g), boxed(links.linkOf().get(g))))
            .collect(Collectors.toList());
    FittedGroups even = byOversubscription(members(kinds, GroupSetFitting::larger), entries);
    Members members = members(kinds, Ratio::plus);
    FittedGroups near = byL1(members, entries);
    LinkLoads loads =
        new LinkLoads(
            members.map(groups::get),
            members.demands(),
            members.map(links.linkOf()::get),
            links.capacities());
    LeastUtilisation search = new LeastUtilisation(loads, minNextHops, entries);
    List<int[]> fromNear = search.from(members.map(near::weights));
    List<int[]> fromEven = search.from(members.map(even::weights));
    boolean evenBetter = search.busiest(fromEven) < search.busiest(fromNear);
    return new FittedGroups(groups, demands, members, evenBetter ? fromEven : fromNear);
  }

  private Members members(List<?> kinds, BinaryOperator<Ratio> together) {
    return sharing ? Members.sharing(kinds, demands, together) : Members.apart(demands);
  }

  private static List<Integer> boxed(int[] links) {
    return Arrays.stream(links).boxed().collect(Collectors.toList());
  }

  private static Ratio larger(Ratio a, Ratio b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  private FittedGroups byOversubscription(Members members, int entries) {
    List<Bracket> brackets = brackets(members, entries);
    List<Bracket> distinct = brackets.stream().distinct().collect(Collectors.toList());
    requireRoom(entries, distinct.stream().mapToLong(Bracket::smallestTotal).sum());
    new CommonLevel(distinct, entries).narrow();
    List<Step> steps = GreedyImprovement.of(brackets, entries);
    if (minNextHops < Integer.MAX_VALUE) {
      steps = MorePorts.from(brackets, steps, entries);
    }
    IdentityHashMap<Step, int[]> weightsAt = new IdentityHashMap<>();
    for (int m = 0; m < members.size(); m++) {
      weightsAt.computeIfAbsent(steps.get(m), brackets.get(m).frontier()::weights);
    }
    List<int[]> weights = steps.stream().map(weightsAt::get).collect(Collectors.toList());
    return new FittedGroups(groups, demands, members, weights);
  }

  /** Equal members have the same bracket. */
  private List<Bracket> brackets(Members members, int entries) {
    Map<List<Object>, Bracket> brackets = new HashMap<>();
    List<Bracket> each = new ArrayList<>();
    for (int m = 0; m < members.size(); m++) {
      WeightVector ideal = groups.get(members.group(m));
      Ratio demand = members.demand(m);
      Ratio factor = factors.get(members.group(m));
      Bracket bracket =
          brackets.computeIfAbsent(
              List.of(ideal, demand, factor),
              key ->
                  new Bracket(
                      new Frontier(ideal, demand, factor, minNextHops, mostPerGroup), entries));
      bracket.addCopy();
      each.add(bracket);
    }
    return each;
  }

  private FittedGroups byL1(Members members, int entries) {
    Map<WeightVector, L1Frontier> frontiers = new HashMap<>();
    List<L1Frontier> each =
        members.map(groups::get).stream()
            .map(ideal -> frontiers.computeIfAbsent(ideal, i -> new L1Frontier(i, minNextHops)))
            .collect(Collectors.toList());
    requireRoom(entries, each.stream().mapToLong(L1Frontier::smallestSize).sum());
    Ratio unit = members.demands().stream().max(Ratio::compareTo).get();
    double[] demands =
        members.demands().stream().mapToDouble(d -> d.dividedBy(unit).toDouble()).toArray();
    int[] sizes = new LeastSum(each, demands, entries).sizes();
    Map<List<Object>, int[]> weightsAt = new HashMap<>();
    List<int[]> weights = new ArrayList<>();
    for (int m = 0; m < sizes.length; m++) {
      L1Frontier frontier = each.get(m);
      int size = sizes[m];
      weights.add(weightsAt.computeIfAbsent(List.of(frontier, size), k -> frontier.weights(size)));
    }
    return new FittedGroups(groups, this.demands, members, weights);
  }

  private static void requireRoom(int entries, long least) {
    if (least > entries) {
      throw new TableTooSmallException(entries, least);
    }
  }
}
