package org.evenweave.bench.fitting;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.bench.common.RandomGroup;
import org.evenweave.wcmp.fitting.FittedGroups;
import org.evenweave.wcmp.fitting.GroupSetFitting;
import org.evenweave.wcmp.fitting.Links;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.fitting.baseline.PaperFitting;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.baseline.HeapGreedy;
import org.evenweave.wcmp.reduction.baseline.LargestRemainders;
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

  /**
   * Each group has its share of the table by size, and of that each port its share, rounded by
   * largest remainders: nearest to the ideal shares (L1) at that size.
   */
  largestRemainders {
    @Override
    int[] fitOne(RandomGroup group, int entries) {
      return LargestRemainders.fit(group.ints, entries);
    }

    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      long total = Arrays.stream(groups).mapToLong(g -> PaperReduction.size(g.ints)).sum();
      return Arrays.stream(groups)
          .map(g -> fitOne(g, (int) (PaperReduction.size(g.ints) * entries / total)))
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
      return weights(GroupSetFitting.of(longs(groups)).into(entries));
    }
  },

  /** The product's objective {@code l1}. */
  evenweaveL1 {
    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      return weights(fitting(groups).intoByL1(entries));
    }
  },

  /** The product's objective {@code utilisation}, of links as wide as the ideal weights ask for. */
  evenweaveUtilisation {
    @Override
    List<int[]> fitMany(RandomGroup[] groups, int entries) {
      return weights(fitting(groups).intoByUtilisation(entries, links(groups)));
    }
  };

  /** A group's demand is the sum of its weights. */
  private static GroupSetFitting fitting(RandomGroup[] groups) {
    return GroupSetFitting.of(longs(groups))
        .withDemands(
            Arrays.stream(groups)
                .map(g -> Ratio.of(PaperReduction.size(g.ints), 1))
                .collect(Collectors.toList()));
  }

  private static List<long[]> longs(RandomGroup[] groups) {
    return Arrays.stream(groups).map(g -> g.longs).collect(Collectors.toList());
  }

  private static List<int[]> weights(FittedGroups fitted) {
    return IntStream.range(0, fitted.size()).mapToObj(fitted::weights).collect(Collectors.toList());
  }

  /** Member port i of every group is port i of the switch. */
  private static Links links(RandomGroup[] groups) {
    return Links.ofIdealLoad(
        Arrays.stream(groups)
            .map(g -> IntStream.range(0, g.ints.length).toArray())
            .collect(Collectors.toList()));
  }

  /** Fits the groups of one table. */
  final List<int[]> fit(RandomGroup[] table, int entries) {
    return table.length == 1 ? List.of(fitOne(table[0], entries)) : fitMany(table, entries);
  }

  int[] fitOne(RandomGroup group, int entries) {
    return fitMany(new RandomGroup[] {group}, entries).get(0);
  }

  abstract List<int[]> fitMany(RandomGroup[] groups, int entries);
}
