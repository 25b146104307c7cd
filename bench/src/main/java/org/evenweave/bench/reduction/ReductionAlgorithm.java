package org.evenweave.bench.reduction;

import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightReduction;
import org.evenweave.wcmp.reduction.baseline.HeapGreedy;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.evenweave.wcmp.reduction.baseline.ScaleAndFloor;

/** Ways to reduce a group within an oversubscription limit; named as in the results. */
public enum ReductionAlgorithm {
  /** Algorithm 1 as printed (Tewari 2015, section 3.3.2). */
  paper {
    @Override
    int[] reduce(RandomGroup group, Ratio limit) {
      return PaperReduction.reduce(group.ints, limit);
    }
  },

  /** The same greedy on a binary heap. */
  heap {
    @Override
    int[] reduce(RandomGroup group, Ratio limit) {
      return HeapGreedy.reduce(group.ints, limit);
    }
  },

  /** Scaled to tables of P, 2P, 4P, ... entries and rounded down, until within the limit. */
  scaleAndFloor {
    @Override
    int[] reduce(RandomGroup group, Ratio limit) {
      return ScaleAndFloor.reduce(group.ints, limit);
    }
  },

  /** What the product does. */
  evenweave {
    @Override
    int[] reduce(RandomGroup group, Ratio limit) {
      return WeightReduction.reduce(group.longs, limit);
    }
  };

  abstract int[] reduce(RandomGroup group, Ratio limit);
}
