package org.evenweave.wcmp.fitting;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/** The load of groups on links, relative to the links' capacities. Immutable. */
final class LinkLoads {
  private final int[][] linkOf;
  private final double[][] whole;
  private final int links;
  private final double lowerBound;
  private final double ideal;

  /**
   * @param ideal weights of the groups
   * @param demands of the groups
   * @param linkOf of each group the link of each member port
   * @param capacities of the links; null if they are as much as the ideal weights put on them
   */
  LinkLoads(
      List<WeightVector> ideal, List<Ratio> demands, List<int[]> linkOf, double[] capacities) {
    this.linkOf = linkOf.toArray(int[][]::new);
    this.links = linkOf.stream().flatMapToInt(Arrays::stream).max().orElse(-1) + 1;
    Ratio unit = demands.stream().max(Ratio::compareTo).get();
    Ratio scale = capacities == null ? unit : Ratio.ONE;
    double[] demand = demands.stream().mapToDouble(d -> d.dividedBy(scale).toDouble()).toArray();
    double[][] shares = ideal.stream().map(LinkLoads::shares).toArray(double[][]::new);
    this.whole = new double[demand.length][];
    for (int g = 0; g < demand.length; g++) {
      whole[g] = new double[shares[g].length];
      Arrays.fill(whole[g], demand[g]);
    }
    double[] carry = capacities == null ? utilisation(shares) : capacities;
    boolean[] used = new boolean[links];
    double bound = 0;
    for (int g = 0; g < demand.length; g++) {
      double carriedByGroup = 0;
      for (int i = 0; i < whole[g].length; i++) {
        int link = this.linkOf[g][i];
        whole[g][i] /= carry[link];
        carriedByGroup += carry[link];
        used[link] = true;
      }
      bound = Math.max(bound, demand[g] / carriedByGroup);
    }
    double carried =
        IntStream.range(0, links).filter(l -> used[l]).mapToDouble(l -> carry[l]).sum();
    this.lowerBound = Math.max(bound, Arrays.stream(demand).sum() / carried);
    this.ideal = Arrays.stream(utilisation(shares)).max().orElse(0);
  }

  private static double[] shares(WeightVector group) {
    double size = group.exactSize().doubleValue();
    return IntStream.range(0, group.ports()).mapToDouble(i -> group.weight(i) / size).toArray();
  }

  private double[] utilisation(double[][] shares) {
    double[] utilisation = new double[links];
    for (int g = 0; g < shares.length; g++) {
      for (int i = 0; i < shares[g].length; i++) {
        utilisation[linkOf[g][i]] += whole[g][i] * shares[g][i];
      }
    }
    return utilisation;
  }

  /** Each link's utilisation by groups of so many entries per port. */
  double[] utilisation(List<int[]> groups) {
    return utilisation(
        groups.stream()
            .map(
                weights -> {
                  double size = IntStream.of(weights).asLongStream().sum();
                  return IntStream.of(weights).mapToDouble(w -> w / size).toArray();
                })
            .toArray(double[][]::new));
  }

  /** A utilisation that no weights can be below: all links, or those of one group, fully even. */
  double lowerBound() {
    return lowerBound;
  }

  /** The busiest link's utilisation with the ideal weights. */
  double ideal() {
    return ideal;
  }

  /** The links of a group's member ports, not to be changed. */
  int[] linksOf(int group) {
    return linkOf[group];
  }

  /** What all traffic of a group would add to the utilisation of each of its ports' links. */
  double[] whole(int group) {
    return whole[group];
  }
}
