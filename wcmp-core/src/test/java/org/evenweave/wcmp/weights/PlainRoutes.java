package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The slow and obvious model of routes to one destination: distances by relaxing every link until
 * nothing changes, effective capacities and weights as exact fractions straight from the formula,
 * and the balanced flow from all switches with prefixes on all links, one by one.
 */
final class PlainRoutes {
  private static final BigInteger INFINITE = BigInteger.ONE.shiftLeft(200);

  private final Fabric fabric;
  final int[] hops;
  private final BigInteger[] effectiveBps;
  private final Map<Integer, Ratio> flow = new TreeMap<>();

  PlainRoutes(Fabric fabric, int destination) {
    this.fabric = fabric;
    hops = new int[fabric.switchCount()];
    Arrays.fill(hops, -1);
    hops[destination] = 0;
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int arc = 0; arc < fabric.arcCount(); arc++) {
        int next = fabric.to(arc);
        int s = fabric.from(arc);
        if (fabric.isUp(arc >> 1) && hops[next] >= 0 && (hops[s] < 0 || hops[s] > hops[next] + 1)) {
          hops[s] = hops[next] + 1;
          changed = true;
        }
      }
    }
    effectiveBps = new BigInteger[fabric.switchCount()];
    effectiveBps[destination] = INFINITE;
    balanceFlow(destination);
  }

  private void balanceFlow(int destination) {
    int[] arcs =
        IntStream.range(0, fabric.arcCount())
            .filter(arc -> isMember(fabric.from(arc), arc))
            .toArray();
    BigInteger[] supply = new BigInteger[hops.length];
    Arrays.fill(supply, BigInteger.ZERO);
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      int s = fabric.subnetSwitch(subnet);
      supply[s] = hops[s] > 0 ? BigInteger.ONE : BigInteger.ZERO;
    }
    supply[destination] = Arrays.stream(supply).reduce(BigInteger.ZERO, BigInteger::add).negate();
    BalancedFlow balanced =
        new BalancedFlow(
            Arrays.stream(arcs).map(fabric::from).toArray(),
            Arrays.stream(arcs).map(fabric::to).toArray(),
            Arrays.stream(arcs)
                .mapToObj(arc -> BigInteger.valueOf(fabric.capacityBps(arc)))
                .toArray(BigInteger[]::new),
            supply);
    for (int i = 0; i < arcs.length; i++) {
      Ratio capacity = Ratio.of(fabric.capacityBps(arcs[i]), 1);
      if (balanced.utilisation(i).compareTo(Ratio.ZERO) > 0) {
        flow.put(arcs[i], balanced.utilisation(i).times(capacity));
      }
    }
  }

  /** By arc, what flows when every switch with prefixes sends 1. */
  Map<Integer, Ratio> flow() {
    return flow;
  }

  private boolean isMember(int s, int arc) {
    return fabric.from(arc) == s
        && fabric.isUp(arc >> 1)
        && hops[s] > 0
        && hops[fabric.to(arc)] == hops[s] - 1;
  }

  private BigInteger bundleBps(int s, int next) {
    BigInteger sum = BigInteger.ZERO;
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (isMember(s, arc) && fabric.to(arc) == next) {
        sum = sum.add(BigInteger.valueOf(fabric.capacityBps(arc)));
      }
    }
    return sum;
  }

  private BigInteger effectiveBps(int s) {
    if (effectiveBps[s] == null) {
      effectiveBps[s] = BigInteger.ZERO;
      for (int next = 0; next < fabric.switchCount(); next++) {
        BigInteger bundle = bundleBps(s, next);
        if (bundle.signum() > 0) {
          effectiveBps[s] = effectiveBps[s].add(bundle.min(effectiveBps(next)));
        }
      }
    }
    return effectiveBps[s];
  }

  /** Member arcs and, under the rule, their weights in lowest terms. */
  Map<Integer, BigInteger> group(int s, WeightRule asked) {
    WeightRule rule = asked.in(fabric);
    Map<Integer, Ratio> fractions = new TreeMap<>();
    boolean passed = flow.keySet().stream().anyMatch(arc -> fabric.from(arc) == s);
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (isMember(s, arc)) {
        if (rule == WeightRule.EQUAL) {
          fractions.put(arc, Ratio.ONE);
        } else if (rule != WeightRule.MAXIMUM_FLOW || !passed) {
          BigInteger bundle = bundleBps(s, fabric.to(arc));
          fractions.put(
              arc,
              Ratio.of(fabric.capacityBps(arc), 1)
                  .times(Ratio.of(bundle.min(effectiveBps(fabric.to(arc))), bundle)));
        } else if (flow.containsKey(arc)) {
          fractions.put(arc, flow.get(arc));
        }
      }
    }
    BigInteger denominator = BigInteger.ONE;
    for (Ratio fraction : fractions.values()) {
      denominator = denominator.multiply(fraction.denominator());
    }
    Map<Integer, BigInteger> weights = new TreeMap<>();
    BigInteger divisor = BigInteger.ZERO;
    for (Map.Entry<Integer, Ratio> entry : fractions.entrySet()) {
      Ratio weight = entry.getValue();
      BigInteger integer = denominator.divide(weight.denominator()).multiply(weight.numerator());
      weights.put(entry.getKey(), integer);
      divisor = divisor.gcd(integer);
    }
    for (Map.Entry<Integer, BigInteger> entry : weights.entrySet()) {
      entry.setValue(entry.getValue().divide(divisor));
    }
    return weights;
  }
}
