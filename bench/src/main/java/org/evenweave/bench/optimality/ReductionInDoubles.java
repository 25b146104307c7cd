package org.evenweave.bench.optimality;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Algorithms 1 and 2 (Tewari 2015, section 3.3.2) with a port's share of the traffic and the
 * quotient of two shares (Equations 3.1 and 3.2) in floating point, as a program would be written
 * first. A group whose oversubscription is the limit exactly may then be taken for one above it.
 */
final class ReductionInDoubles {
  private ReductionInDoubles() {}

  /** The entries per port that Algorithm 1 ends with. */
  static int[] reduce(int[] ideal, double limit) {
    int[] reduced = new int[ideal.length];
    Arrays.fill(reduced, 1);
    int idealSize = IntStream.of(ideal).sum();
    double[] idealShares =
        IntStream.of(ideal).mapToDouble(weight -> (double) weight / idealSize).toArray();
    int size = ideal.length;
    while (oversubscription(reduced, size, idealShares) > limit) {
      reduced[choosePortToUpdate(reduced, size, idealShares)]++;
      size++;
      if (size > idealSize) {
        return ideal.clone();
      }
    }
    return reduced;
  }

  private static double oversubscription(int[] reduced, int size, double[] idealShares) {
    double most = 0;
    for (int i = 0; i < reduced.length; i++) {
      most = Math.max(most, (double) reduced[i] / size / idealShares[i]);
    }
    return most;
  }

  private static int choosePortToUpdate(int[] reduced, int size, double[] idealShares) {
    double least = Double.POSITIVE_INFINITY;
    int index = -1;
    for (int i = 0; i < reduced.length; i++) {
      double oversubscription = (reduced[i] + 1.0) / (size + 1) / idealShares[i];
      if (least > oversubscription) {
        least = oversubscription;
        index = i;
      }
    }
    return index;
  }
}
