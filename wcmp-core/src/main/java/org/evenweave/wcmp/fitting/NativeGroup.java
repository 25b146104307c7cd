package org.evenweave.wcmp.fitting;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The weights of one group in a switch that has a number for each port: each at most {@code
 * maxWeight}, all together at most {@code maxTotalWeight}, with the least oversubscription.
 *
 * <p><b>Idea.</b> With X the ideal weights of sum W, a group Y of total T has the oversubscription
 * (W/T) max Y[i]/X[i] (Tewari 2015, Equation 3.2). For a given level m of that maximum the best
 * group is the one of the largest T, so Y[i] = min(maxWeight, floor(m X[i])). Only levels at which
 * one of these numbers steps up can be the best: k/X[i] for whole k. They are visited in rising
 * order, one unit of one port after the other, up to the largest total. Guaranteed ports need a
 * level of at least 1/X[i] for each. The walk ends where even the largest total would not improve.
 *
 * <p><b>At most so many ports.</b> The ports of the largest weights are kept: exchanging a smaller
 * port for one that is left out raises no quotient.
 *
 * <p><b>Ties.</b> The least oversubscription, then the most ports, then the smallest total. Where
 * the total is what limits, units may have gone to few ports: any division of the same total within
 * the same level is as good, so ports without a weight get units of others at the end.
 *
 * <p><b>Complexity.</b> O(T log P) for P ports and a largest total of T; O(P) where the weights in
 * lowest terms are allowed.
 */
final class NativeGroup {
  /** Sums of quotients as doubles are off by less than this part of them. */
  private static final double DOUBLE_ERROR = 1e-9;

  private final WeightVector ideal;
  private final GuaranteedPorts guaranteed;
  private final int maxWeight;
  private final int maxTotalWeight;

  private int[] best;
  private Ratio least;
  private long portsOfBest;

  /** The step whose level is that of the best group. */
  private Step levelOfBest;

  /**
   * @param maxWeight of each port, at least 1
   * @param maxTotalWeight of all ports, at least as much as there are guaranteed ports
   */
  NativeGroup(WeightVector ideal, GuaranteedPorts guaranteed, int maxWeight, int maxTotalWeight) {
    this.ideal = ideal;
    this.guaranteed = guaranteed;
    this.maxWeight = maxWeight;
    this.maxTotalWeight = maxTotalWeight;
  }

  /** A port whose weight may go up by one, and the level that this takes: weight / ideal. */
  private static final class Step {
    final int port;
    final int weight;
    final long ideal;

    Step(int port, int weight, long ideal) {
      this.port = port;
      this.weight = weight;
      this.ideal = ideal;
    }

    double level() {
      return (double) weight / ideal;
    }

    /** By level; of equal ones the port without a weight first, so that more ports have one. */
    static int compare(Step a, Step b) {
      int order = Ratio.compare(a.weight, a.ideal, b.weight, b.ideal);
      order = order != 0 ? order : Integer.compare(a.weight, b.weight);
      return order != 0 ? order : Integer.compare(a.port, b.port);
    }
  }

  /**
   * The weights, 0 for ports left out.
   *
   * @param members the most ports, at least as many as are guaranteed
   */
  int[] weights(int members) {
    best = null;
    if (members >= ideal.ports() && isAllowed()) {
      best = IntStream.range(0, ideal.ports()).map(i -> (int) ideal.weight(i)).toArray();
      least = Ratio.ONE;
    } else {
      walk(kept(members));
    }
    return best;
  }

  /** The oversubscription of the weights last computed. */
  Ratio oversubscription() {
    return least;
  }

  private boolean isAllowed() {
    return ideal.exactSize().compareTo(BigInteger.valueOf(maxTotalWeight)) <= 0
        && IntStream.range(0, ideal.ports()).allMatch(i -> ideal.weight(i) <= maxWeight);
  }

  /** The ports of the largest weights, first of all those that are guaranteed. */
  private int[] kept(int members) {
    return IntStream.range(0, ideal.ports())
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer i) -> -guaranteed.least(i))
                .thenComparingLong(i -> -ideal.weight(i)))
        .limit(members)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private void walk(int[] ports) {
    PriorityQueue<Step> steps = new PriorityQueue<>(Step::compare);
    int[] weights = new int[ideal.ports()];
    long largest = Math.min(maxTotalWeight, (long) maxWeight * ports.length);
    double capacity = ideal.exactSize().doubleValue();
    int missing = guaranteed.count();
    int reached = 0;
    long total = 0;
    for (int port : ports) {
      steps.add(new Step(port, 1, ideal.weight(port)));
    }
    while (total < largest) {
      Step step = steps.poll();
      reached += step.weight == 1 ? 1 : 0;
      // Guaranteed ports need their first unit whatever else there is no room for.
      boolean isFirst = guaranteed.least(step.port) == 1 && step.weight == 1;
      if (!isFirst && total + missing >= largest) {
        continue;
      }
      missing -= isFirst ? 1 : 0;
      weights[step.port] = step.weight;
      total++;
      if (step.weight < maxWeight) {
        steps.add(new Step(step.port, step.weight + 1, step.ideal));
      }
      if (missing > 0) {
        continue;
      }
      if (best != null
          && step.level() * capacity / largest > least.toDouble() * (1 + DOUBLE_ERROR)) {
        break;
      }
      keepIfBetter(weights, step, total, Math.min(total, reached), capacity);
    }
    spread(ports);
  }

  /**
   * @param highest the step whose level is that of the weights
   * @param ports how many can have a weight in this total at this level
   */
  private void keepIfBetter(int[] weights, Step highest, long total, long ports, double capacity) {
    double about = highest.level() * capacity / total;
    if (best != null && about > least.toDouble() * (1 + DOUBLE_ERROR)) {
      return;
    }
    Ratio now =
        Ratio.of(
            BigInteger.valueOf(highest.weight).multiply(ideal.exactSize()),
            BigInteger.valueOf(highest.ideal).multiply(BigInteger.valueOf(total)));
    int order = best == null ? -1 : now.compareTo(least);
    if (order < 0 || (order == 0 && ports > portsOfBest)) {
      best = weights.clone();
      least = now;
      portsOfBest = ports;
      levelOfBest = highest;
    }
  }

  /** Ports without a weight that may have one at the best level get a unit of another each. */
  private void spread(int[] ports) {
    for (int port : ports) {
      boolean isReached =
          Ratio.compare(1, ideal.weight(port), levelOfBest.weight, levelOfBest.ideal) <= 0;
      int donor = best[port] == 0 && isReached ? largestQuotient() : -1;
      if (donor >= 0) {
        best[donor]--;
        best[port]++;
      }
    }
  }

  /** Of the ports that can spare a unit; -1 if there is none. */
  private int largestQuotient() {
    int largest = -1;
    for (int i = 0; i < best.length; i++) {
      if (best[i] > 1
          && (largest < 0
              || Ratio.compare(best[i], ideal.weight(i), best[largest], ideal.weight(largest))
                  > 0)) {
        largest = i;
      }
    }
    return largest;
  }
}
