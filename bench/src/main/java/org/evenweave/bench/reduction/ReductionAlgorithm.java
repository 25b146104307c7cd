package org.evenweave.bench.reduction;

import java.util.function.Function;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.reduction.GroupReducer;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.baseline.HeapGreedy;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.evenweave.wcmp.reduction.baseline.ScaleAndFloor;
import org.evenweave.wcmp.reduction.baseline.TightHeap;

/** Ways to reduce groups within an oversubscription limit; named as in the results. */
public enum ReductionAlgorithm {
  /** Algorithm 1 as printed (Tewari 2015, section 3.3.2). */
  paper {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      return group -> PaperReduction.reduce(group.ints, limit);
    }
  },

  /** The same greedy on a binary heap. */
  heap {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      return group -> HeapGreedy.reduce(group.ints, limit);
    }
  },

  /** The same on a heap as tight as in C, into the same array again and again. */
  tightHeap {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      TightHeap heap = new TightHeap(limit);
      int[] reduced = new int[maxPorts];
      return group -> {
        heap.reduce(group.ints, reduced);
        return reduced;
      };
    }
  },

  /** Scaled to tables of P, 2P, 4P, ... entries and rounded down, until within the limit. */
  scaleAndFloor {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      return group -> ScaleAndFloor.reduce(group.ints, limit);
    }
  },

  /** What the product does, into the same array again and again, all groups being new to it. */
  evenweaveNew {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      return by(new GroupReducer(false), limit, maxPorts);
    }
  },

  /** What the product does where ports may be left out, all but two of the largest. */
  evenweaveLeavingOut {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      GroupReducer reducer = new GroupReducer();
      int[] reduced = new int[maxPorts];
      return group -> {
        reducer.reduce(
            group.longs, group.longs.length, limit, LeaveOut.DEFAULT_MIN_NEXT_HOPS, reduced);
        return reduced;
      };
    }
  },

  /** What the product does: groups that it has seen within this limit it may remember. */
  evenweave {
    @Override
    Function<RandomGroup, int[]> within(Ratio limit, int maxPorts) {
      return by(new GroupReducer(), limit, maxPorts);
    }
  };

  private static Function<RandomGroup, int[]> by(GroupReducer reducer, Ratio limit, int maxPorts) {
    int[] reduced = new int[maxPorts];
    return group -> {
      reducer.reduce(group.longs, limit, reduced);
      return reduced;
    };
  }

  /**
   * Reduces groups of up to {@code maxPorts} ports one after another. The entries are at the
   * beginning of the array and valid until the next group.
   */
  abstract Function<RandomGroup, int[]> within(Ratio limit, int maxPorts);
}
