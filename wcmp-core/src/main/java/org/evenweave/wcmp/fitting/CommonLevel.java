package org.evenweave.wcmp.fitting;

import java.util.List;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.SizeSearch;

/**
 * Bisects for a common level at which groups fit a table. Every probe takes a group's search over
 * sizes only between its sizes at the two levels known, one that fits and one that does not.
 */
final class CommonLevel {
  /** Levels below this part of the starting level are left to the climb. */
  private static final double LOWEST = 0x1p-40;

  /** Where bisection ends: the climb does the rest in a few steps. */
  private static final double PRECISION = 1 + 0x1p-10;

  /** A distinct group and its sizes at the level that fits and at the one that does not. */
  static final class Bracket {
    private final Frontier frontier;
    private long copies;
    private int smallest;
    private int largest;
    private int probed;

    /**
     * A bracket around all sizes of interest.
     *
     * @param entries of the whole table
     */
    Bracket(Frontier frontier, int entries) {
      this.frontier = frontier;
      this.smallest = frontier.smallestSize();
      this.largest = (int) Math.min(frontier.largestSize(), entries);
    }

    /** Counts one more group of this kind that takes entries of its own. */
    void addCopy() {
      copies++;
    }

    Frontier frontier() {
      return frontier;
    }

    /** The smallest size within the level that fits. */
    int smallest() {
      return smallest;
    }

    /** Entries of all copies at that size. */
    long smallestTotal() {
      return copies * smallest;
    }

    private boolean probe(Ratio level) {
      probed = smallest < largest ? frontier.smallestWithin(level, smallest, largest) : smallest;
      return probed != SizeSearch.NONE;
    }
  }

  private final List<Bracket> brackets;
  private final int entries;

  CommonLevel(List<Bracket> brackets, int entries) {
    this.brackets = brackets;
    this.entries = entries;
  }

  /** Narrows the brackets, whose smallest sizes fit, to the level looked for. */
  void narrow() {
    if (fitsWithin(Ratio.ZERO)) {
      return;
    }
    double fits =
        brackets.stream()
            .mapToDouble(bracket -> bracket.frontier.at(bracket.smallest).level.toDouble())
            .reduce(0, Math::max);
    fits = Math.min(fits, Float.MAX_VALUE);
    double tooLow = Math.max(fits * LOWEST, Float.MIN_NORMAL);
    while (fits > tooLow * PRECISION) {
      // A float's 24 bits keep the terms of the exact limits small, and are more than PRECISION.
      float level = (float) (Math.sqrt(fits) * Math.sqrt(tooLow));
      if (fitsWithin(Ratio.of(level))) {
        fits = level;
      } else {
        tooLow = level;
      }
    }
  }

  /** Probes a level, and narrows the brackets from above if it fits, else from below. */
  private boolean fitsWithin(Ratio level) {
    long total = 0;
    int probed = 0;
    while (total <= entries && probed < brackets.size() && brackets.get(probed).probe(level)) {
      total += brackets.get(probed).copies * brackets.get(probed).probed;
      probed++;
    }
    boolean fits = total <= entries && probed == brackets.size();
    for (Bracket bracket : brackets.subList(0, probed)) {
      if (fits) {
        bracket.smallest = bracket.probed;
      } else {
        bracket.largest = bracket.probed;
      }
    }
    return fits;
  }
}
