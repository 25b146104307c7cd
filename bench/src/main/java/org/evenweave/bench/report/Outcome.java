package org.evenweave.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;

/** The results of one algorithm for many groups: their sizes and oversubscriptions. */
public final class Outcome {
  private int groups;
  private long entries;
  private int overfullTables;

  /** Of the worst group of each table. */
  private final List<Ratio> oversubscriptionOfTable = new ArrayList<>();

  /** Of each table: the demand-weighted mean of its groups' L1 distances, by their sizes. */
  private final List<Double> l1OfTable = new ArrayList<>();

  /** Of each table: the largest load of a port in terms of its ideal one. */
  private final List<Double> busiestOfTable = new ArrayList<>();

  private Ratio worst = Ratio.ONE;
  private double sumOfOversubscription;
  private double medianNs;

  /** Counts one more group, and gives its maximum oversubscription. */
  public Ratio add(RandomGroup ideal, int[] weights) {
    Ratio oversubscription = Oversubscription.of(ideal.longs, weights);
    groups++;
    entries += IntStream.of(weights).sum();
    worst = worst.compareTo(oversubscription) < 0 ? oversubscription : worst;
    sumOfOversubscription += oversubscription.toDouble();
    return oversubscription;
  }

  /** Counts the groups of one more table, and whether they exceed it. */
  public void addTable(RandomGroup[] ideal, List<int[]> weights, int tableEntries) {
    long before = entries;
    Ratio worstInTable = Ratio.ONE;
    for (int g = 0; g < ideal.length; g++) {
      Ratio oversubscription = add(ideal[g], weights.get(g));
      worstInTable = worstInTable.compareTo(oversubscription) < 0 ? oversubscription : worstInTable;
    }
    oversubscriptionOfTable.add(worstInTable);
    overfullTables += entries - before > tableEntries ? 1 : 0;
    addLoads(ideal, weights);
  }

  /** What the ports carry if each group carries as much as its ideal size. */
  private void addLoads(RandomGroup[] ideal, List<int[]> weights) {
    double[] load = new double[ideal[0].ints.length];
    double[] wanted = new double[load.length];
    double distance = 0;
    double total = 0;
    for (int g = 0; g < ideal.length; g++) {
      int[] group = ideal[g].ints;
      double demand = IntStream.of(group).asLongStream().sum();
      double size = IntStream.of(weights.get(g)).sum();
      for (int i = 0; i < group.length; i++) {
        double carried = demand * weights.get(g)[i] / size;
        load[i] += carried;
        wanted[i] += group[i];
        distance += Math.abs(carried - group[i]);
      }
      total += demand;
    }
    l1OfTable.add(distance / total);
    busiestOfTable.add(
        IntStream.range(0, load.length).mapToDouble(i -> load[i] / wanted[i]).max().orElseThrow());
  }

  /** Sets how long the algorithm takes, in nanoseconds. */
  public Outcome timed(double medianNs) {
    this.medianNs = medianNs;
    return this;
  }

  double medianNs() {
    return medianNs;
  }

  double meanEntries() {
    return (double) entries / groups;
  }

  double maxOversubscription() {
    return worst.toDouble();
  }

  double meanOversubscription() {
    return sumOfOversubscription / groups;
  }

  /** The mean over tables of their groups' L1 distance from ideal shares. */
  double meanL1() {
    return l1OfTable.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** The mean over tables of the busiest port's load in terms of its ideal one. */
  double meanUtilisation() {
    return busiestOfTable.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Tables whose worst group is worse off than with the other algorithm. */
  double worseTables(Outcome other) {
    return IntStream.range(0, oversubscriptionOfTable.size())
        .filter(t -> overOther(other, t).compareTo(Ratio.ONE) > 0)
        .count();
  }

  /** The largest oversubscription of a table in terms of what it is with the other algorithm. */
  double worstRatio(Outcome other) {
    return IntStream.range(0, oversubscriptionOfTable.size())
        .mapToObj(t -> overOther(other, t))
        .max(Ratio::compareTo)
        .orElseThrow()
        .toDouble();
  }

  private Ratio overOther(Outcome other, int table) {
    return oversubscriptionOfTable.get(table).dividedBy(other.oversubscriptionOfTable.get(table));
  }

  /** Tables with more entries than there are. */
  double overfullTables() {
    return overfullTables;
  }
}
