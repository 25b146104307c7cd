package org.evenweave.sdd.solstice;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;

/**
 * Cuts demand down to what a week of circuits can carry: no source and no destination keeps more.
 *
 * <p>Without this, one overloaded destination would set the sum that {@link QuickStuff} stuffs
 * every row and column to, and days would be as long as its flows while everybody else's ran dry in
 * them.
 *
 * <p><b>Idea.</b> Largest entries first, each is admitted as far as its source and its destination
 * have room. Each entry costs a day, and a day's night costs the same however much it carries, so
 * the large are worth more. An entry is cut only if its source or destination is full of entries
 * that came before it.
 *
 * <p><b>Nobody starves.</b> Senders that find their queue full report the same demand every week,
 * so size alone could let the same one win for ever. So what got nothing counts for one more time
 * its size each week. Say an entry waits for W weeks, against s others at most K times its size,
 * and that who is admitted is served. In the second half of these weeks its rank is W/2 times its
 * size or more, so whoever goes before it has itself waited for W/2K weeks. So each other does so K
 * + 1 times at most in these W/2 weeks, and every week somebody does: W is at most 2 s (K + 1). The
 * weeks that count are limited, so this holds for entries down to a four thousandth of a week.
 *
 * <p><b>Complexity.</b> O(n²) if nobody is overloaded; if somebody is, a sort of the entries.
 *
 * <p>The CoNEXT 2015 paper assumes that demand fits; its authors' program shares an overloaded
 * host's capacity evenly instead.
 */
final class Admission {
  private static final int POSITION_BITS = 31;

  /** Sizes are compared by this many bits, that is to a millionth of a week. */
  private static final int SIZE_BITS = 20;

  private static final int MOST_WEEKS = (1 << Long.SIZE - 1 - POSITION_BITS - SIZE_BITS) - 1;

  private final int hosts;
  private final long[] sourceRest;
  private final long[] destinationRest;

  /** Of each entry, from the highest bit: 32 bits of its rank, 31 of its position. */
  private final long[] byRank;

  /** Of each entry, one more than the weeks for which nothing of it was served. */
  private final short[] weeks;

  /** Whether the last matrix was cut. */
  private boolean overloaded;

  Admission(int hosts) {
    this.hosts = hosts;
    this.sourceRest = new long[hosts];
    this.destinationRest = new long[hosts];
    this.byRank = new long[hosts * hosts];
    this.weeks = new short[hosts * hosts];
    Arrays.fill(weeks, (short) 1);
  }

  /**
   * Cuts the matrix in place, so that no row and no column sums to more.
   *
   * @param mostBytes more than 0
   */
  void admit(long[] matrix, long mostBytes) {
    overloaded = isOverloaded(matrix, mostBytes);
    if (!overloaded) {
      Arrays.fill(weeks, (short) 1);
      return;
    }
    int entries = rank(matrix, mostBytes);
    Arrays.fill(sourceRest, mostBytes);
    Arrays.fill(destinationRest, mostBytes);
    for (int i = entries - 1; i >= 0; i--) {
      int at = (int) byRank[i] & Integer.MAX_VALUE;
      int source = at / hosts;
      int destination = at % hosts;
      long room = Math.min(sourceRest[source], destinationRest[destination]);
      matrix[at] = Math.min(matrix[at], room);
      sourceRest[source] -= matrix[at];
      destinationRest[destination] -= matrix[at];
    }
  }

  /**
   * Remembers who was served in a week, for the weeks to come.
   *
   * @param demand what was to be sent, uncut
   * @param remainder what of it no day carried
   */
  void remember(DemandMatrix demand, DemandMatrix remainder) {
    if (!overloaded) {
      return;
    }
    for (int at = 0; at < weeks.length; at++) {
      long bytes = demand.get(at / hosts, at % hosts);
      boolean refused = bytes > 0 && remainder.get(at / hosts, at % hosts) == bytes;
      weeks[at] = refused ? (short) Math.min(MOST_WEEKS, weeks[at] + 1) : 1;
    }
  }

  private boolean isOverloaded(long[] matrix, long mostBytes) {
    Arrays.fill(destinationRest, mostBytes);
    boolean exceeded = false;
    for (int source = 0; source < hosts; source++) {
      long rest = mostBytes;
      for (int destination = 0; destination < hosts; destination++) {
        rest -= matrix[source * hosts + destination];
        destinationRest[destination] -= matrix[source * hosts + destination];
      }
      exceeded |= rest < 0;
    }
    for (long rest : destinationRest) {
      exceeded |= rest < 0;
    }
    return exceeded;
  }

  /** Lists the entries, lowest rank first; tells how many there are. */
  private int rank(long[] matrix, long mostBytes) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(mostBytes) - SIZE_BITS);
    int entries = 0;
    for (int at = 0; at < matrix.length; at++) {
      if (matrix[at] > 0) {
        // At least 1, so that waiting counts for the smallest too.
        long size = Math.max(1, Math.min(matrix[at], mostBytes) >>> shift);
        byRank[entries++] = size * weeks[at] << POSITION_BITS | at;
      }
    }
    Arrays.sort(byRank, 0, entries);
    return entries;
  }
}
