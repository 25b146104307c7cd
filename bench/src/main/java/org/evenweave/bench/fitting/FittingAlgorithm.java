package org.evenweave.bench.fitting;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.fitting.FittedGroups;
import org.evenweave.wcmp.fitting.GroupSetFitting;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.fitting.baseline.PaperFitting;
import org.evenweave.wcmp.reduction.baseline.HeapGreedy;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.evenweave.wcmp.reduction.baseline.ScaleAndFloor;

/** Ways to fit groups into a table; named as in the results. */
public enum FittingAlgorithm {
  /** Algorithms 3 (one group) and 4 (many) as printed (Tewari 2015, section 3.3.2). */
  paper {
    @Override
    int[] fitOne(RandomGroup group, int entries) {
      return PaperFitting.fit(group.ints, entries);
    }

    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      return PaperFitting.fit(
          Arrays.stream(groups).map(g -> g.ints).collect(Collectors.toList()), entries);
    }
  },

  /** The greedy of Algorithm 1 on a binary heap, and the best size it passes. One group only. */
  heap {
    @Override
    int[] fitOne(RandomGroup group, int entries) {
      return HeapGreedy.fit(group.ints, entries);
    }

    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      throw new UnsupportedOperationException("fits one group");
    }
  },

  /** Scaled to the table, each group to its share of it by size, and rounded down. */
  scaleAndFloor {
    @Override
    int[] fitOne(RandomGroup group, int entries) {
      return ScaleAndFloor.fit(group.ints, entries);
    }

    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      long total = Arrays.stream(groups).mapToLong(g -> PaperReduction.size(g.ints)).sum();
      return Arrays.stream(groups)
          .map(
              g -> ScaleAndFloor.fit(g.ints, (int) (PaperReduction.size(g.ints) * entries / total)))
          .collect(Collectors.toList());
    }
  },

  /** What the product does. */
  evenweave {
    @Override
    int[] fitOne(RandomGroup group, int entries) {
      return TableFitting.fit(group.longs, entries);
    }

    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      FittedGroups fitted =
          GroupSetFitting.of(Arrays.stream(groups).map(g -> g.longs).collect(Collectors.toList()))
              .into(entries);
      return IntStream.range(0, groups.length)
          .mapToObj(fitted::weights)
          .collect(Collectors.toList());
    }
  };

  /** Fits the groups of one table. */
  final List<int[]> fit(RandomGroup[] table, int entries) {
    return table.length == 1 ? List.of(fitOne(table[0], entries)) : fitMany(table, entries);
  }

  abstract int[] fitOne(RandomGroup group, int entries);

  abstract List<int[]> fitMany(RandomGroup[] groups, int entries);
}
