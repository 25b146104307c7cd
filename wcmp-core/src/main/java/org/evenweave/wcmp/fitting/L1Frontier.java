package org.evenweave.wcmp.fitting;

import java.util.Arrays;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The sizes of one group that are worth their entries by the L1 distance of its shares from the
 * ideal ones, the sum over ports of |realised - ideal share|. Each size is nearer than every
 * smaller one. They are searched upwards as far as requested, and cached.
 *
 * <p>The best group of n entries gives every port its ideal share of n rounded down, but not less
 * than what is guaranteed, and one more to those with the largest remainders. Taking the entries
 * one by one, each to the port where it brings the sum down most, gives the same; and as the
 * distance is convex in every port's entries, that is optimal.
 *
 * <p>Shares are doubles: distances are right to 2^-40 of an entry of the largest table there is.
 */
final class L1Frontier {
  /** Distances nearer to each other than by this factor are equal but for rounding. */
  private static final double NOISE = 1 - 0x1p-36;

  private final WeightVector ideal;
  private final GuaranteedPorts guaranteed;
  private final double[] shares;
  private final double[] remainders;

  private int[] sizes = new int[16];
  private double[] distances = new double[16];
  private int points;
  private int searchedTo;

  /**
   * @param minNextHops ports that get at least one entry; all if there are fewer
   */
  L1Frontier(WeightVector ideal, int minNextHops) {
    this.ideal = ideal;
    this.guaranteed = GuaranteedPorts.atLeast(ideal, minNextHops);
    this.shares = new double[ideal.ports()];
    double size = ideal.exactSize().doubleValue();
    Arrays.setAll(shares, i -> ideal.weight(i) / size);
    this.remainders = new double[shares.length];
    this.searchedTo = smallestSize() - 1;
    search(smallestSize());
  }

  /** Entries that the group needs at least. */
  int smallestSize() {
    return guaranteed.count();
  }

  /** Entries from which on the group is exact; 2^63 - 1 if it is more than that. */
  long exactSize() {
    return ideal.size();
  }

  /** Makes all points of at most so many entries known. */
  void search(long to) {
    long last = Math.min(to, ideal.size());
    for (; searchedTo < last; searchedTo++) {
      int size = searchedTo + 1;
      double distance = size == ideal.size() ? 0 : distanceOf(size);
      if (points == 0 || distance < distances[points - 1] * NOISE) {
        append(size, distance);
      }
    }
  }

  private void append(int size, double distance) {
    if (points == sizes.length) {
      sizes = Arrays.copyOf(sizes, 2 * points);
      distances = Arrays.copyOf(distances, 2 * points);
    }
    sizes[points] = size;
    distances[points] = distance;
    points++;
  }

  /** Number of sizes known so far that are worth their entries. */
  int points() {
    return points;
  }

  int size(int point) {
    return sizes[point];
  }

  /** The L1 distance from the ideal shares, from 0 to 2. */
  double distance(int point) {
    return distances[point];
  }

  /** As shares sum to 1 on both sides, the distance is twice what ports get too much. */
  private double distanceOf(int size) {
    long given = 0;
    double tooMuch = 0;
    int open = 0;
    for (int i = 0; i < shares.length; i++) {
      double exact = shares[i] * size;
      long floor = (long) exact;
      int least = guaranteed.least(i);
      if (floor < least) {
        tooMuch += least - exact;
        given += least;
      } else {
        remainders[open++] = exact - floor;
        given += floor;
      }
    }
    if (given < size) {
      Arrays.sort(remainders, 0, open);
      for (int i = open - 1; given < size; i--, given++) {
        tooMuch += 1 - remainders[i];
      }
    }
    return 2 * tooMuch / size;
  }

  /** The entries of each port in the nearest group of so many entries. */
  int[] weights(int size) {
    int[] weights = new int[shares.length];
    long missing = size;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Math.max(guaranteed.least(i), (int) (shares[i] * size));
      missing -= weights[i];
    }
    for (; missing > 0; missing--) {
      weights[portWithLeast(weights, size, +1)]++;
    }
    for (; missing < 0; missing++) {
      weights[portWithLeast(weights, size, -1)]--;
    }
    return weights;
  }

  /**
   * The port where one entry more or less costs least: for one more by what it then has beyond its
   * share, for one less, which costs all the same, by what part of its share it then lacks.
   */
  private int portWithLeast(int[] weights, int size, int change) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < weights.length; i++) {
      int then = weights[i] + change;
      double exact = shares[i] * size;
      double cost = change > 0 ? Math.abs(then - exact) - Math.abs(weights[i] - exact) : 0;
      cost = change > 0 ? cost : (exact - then) / exact;
      if (then >= guaranteed.least(i) && cost < least) {
        least = cost;
        best = i;
      }
    }
    return best;
  }
}
