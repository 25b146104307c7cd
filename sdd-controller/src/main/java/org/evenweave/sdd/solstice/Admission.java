package org.evenweave.sdd.solstice;

import java.util.Arrays;

/**
 * Cuts demand down to what a week of circuits can carry: no source and no destination keeps more.
 *
 * <p>Without this, one overloaded destination would set the sum that {@link QuickStuff} stuffs
 * every row and column to, and days would be as long as its flows while everybody else's ran dry in
 * them.
 *
 * <p><b>Idea.</b> Largest entries first, each is admitted as far as its source and its destination
 * have room. Each entry costs a day, and a day's night costs the same however much it carries, so
 * the large are worth more. An entry is cut only if its source or destination is full of entries as
 * large or larger. What is cut waits, grows if its source has more to send, and is among the
 * largest one day.
 *
 * <p><b>Complexity.</b> O(n²) if nobody is overloaded; if somebody is, a sort of the entries.
 *
 * <p>The CoNEXT 2015 paper assumes that demand fits; its authors' program shares an overloaded
 * host's capacity evenly instead.
 */
final class Admission {
  private static final int POSITION_BITS = 31;

  private final int hosts;
  private final long[] sourceRest;
  private final long[] destinationRest;

  /** Of each entry, from the highest bit: 32 bits of its size, 31 of its position. */
  private final long[] bySize;

  Admission(int hosts) {
    this.hosts = hosts;
    this.sourceRest = new long[hosts];
    this.destinationRest = new long[hosts];
    this.bySize = new long[hosts * hosts];
  }

  /**
   * Cuts the matrix in place, so that no row and no column sums to more.
   *
   * @param mostBytes more than 0
   */
  void admit(long[] matrix, long mostBytes) {
    if (!isOverloaded(matrix, mostBytes)) {
      return;
    }
    int entries = sort(matrix, mostBytes);
    Arrays.fill(sourceRest, mostBytes);
    Arrays.fill(destinationRest, mostBytes);
    for (int i = entries - 1; i >= 0; i--) {
      int at = (int) bySize[i] & Integer.MAX_VALUE;
      int source = at / hosts;
      int destination = at % hosts;
      long room = Math.min(sourceRest[source], destinationRest[destination]);
      matrix[at] = Math.min(matrix[at], room);
      sourceRest[source] -= matrix[at];
      destinationRest[destination] -= matrix[at];
    }
  }

  private boolean isOverloaded(long[] matrix, long mostBytes) {
    Arrays.fill(destinationRest, mostBytes);
    boolean overloaded = false;
    for (int source = 0; source < hosts; source++) {
      long rest = mostBytes;
      for (int destination = 0; destination < hosts; destination++) {
        rest -= matrix[source * hosts + destination];
        destinationRest[destination] -= matrix[source * hosts + destination];
      }
      overloaded |= rest < 0;
    }
    for (long rest : destinationRest) {
      overloaded |= rest < 0;
    }
    return overloaded;
  }

  /** Lists the entries, smallest first; tells how many there are. */
  private int sort(long[] matrix, long mostBytes) {
    // Sizes of more than 32 bits are compared by their highest 32.
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(mostBytes) - 32);
    int entries = 0;
    for (int at = 0; at < matrix.length; at++) {
      if (matrix[at] > 0) {
        bySize[entries++] = Math.min(matrix[at], mostBytes) >>> shift << POSITION_BITS | at;
      }
    }
    Arrays.sort(bySize, 0, entries);
    return entries;
  }
}
