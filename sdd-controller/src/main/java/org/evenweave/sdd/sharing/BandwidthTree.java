package org.evenweave.sdd.sharing;

import java.util.Arrays;
import java.util.Locale;

/**
 * Hierarchical bandwidth sharing: a tree of classes (tenants, their machines, their queues), in
 * which each class divides what it gets over its children by weight, no class gets more than it
 * wants or than its ceiling, and none less than its guarantee, unless it wants less.
 *
 * <p><b>Idea.</b> A class wants what its children want together, up to its ceiling, and is
 * guaranteed at least what they are together. From the root down, each class's bandwidth is
 * water-filled over its children: those who want less than their weighted share get what they want,
 * and the rest share what that leaves, until no class wants less than its share. A child that then
 * has less than its floor (its guarantee, or what it wants if that is less) gets its floor, and the
 * others are filled again with the rest. This is max-min fair by weight among the children of each
 * class, within their floors and wants; what one leaves is first its siblings'.
 *
 * <p><b>Proof.</b> A step of filling either satisfies a child permanently (the shares of the others
 * only grow by what it leaves, being less than its share) or ends, so k children take at most k
 * steps; at the end either all are satisfied, or the bandwidth is used up and the unsatisfied have
 * it by weight. Giving a child its floor only lowers what each unit of weight gets, so a child that
 * was below its floor would be below it in every later filling: it stays there, and there are at
 * most as many fillings as guarantees, and one. The floors always fit, as guarantees add up.
 *
 * <p><b>Complexity.</b> O(k²) for a filling of k children, O(k) if all want their share. Shares are
 * rounded down to whole bits per second. No allocation after the constructor.
 *
 * <p>Source: Tewari 2015, section 5.4.4 (equal shares in a queue, {@link SharedQueues}); Bertsekas
 * and Gallager, "Data networks", section 6.5.2, for max-min.
 */
public final class BandwidthTree {
  /** The most weight of a class's children together. */
  public static final int MAX_WEIGHT = 65_535;

  /** The most bandwidth to divide, 100 Tb/s: times a weight it must fit a {@code long}. */
  public static final long MAX_CAPACITY_BPS = 100_000_000_000_000L;

  private static final int ROOT = 0;
  private static final long OPEN = -1;

  private final int[] parents;
  private final int[] weights;
  private final long[] ceilingsBps;
  private final long[] guaranteesBps;

  /**
   * The children of class c: {@code children[firstChild[c]]} up to before {@code firstChild[c +
   * 1]}.
   */
  private final int[] children;

  private final int[] firstChild;
  private final long[] wantedBps;

  /** Children that have their floor, of the class that is shared. */
  private final boolean[] isAtFloor;

  /**
   * A tree; class 0 is its root.
   *
   * @param parents of each class; smaller than its own number, and -1 for the root
   * @param weights of each class, 1 or more, and of the children of a class {@value #MAX_WEIGHT} at
   *     most together; the root's does not matter
   * @param ceilingsBps what each class gets at most, 0 or more
   * @param guaranteesBps what each class gets at least if it wants it, 0 or more; for one with
   *     children 0 stands for what these are guaranteed together
   * @throws IllegalArgumentException if it is no tree; {@link GuaranteeException} if guarantees do
   *     not fit
   */
  public BandwidthTree(int[] parents, int[] weights, long[] ceilingsBps, long[] guaranteesBps) {
    int classes = parents.length;
    if (classes == 0
        || weights.length != classes
        || ceilingsBps.length != classes
        || guaranteesBps.length != classes
        || parents[ROOT] != -1) {
      throw new IllegalArgumentException(
          "parents, weights, ceilingsBps and guaranteesBps must be equally long, and parents[0] ="
              + " -1 (the root)");
    }
    this.parents = parents.clone();
    this.weights = weights.clone();
    this.ceilingsBps = ceilingsBps.clone();
    this.guaranteesBps = guaranteesBps.clone();
    this.firstChild = new int[classes + 1];
    int[] childrensWeight = new int[classes];
    for (int c = 1; c < classes; c++) {
      if (parents[c] < 0 || parents[c] >= c) {
        throw new IllegalArgumentException(
            "parents[" + c + "]: " + parents[c] + " is not below it");
      }
      int most = MAX_WEIGHT - childrensWeight[parents[c]];
      if (weights[c] < 1 || weights[c] > most) {
        throw new IllegalArgumentException(
            "weights[" + c + "]: must be 1 to " + most + " here, not " + weights[c]);
      }
      childrensWeight[parents[c]] += weights[c];
      firstChild[parents[c] + 1]++;
    }
    Arrays.parallelPrefix(firstChild, Integer::sum);
    this.children = new int[classes - 1];
    int[] next = firstChild.clone();
    for (int c = 1; c < classes; c++) {
      children[next[parents[c]]++] = c;
    }
    this.wantedBps = new long[classes];
    this.isAtFloor = new boolean[classes];
    addUpGuarantees();
  }

