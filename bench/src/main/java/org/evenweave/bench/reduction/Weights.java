package org.evenweave.bench.reduction;

import org.evenweave.bench.common.RandomGroup;

/** The source of the ideal weights of a case; named as in the results. */
public enum Weights {
  /**
   * Independent, each uniform from the least to the largest weight; all groups of as many ports.
   */
  uniform {
    @Override
    RandomGroup[] groups(ReductionCase of, long seed) {
      return RandomGroup.many(seed, of.groups, of.ports, of.minWeight, of.maxWeight);
    }
  },

  /** Numbers of parallel links with failures, of groups of several sizes. */
  fabric {
    @Override
    RandomGroup[] groups(ReductionCase of, long seed) {
      return RandomGroup.ofFabrics(seed, of.groups, of.minPorts, of.ports);
    }
  };

  abstract RandomGroup[] groups(ReductionCase of, long seed);
}
