package org.evenweave.wcmp.fitting;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/** Groups that fit a table together, in the order in which they were given. Immutable. */
public final class FittedGroups {
  private final List<WeightVector> ideal;
  private final List<Ratio> demands;
  private final Members members;
  private final List<int[]> weights;
  private final ToLongFunction<int[]> entriesOf;
  private final Ratio[] oversubscription;

  /**
   * Groups whose entries are replicated by weight.
   *
   * @param members whose entries each group has
   * @param weights of each member; the same array only for the same ideal weights
   */
  FittedGroups(
      List<WeightVector> ideal, List<Ratio> demands, Members members, List<int[]> weights) {
    this(ideal, demands, members, weights, of -> IntStream.of(of).asLongStream().sum());
  }

  /** Groups whose ports take one entry each, whatever their weights; else the same. */
  static FittedGroups ofNumbers(
      List<WeightVector> ideal, List<Ratio> demands, Members members, List<int[]> weights) {
    return new FittedGroups(
        ideal,
        demands,
        members,
        weights,
        of -> IntStream.of(of).filter(weight -> weight > 0).count());
  }

  private FittedGroups(
      List<WeightVector> ideal,
      List<Ratio> demands,
      Members members,
      List<int[]> weights,
      ToLongFunction<int[]> entriesOf) {
    this.ideal = ideal;
    this.demands = demands;
    this.members = members;
    this.weights = weights;
    this.entriesOf = entriesOf;
    this.oversubscription = new Ratio[ideal.size()];
    IdentityHashMap<int[], Ratio> known = new IdentityHashMap<>();
    Arrays.setAll(
        oversubscription,
        g ->
            known.computeIfAbsent(
                weightsOf(g), reduced -> Oversubscription.of(ideal.get(g), reduced)));
  }

  /** Number of groups. */
  public int size() {
    return ideal.size();
  }

  private int[] weightsOf(int group) {
    return weights.get(members.memberOf(group));
  }

  /** The weight of each member port of a group; 0 for a port that is left out. */
  public int[] weights(int group) {
    return weightsOf(group).clone();
  }

  /** Table entries of all groups together, those of groups that share them counted once. */
  public long entries() {
    return weights.stream().mapToLong(entriesOf).sum();
  }

  /** The maximum oversubscription of one group (Tewari 2015, Equation 3.2). */
  public Ratio oversubscription(int group) {
    return oversubscription[group];
  }

  /** The largest maximum oversubscription of any group. */
  public Ratio oversubscription() {
    return Arrays.stream(oversubscription).max(Ratio::compareTo).get();
  }

  /**
   * The largest demand times excess of the oversubscription over 1. Without demands, {@link
   * #oversubscription()} less 1.
   */
  public Ratio weightedExcess() {
    return IntStream.range(0, size())
        .mapToObj(g -> oversubscription[g].minus(Ratio.ONE).times(demands.get(g)))
        .max(Ratio::compareTo)
        .get();
  }

  /**
   * The L1 distance of a group's shares from the ideal ones, the sum over its ports of |realised -
   * ideal share|: from 0 to 2, and half of it is the traffic that takes another port than it
   * should.
   */
  public double l1(int group) {
    WeightVector of = ideal.get(group);
    int[] reduced = weightsOf(group);
    double size = of.exactSize().doubleValue();
    double entries = IntStream.of(reduced).asLongStream().sum();
    return IntStream.range(0, reduced.length)
        .mapToDouble(i -> Math.abs(reduced[i] / entries - of.weight(i) / size))
        .sum();
  }

  /** The mean of the groups' L1 distances, weighted by their demands. */
  public double l1() {
    Ratio largest = demands.stream().max(Ratio::compareTo).get();
    double sum = 0;
    double total = 0;
    for (int g = 0; g < size(); g++) {
      double demand = demands.get(g).dividedBy(largest).toDouble();
      sum += demand * l1(g);
      total += demand;
    }
    return sum / total;
  }

  /** The busiest link's load over its capacity, if the groups carry their demands. */
  public double utilisation(Links links) {
    LinkLoads loads = new LinkLoads(ideal, demands, links.linkOf(), links.capacities());
    List<int[]> each =
        IntStream.range(0, size()).mapToObj(this::weightsOf).collect(Collectors.toList());
    return Arrays.stream(loads.utilisation(each)).max().orElse(0);
  }

  /** The same if the groups had their ideal weights. */
  public double idealUtilisation(Links links) {
    return new LinkLoads(ideal, demands, links.linkOf(), links.capacities()).ideal();
  }

  /** The share of a group's capacity that is on ports left out, from 0 to less than 1. */
  public Ratio capacityLost(int group) {
    BigInteger lost = BigInteger.ZERO;
    int[] reduced = weightsOf(group);
    for (int i = 0; i < reduced.length; i++) {
      if (reduced[i] == 0) {
        lost = lost.add(BigInteger.valueOf(ideal.get(group).weight(i)));
      }
    }
    return Ratio.of(lost, ideal.get(group).exactSize());
  }
}
