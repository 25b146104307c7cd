package org.evenweave.engine.paths;

import java.util.Arrays;
import org.evenweave.wcmp.weights.RoutesChange;

/** By switch, the destinations to which an event gave it another group. Immutable. */
final class ChangedRoutes {
  private static final int[] NONE = {};

  private final int[][] destinationsOf;

  private ChangedRoutes(int switchCount) {
    destinationsOf = new int[switchCount][];
    Arrays.fill(destinationsOf, NONE);
  }

  /** An event that changed nothing. */
  static ChangedRoutes none(int switchCount) {
    return new ChangedRoutes(switchCount);
  }

  ChangedRoutes(RoutesChange change, int switchCount) {
    this(switchCount);
    int[] counts = new int[switchCount];
    change.forEach(
        (s, destination) -> {
          if (counts[s] == destinationsOf[s].length) {
            destinationsOf[s] = Arrays.copyOf(destinationsOf[s], Math.max(1, 2 * counts[s]));
          }
          destinationsOf[s][counts[s]++] = destination;
        });
    for (int s = 0; s < switchCount; s++) {
      if (counts[s] < destinationsOf[s].length) {
        destinationsOf[s] = Arrays.copyOf(destinationsOf[s], counts[s]);
      }
    }
  }

  /** Whether nothing changed. */
  boolean isEmpty() {
    return Arrays.stream(destinationsOf).allMatch(destinations -> destinations.length == 0);
  }

  /** Rising. */
  int[] at(int s) {
    return destinationsOf[s];
  }
}
