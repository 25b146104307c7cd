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
 * <p><b>Idea.</b> First those that wait: entries of which nothing was served in the week before,
 * new ones among them, get what they ask for, but no more than if all entries of their source or
 * destination shared the week evenly. Then largest entries first, each is admitted as far as its
 * source and its destination have room. Each entry costs a night, however much it carries: so the
 * large are worth more, and the week's end cuts the smallest. If somebody waits, that could be
 * they: so then room is kept for the nights of all days that may be needed, at every host, as the
 * fullest one determines how long the days are in total. When the days are known, {@link
 * #admitMore} gives away what was kept for nothing.
 *
 * <p><b>No pair starves.</b> Even shares fit the room by definition. So if a share is longer than
 * {@link #SHORTEST_SHARE_NIGHTS} nights, a pair that waited one week is admitted in the next, and
 * new demand at once.
 *
 * <p><b>Turns.</b> Senders that find their queue full report the same demand every week, so size
 * alone could give all that is above the shares to the same one for ever. So an entry's size counts
 * once more for each week in which it got no more than a share. Say that goes on for W weeks,
 * against s others at most K times its size. In the second half of these weeks its rank is W/2
 * times its size or more, so a pair that goes before it has itself gone without for W/2K weeks. So
 * each other does so K + 1 times at most in these W/2 weeks, and every week somebody does: W is at
 * most 2 s (K + 1). The weeks that count are limited, so this holds for entries down to a four
 * thousandth of a week. With so many entries that not all shares fit, those who wait are ranked in
 * the same way.
 *
 * <p><b>Complexity.</b> O(n²) if no host is overloaded; if one is, a sort of the entries.
 *
 * <p>The CoNEXT 2015 paper assumes that demand fits; its authors' program shares an overloaded
 * host's capacity evenly instead.
 */
final class Admission {
  /** Shorter days would cost more in nights than they carry. */
  private static final int SHORTEST_SHARE_NIGHTS = 3;

  private static final int POSITION_BITS = 31;

  /** Sizes are compared by this many bits, that is to a millionth of a week. */
  private static final int SIZE_BITS = 20;

  private static final int MOST_WEEKS = (1 << (Long.SIZE - 1 - POSITION_BITS - SIZE_BITS)) - 1;

  private final int hosts;
  private final long nightBytes;
  private final long[] sourceRest;
  private final long[] destinationRest;
  private final int[] entriesFrom;
  private final int[] entriesTo;

  /** Of each entry, from the highest bit: 32 bits of its rank, 31 of its position. */
  private final long[] byRank;

  private final long[] admitted;

  /** Of each entry, one more than the weeks in a row in which it got no more than a share. */
  private final short[] weeks;

  /** Whether nothing of an entry was served in the week before, as there was none or no room. */
  private final boolean[] waits;

  /**
   * Working memory.
   *
   * @param nightBytes what a circuit would carry in a night
   */
  Admission(int hosts, long nightBytes) {
    this.hosts = hosts;
    this.nightBytes = nightBytes;
    this.sourceRest = new long[hosts];
    this.destinationRest = new long[hosts];
    this.entriesFrom = new int[hosts];
    this.entriesTo = new int[hosts];
    this.byRank = new long[hosts * hosts];
    this.admitted = new long[hosts * hosts];
    this.weeks = new short[hosts * hosts];
    this.waits = new boolean[hosts * hosts];
    forget();
  }

  /** As before the first week, when no pair has waited. */
  void forget() {
    Arrays.fill(weeks, (short) 1);
    Arrays.fill(waits, false);
  }

  /**
   * Cuts the matrix in place, so that no row and no column sums to more.
   *
   * @param mostBytes more than 0
   */
  void admit(long[] matrix, long mostBytes) {
    if (!isOverloaded(matrix, mostBytes)) {
      Arrays.fill(weeks, (short) 1);
      return;
    }
    int entries = rank(matrix, mostBytes);
    long roomBytes = mostBytes - keptForNights(entries, mostBytes);
    makeRoom(roomBytes);
    for (int i = entries - 1; i >= 0; i--) {
      int at = position(i);
      if (waits[at]) {
        admit(at, Math.min(matrix[at], share(at, roomBytes)));
      }
    }
    for (int i = entries - 1; i >= 0; i--) {
      int at = position(i);
      admit(at, matrix[at] - admitted[at]);
      boolean hadItsTurn = admitted[at] == matrix[at] || admitted[at] > share(at, roomBytes);
      weeks[at] = hadItsTurn ? 1 : (short) Math.min(MOST_WEEKS, weeks[at] + 1);
    }
    System.arraycopy(admitted, 0, matrix, 0, matrix.length);
  }

  /**
   * Cuts what the days so far have left over to what is left of the week, largest entries first.
   */
  void admitMore(long[] matrix, long mostBytes) {
    int entries = rank(matrix, mostBytes);
    makeRoom(mostBytes);
    for (int i = entries - 1; i >= 0; i--) {
      int at = position(i);
      admit(at, matrix[at]);
    }
    System.arraycopy(admitted, 0, matrix, 0, matrix.length);
  }

  /**
   * What circuits would carry in the nights of a day for each entry of the busiest host, and a
   * quarter more, as days do not end for all hosts at once; but of half a week at most. Nothing if
   * no pair waits.
   */
  private long keptForNights(int entries, long mostBytes) {
    boolean somebodyWaits = false;
    for (int i = 0; i < entries; i++) {
      somebodyWaits |= waits[position(i)];
    }
    if (!somebodyWaits) {
      return 0;
    }
    int days = 0;
    for (int host = 0; host < hosts; host++) {
      days = Math.max(days, Math.max(entriesFrom[host], entriesTo[host]));
    }
    return Math.min(mostBytes / 2, (days + days / 4 + 1) * nightBytes);
  }

  /** What an entry would get if its hosts shared evenly. */
  private long share(int at, long roomBytes) {
    int entries = Math.max(entriesFrom[at / hosts], entriesTo[at % hosts]);
    return Math.max(roomBytes / entries, SHORTEST_SHARE_NIGHTS * nightBytes);
  }

  private void makeRoom(long bytes) {
    Arrays.fill(admitted, 0);
    Arrays.fill(sourceRest, bytes);
    Arrays.fill(destinationRest, bytes);
  }

  /** Admits so much more of an entry, as far as its source and its destination have room. */
  private void admit(int at, long bytes) {
    int source = at / hosts;
    int destination = at % hosts;
    long taken = Math.min(bytes, Math.min(sourceRest[source], destinationRest[destination]));
    admitted[at] += taken;
    sourceRest[source] -= taken;
    destinationRest[destination] -= taken;
  }

  /**
   * Remembers who was served in a week, for the weeks to come.
   *
   * @param demand what was to be sent, uncut
   * @param remainder what of it no day carried
   * @param restIsServed whether the packet switch carries the remainder
   */
  void remember(DemandMatrix demand, DemandMatrix remainder, boolean restIsServed) {
    for (int at = 0; at < waits.length; at++) {
      long bytes = demand.get(at / hosts, at % hosts);
      boolean served = restIsServed || remainder.get(at / hosts, at % hosts) < bytes;
      // New demand does not wait: as if it had been refused already.
      waits[at] = bytes == 0 || !served;
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

  /** Lists the entries, lowest rank first, and counts them; returns how many there are. */
  private int rank(long[] matrix, long mostBytes) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(mostBytes) - SIZE_BITS);
    int entries = 0;
    Arrays.fill(entriesFrom, 0);
    Arrays.fill(entriesTo, 0);
    for (int at = 0; at < matrix.length; at++) {
      if (matrix[at] > 0) {
        entriesFrom[at / hosts]++;
        entriesTo[at % hosts]++;
        // At least 1, so that waiting counts for the smallest too.
        long size = Math.max(1, Math.min(matrix[at], mostBytes) >>> shift);
        byRank[entries++] = ((size * weeks[at]) << POSITION_BITS) | at;
      }
    }
    Arrays.sort(byRank, 0, entries);
    return entries;
  }

  private int position(int rank) {
    return (int) byRank[rank] & Integer.MAX_VALUE;
  }
}
