package org.evenweave.bench.optimality;

import java.util.Locale;
import org.evenweave.bench.common.RandomGroup;

/** The distribution of random groups; the paper does not specify that of its 30,000. */
enum GroupKind {
  FEW_SMALL(8, 16),
  MEDIUM(16, 100),
  MANY_LARGE(32, 1000),
  /** Parallel links of 8 to 64 next hops, one link in fifty down. */
  FABRIC(64, 9) {
    @Override
    RandomGroup[] groups(long seed, int count) {
      return RandomGroup.ofFabrics(seed, count, 8, ports);
    }

    @Override
    String label() {
      return "fabric, 8 to 64 ports";
    }
  };

  final int ports;
  final int maxWeight;

  GroupKind(int ports, int maxWeight) {
    this.ports = ports;
    this.maxWeight = maxWeight;
  }

  /** The same for the same seed; weights are independent and uniform from 1. */
  RandomGroup[] groups(long seed, int count) {
    return RandomGroup.many(seed, count, ports, 1, maxWeight);
  }

  String label() {
    return String.format(Locale.ROOT, "%d ports, weights 1 to %d", ports, maxWeight);
  }
}
