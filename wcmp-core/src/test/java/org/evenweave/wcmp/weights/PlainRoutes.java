package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The slow and obvious model of routes to one destination: distances by relaxing every link until
 * nothing changes, effective capacities and weights as exact fractions straight from the formula.
 */
final class PlainRoutes {
  private static final BigInteger INFINITE = BigInteger.ONE.shiftLeft(200);

  private final Fabric fabric;
  final int[] hops;
  private final BigInteger[] effectiveBps;

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
  Map<Integer, BigInteger> group(int s, WeightRule rule) {
    Map<Integer, Ratio> fractions = new TreeMap<>();
    BigInteger denominator = BigInteger.ONE;
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (isMember(s, arc)) {
        BigInteger bundle = bundleBps(s, fabric.to(arc));
        Ratio weight =
            rule == WeightRule.EQUAL
                ? Ratio.of(1, 1)
                : Ratio.of(fabric.capacityBps(arc), 1)
                    .times(Ratio.of(bundle.min(effectiveBps(fabric.to(arc))), bundle));
        fractions.put(arc, weight);
        denominator = denominator.multiply(weight.denominator());
      }
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
