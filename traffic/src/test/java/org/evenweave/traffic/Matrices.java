package org.evenweave.traffic;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.evenweave.wcmp.traffic.TrafficMatrix;

/** Matrices that tests share. */
final class Matrices {
  private static final double GBPS = 1e9;

  private Matrices() {}

  static TrafficMatrix hotSpots(SplittableRandom random, int[] endpoints) {
    double[][] bps = new double[endpoints.length][endpoints.length];
    for (int i = 0; i < bps.length; i++) {
      for (int j = 0; j < bps.length; j++) {
        boolean hot = random.nextInt(12) == 0;
        bps[i][j] = i == j ? 0 : random.nextDouble() * (hot ? 5 : 0.3) * GBPS;
      }
    }
    return TrafficMatrix.of(endpoints, bps);
  }

  /** Every demand is off by up to the error, relatively; some go from the same switch elsewhere. */
  static TrafficMatrix perturbed(
      SplittableRandom random, TrafficMatrix matrix, double error, int moves) {
    int count = matrix.endpointCount();
    double[][] bps = new double[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        bps[i][j] = matrix.demandBps(i, j) * (1 + error * (2 * random.nextDouble() - 1));
      }
    }
    for (int moved = 0; moved < moves; moved++) {
      int i = random.nextInt(count);
      int from = random.nextInt(count);
      int to = random.nextInt(count);
      if (to != i && from != to) {
        bps[i][to] += bps[i][from];
        bps[i][from] = 0;
      }
    }
    return TrafficMatrix.of(matrix.endpoints(), bps);
  }

  /** Half of all pairs of switches, 1 to 19 Gb/s. */
  static TrafficMatrix random(SplittableRandom random, int switches) {
    double[][] bps = new double[switches][switches];
    for (int i = 0; i < switches; i++) {
      for (int j = 0; j < switches; j++) {
        bps[i][j] = i == j || random.nextBoolean() ? 0 : random.nextInt(1, 20) * GBPS;
      }
    }
    return TrafficMatrix.of(IntStream.range(0, switches).toArray(), bps);
  }
}
