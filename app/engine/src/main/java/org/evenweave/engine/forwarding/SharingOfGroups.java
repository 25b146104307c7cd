package org.evenweave.engine.forwarding;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.sharing.GroupSharing;
import org.evenweave.wcmp.sharing.SharedGroups;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * The groups of a switch that can have fewer than its destinations have different sets of next hops
 * and weights: what each destination is served by, a group that it shares with others ({@link
 * GroupSharing}) or a plain rule. Immutable.
 */
final class SharingOfGroups {
  /** More bits of a weight than any table resolves. */
  private static final int WEIGHT_BITS = 30;

  private final List<SharedGroup> groups;
  private final Map<SharedGroup, SharedGroup> servedBy;
  private final List<SharedGroup> alone;
  private final SharingCost cost;

  private SharingOfGroups(
      List<SharedGroup> groups,
      Map<SharedGroup, SharedGroup> servedBy,
      List<SharedGroup> alone,
      SharingCost cost) {
    this.groups = groups;
    this.servedBy = servedBy;
    this.alone = alone;
    this.cost = cost;
  }

  /** Each has a group of its own. */
  static SharingOfGroups none(List<SharedGroup> wanted) {
    Map<SharedGroup, SharedGroup> itself = new IdentityHashMap<>();
    wanted.forEach(group -> itself.put(group, group));
    return new SharingOfGroups(wanted, itself, List.of(), SharingCost.NONE);
  }

  /**
   * At most so many groups.
   *
   * @param minNextHops as in {@link LeaveOut#minNextHops}; where no port may be left out, a shared
   *     group has those that all its destinations have in common, {@value
   *     LeaveOut#DEFAULT_MIN_NEXT_HOPS} at least
   */
  static SharingOfGroups of(List<SharedGroup> wanted, int mostGroups, int minNextHops) {
    if (mostGroups >= wanted.size()) {
      return none(wanted);
    }
    int least = minNextHops == Integer.MAX_VALUE ? LeaveOut.DEFAULT_MIN_NEXT_HOPS : minNextHops;
    int[] present = new int[wanted.size()];
    int[] cost = new int[wanted.size()];
    for (int i = 0; i < present.length; i++) {
      int installed = wanted.get(i).mostUsed();
      present[i] = installed == 0 ? GroupSharing.NONE : installed;
      cost[i] = wanted.get(i).usersOf(installed);
    }
    SharedGroups shared = GroupSharing.of(points(wanted), mostGroups, least, present, cost);
    List<List<SharedGroup>> parts = new ArrayList<>();
    for (int g = 0; g < shared.groups(); g++) {
      parts.add(new ArrayList<>());
    }
    List<SharedGroup> alone = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      int g = shared.groupOf(i);
      (g == GroupSharing.NONE ? alone : parts.get(g)).add(wanted.get(i));
    }
    List<SharedGroup> groups = new ArrayList<>();
    Map<SharedGroup, SharedGroup> servedBy = new IdentityHashMap<>();
    for (List<SharedGroup> each : parts) {
      SharedGroup group = each.size() == 1 ? each.get(0) : together(each);
      each.forEach(part -> servedBy.put(part, group));
      groups.add(group);
    }
    return new SharingOfGroups(
        groups, servedBy, alone, new SharingCost(shared.oversubscription(), shared.lowerBound()));
  }

  /**
   * The fewest groups that leave nobody with a plain rule, or a number that would do where there
   * are very many.
   */
  static int enough(List<SharedGroup> wanted, int tooFew, int minNextHops) {
    int few = tooFew;
    int enough = wanted.size();
    while (enough - few > 1) {
      int tried = few + (enough - few) / 2;
      if (of(wanted, tried, minNextHops).alone.isEmpty()) {
        enough = tried;
      } else {
        few = tried;
      }
    }
    return enough;
  }

  /** Weights by arc, with arcs numbered densely. */
  private static List<long[]> points(List<SharedGroup> wanted) {
    TreeSet<Integer> arcs = new TreeSet<>();
    for (SharedGroup group : wanted) {
      for (int i = 0; i < group.ideal.memberCount(); i++) {
        arcs.add(group.ideal.arc(i));
      }
    }
    Map<Integer, Integer> numberOf = new HashMap<>();
    arcs.forEach(arc -> numberOf.put(arc, numberOf.size()));
    List<long[]> points = new ArrayList<>();
    for (SharedGroup group : wanted) {
      long[] point = new long[numberOf.size()];
      for (int i = 0; i < group.ideal.memberCount(); i++) {
        point[numberOf.get(group.ideal.arc(i))] = group.ideal.weight(i);
      }
      points.add(point);
    }
    return points;
  }

  /** One group for all: of the next hops that all have, by the least share of each. */
  private static SharedGroup together(List<SharedGroup> parts) {
    List<Map<Integer, BigInteger>> weightOf = new ArrayList<>();
    BigInteger unit = BigInteger.ONE;
    for (SharedGroup part : parts) {
      Map<Integer, BigInteger> weights = weights(part.ideal);
      BigInteger sum = sum(weights);
      unit = unit.divide(unit.gcd(sum)).multiply(sum);
      weightOf.add(weights);
    }
    IdealGroup first = parts.get(0).ideal;
    int[] arcs =
        IntStream.range(0, first.memberCount())
            .map(first::arc)
            .filter(arc -> weightOf.stream().allMatch(weights -> weights.containsKey(arc)))
            .toArray();
    BigInteger[] least = new BigInteger[arcs.length];
    for (Map<Integer, BigInteger> weights : weightOf) {
      BigInteger share = unit.divide(sum(weights));
      for (int i = 0; i < arcs.length; i++) {
        BigInteger ofPart = share.multiply(weights.get(arcs[i]));
        least[i] = least[i] == null ? ofPart : least[i].min(ofPart);
      }
    }
    BigInteger all = Arrays.stream(least).reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger common = Arrays.stream(least).reduce(BigInteger.ZERO, BigInteger::gcd);
    int surplus = Math.max(0, all.divide(common).bitLength() - WEIGHT_BITS);
    long[] rounded =
        Arrays.stream(least)
            .mapToLong(share -> Math.max(1, share.divide(common).shiftRight(surplus).longValue()))
            .toArray();
    double factor = Ratio.of(unit, all).toDouble();
    return SharedGroup.together(parts, IdealGroup.of(arcs, rounded), Math.max(1, factor));
  }

  private static Map<Integer, BigInteger> weights(IdealGroup ideal) {
    Map<Integer, BigInteger> weights = new HashMap<>();
    for (int i = 0; i < ideal.memberCount(); i++) {
      weights.put(ideal.arc(i), BigInteger.valueOf(ideal.weight(i)));
    }
    return weights;
  }

  private static BigInteger sum(Map<Integer, BigInteger> weights) {
    return weights.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** The groups that the switch is to have. */
  List<SharedGroup> groups() {
    return groups;
  }

  /** The group that serves what would have had this one, or null if a plain rule does. */
  SharedGroup servedBy(SharedGroup wanted) {
    return servedBy.get(wanted);
  }

  /** What no group serves. */
  List<SharedGroup> alone() {
    return alone;
  }

  /** Without those left alone; the bound is of ways to share that leave as few alone. */
  SharingCost cost() {
    return cost;
  }
}