  private void addUpGuarantees() {
    for (int c = parents.length - 1; c >= 0; c--) {
      long childrensBps = 0;
      for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
        childrensBps = Math.addExact(childrensBps, guaranteesBps[children[i]]);
      }
      if (guaranteesBps[c] > 0 && childrensBps > guaranteesBps[c]) {
        throw new GuaranteeException(c, childrensBps, guaranteesBps[c], false);
      }
      guaranteesBps[c] = Math.max(guaranteesBps[c], childrensBps);
      if (guaranteesBps[c] > ceilingsBps[c]) {
        throw new GuaranteeException(c, guaranteesBps[c], ceilingsBps[c], true);
      }
    }
  }

  /**
   * Divides bandwidth.
   *
   * @param capacityBps what there is: as much as is guaranteed, to {@value #MAX_CAPACITY_BPS}
   * @param leavesWantBps of each class without children what it wants, 0 or more; of others ignored
   * @param ratesBps receives what each class gets
   */
  public void share(long capacityBps, long[] leavesWantBps, long[] ratesBps) {
    if (capacityBps < guaranteesBps[ROOT] || capacityBps > MAX_CAPACITY_BPS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "capacityBps: must be %d to %d, not %d",
              guaranteesBps[ROOT],
              MAX_CAPACITY_BPS,
              capacityBps));
    }
    for (int c = parents.length - 1; c >= 0; c--) {
      // Wanting more than there is makes no difference.
      long mostBps = Math.min(capacityBps, ceilingsBps[c]);
      wantedBps[c] = isLeaf(c) ? Math.min(mostBps, leavesWantBps[c]) : 0;
      for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
        wantedBps[c] = Math.min(mostBps, wantedBps[c] + wantedBps[children[i]]);
      }
    }
    ratesBps[ROOT] = wantedBps[ROOT];
    for (int c = 0; c < parents.length; c++) {
      if (!isLeaf(c)) {
        shareAmongChildren(c, ratesBps);
      }
    }
  }

  private boolean isLeaf(int c) {
    return firstChild[c] == firstChild[c + 1];
  }

  private void shareAmongChildren(int c, long[] ratesBps) {
    for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
      isAtFloor[children[i]] = false;
    }
    do {
      fill(c, ratesBps);
    } while (raiseToFloors(c, ratesBps));
  }

  /** Divides what the children at their floors leave over the others. */
  private void fill(int c, long[] ratesBps) {
    long restBps = ratesBps[c];
    long openWeight = 0;
    for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
      int child = children[i];
      if (isAtFloor[child]) {
        restBps -= ratesBps[child];
      } else {
        ratesBps[child] = OPEN;
        openWeight += weights[child];
      }
    }
    boolean someSatisfied = true;
    while (someSatisfied) {
      someSatisfied = false;
      for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
        int child = children[i];
        if (ratesBps[child] == OPEN && wantedBps[child] * openWeight <= restBps * weights[child]) {
          ratesBps[child] = wantedBps[child];
          restBps -= wantedBps[child];
          openWeight -= weights[child];
          someSatisfied = true;
        }
      }
    }
    for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
      int child = children[i];
      if (ratesBps[child] == OPEN) {
        ratesBps[child] = restBps * weights[child] / openWeight;
      }
    }
  }

  /** Whether a child was below its floor, which it has now. */
  private boolean raiseToFloors(int c, long[] ratesBps) {
    boolean some = false;
    for (int i = firstChild[c]; i < firstChild[c + 1]; i++) {
      int child = children[i];
      long floorBps = Math.min(wantedBps[child], guaranteesBps[child]);
      if (ratesBps[child] < floorBps) {
        ratesBps[child] = floorBps;
        isAtFloor[child] = true;
        some = true;
      }
    }
    return some;
  }
}
