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
 * <p><b>Idea.</b> First waiting entries: those of which nothing was served in the previous week,
 * including new ones, get their demand, but no more than an even share of the week among all
 * entries of their source or destination. Then largest entries first, each is admitted as far as
 * its source and its destination have room. Each entry costs a night, however much it carries: so
 * the large are worth more, and the week's end cuts the smallest. If somebody waits, that could be
 * they: so then room is kept for the nights of all days that may be needed, at every host, as the
 * fullest one determines how long the days are in total. When the days are known, {@link
 * #admitMore} gives away what was kept for nothing.
 *
 * <p><b>No pair starves.</b> Even shares fit the room by definition. So if a share is longer than
 * {@link #SHORTEST_SHARE_NIGHTS} nights, a pair that waited one week is admitted in the next, and
 * new demand at once.
 *
 * <p><b>Turns.</b> Senders that find their queue full report the same demand every week, so size
 * alone could give all that is above the shares to the same one forever. So an entry's size counts
 * once more for each week in which it got no more than a share. Say that goes on for W weeks,
 * against s others at most K times its size. In the second half of these weeks its rank is W/2
 * times its size or more, so a pair that goes before it has itself gone without for W/2K weeks. So
 * each other does so K + 1 times at most in these W/2 weeks, and every week somebody does: W is at
 * most 2 s (K + 1). The weeks that count are limited, so this holds for entries down to a four
 * thousandth of a week. With so many entries that not all shares fit, those who wait are ranked in
 * the same way.
 *
 * <p><b>Complexity.</b> O(n + entries) if no host is overloaded; if one is, a sort of the entries.
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

  /** Ranks are sorted by so many bits at a time, from the lowest on, ... */
  private static final int DIGIT_BITS = 11;

  /** ... if there are so many at least; Java's sort allocates nothing for fewer. */
  private static final int MANY_ENTRIES = 256;

  private static final int MOST_WEEKS = (1 << (Long.SIZE - 1 - POSITION_BITS - SIZE_BITS)) - 1;

  private final int hosts;
  private final Pairs pairs;
  private final long nightBytes;
  private final long[] sourceRest;
  private final long[] destinationRest;
  private final int[] entriesFrom;
  private final int[] entriesTo;

  /** Of each entry, from the highest bit: 32 bits of its rank, 31 of its position. */
  private long[] byRank;

  private long[] unsorted;
  private final int[] digitEnds = new int[1 << DIGIT_BITS];

  private final long[] admitted;

  /** Of each entry, one more than the weeks in a row in which it got no more than a share. */
  private final short[] weeks;

  private boolean weeksCount;

  /**
   * Where something was served in the week before. Elsewhere there was no demand or no room, so who
   * has demand now waits.
   */
  private final boolean[] served;

  private final int[] servedAt;
  private int servedCount;

  /** Whether there was no week before, so that nobody waits. */
  private boolean isFirst;

  /**
   * Working memory.
   *
   * @param nightBytes what a circuit would carry in a night
   */
  Admission(int hosts, long nightBytes) {
    this.hosts = hosts;
    this.pairs = new Pairs(hosts);
    this.nightBytes = nightBytes;
    this.sourceRest = new long[hosts];
    this.destinationRest = new long[hosts];
    this.entriesFrom = new int[hosts];
    this.entriesTo = new int[hosts];
    this.byRank = new long[hosts * hosts];
    this.unsorted = new long[hosts * hosts];
    this.admitted = new long[hosts * hosts];
    this.weeks = new short[hosts * hosts];
    this.served = new boolean[hosts * hosts];
    this.servedAt = new int[hosts * hosts];
    forget();
  }

  /** As before the first week, when no pair has waited. */
  void forget() {
    Arrays.fill(weeks, (short) 1);
    weeksCount = false;
    isFirst = true;
  }

  /** Whether an entry with demand got nothing in the week before, or is new. */
  boolean waits(int at) {
    return !isFirst && !served[at];
  }

  /**
   * Cuts a sparse matrix in place, so that no row and no column sums to more.
   *
   * @param matrix row by row, 0 but where {@code at} says
   * @param at where entries are
   * @param count how many there are
   * @param mostBytes more than 0
   */
  void admit(long[] matrix, int[] at, int count, long mostBytes) {
    if (!isOverloaded(matrix, at, count, mostBytes)) {
      if (weeksCount) {
        Arrays.fill(weeks, (short) 1);
        weeksCount = false;
      }
      return;
    }
    weeksCount = true;
    rank(matrix, at, count, mostBytes);
    long roomBytes = mostBytes - keptForNights(count, mostBytes);
    makeRoom(at, count, roomBytes);
    for (int i = count - 1; i >= 0; i--) {
      int entry = position(i);
      if (waits(entry)) {
        admit(entry, Math.min(matrix[entry], share(entry, roomBytes)));
      }
    }
    for (int i = count - 1; i >= 0; i--) {
      int entry = position(i);
      admit(entry, matrix[entry] - admitted[entry]);
      boolean hadItsTurn =
          admitted[entry] == matrix[entry] || admitted[entry] > share(entry, roomBytes);
      weeks[entry] = hadItsTurn ? 1 : (short) Math.min(MOST_WEEKS, weeks[entry] + 1);
    }
    takeOver(matrix, at, count);
  }

  /**
   * Cuts what the days so far have left over to what is left of the week, largest entries first.
   */
  void admitMore(long[] matrix, int[] at, int count, long mostBytes) {
    if (!isOverloaded(matrix, at, count, mostBytes)) {
      return;
    }
    rank(matrix, at, count, mostBytes);
    makeRoom(at, count, mostBytes);
    for (int i = count - 1; i >= 0; i--) {
      int entry = position(i);
      admit(entry, matrix[entry]);
    }
    takeOver(matrix, at, count);
  }

  private void takeOver(long[] matrix, int[] at, int count) {
    for (int i = 0; i < count; i++) {
      matrix[at[i]] = admitted[at[i]];
    }
  }

  /**
   * What circuits would carry in the nights of a day for each entry of the busiest host, and a
   * quarter more, as days do not end for all hosts at once; but of half a week at most. Nothing if
   * no pair waits.
   */
  private long keptForNights(int entries, long mostBytes) {
    boolean somebodyWaits = false;
    for (int i = 0; i < entries; i++) {
      somebodyWaits |= waits(position(i));
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
    int entries = Math.max(entriesFrom[pairs.source(at)], entriesTo[pairs.destination(at)]);
    return Math.max(roomBytes / entries, SHORTEST_SHARE_NIGHTS * nightBytes);
  }

  private void makeRoom(int[] at, int count, long bytes) {
    for (int i = 0; i < count; i++) {
      admitted[at[i]] = 0;
    }
    Arrays.fill(sourceRest, bytes);
    Arrays.fill(destinationRest, bytes);
  }

  /** Admits so much more of an entry, as far as its source and its destination have room. */
  private void admit(int at, long bytes) {
    int source = pairs.source(at);
    int destination = pairs.destination(at);
    long taken = Math.min(bytes, Math.min(sourceRest[source], destinationRest[destination]));
    admitted[at] += taken;
    sourceRest[source] -= taken;
    destinationRest[destination] -= taken;
  }

  /**
   * Remembers who was served in a week, for the weeks to come.
   *
   * @param demand what was to be sent, uncut
   * @param at where it has entries, {@code count} of them
   * @param remainder what of it no day carried
   * @param restIsServed whether the packet switch carries the remainder
   */
  void remember(
      DemandMatrix demand, int[] at, int count, DemandMatrix remainder, boolean restIsServed) {
    for (int i = 0; i < servedCount; i++) {
      served[servedAt[i]] = false;
    }
    servedCount = 0;
    for (int i = 0; i < count; i++) {
      if (restIsServed || remainder.at(at[i]) < demand.at(at[i])) {
        served[at[i]] = true;
        servedAt[servedCount++] = at[i];
      }
    }
    isFirst = false;
  }

  private boolean isOverloaded(long[] matrix, int[] at, int count, long mostBytes) {
    Arrays.fill(sourceRest, mostBytes);
    Arrays.fill(destinationRest, mostBytes);
    for (int i = 0; i < count; i++) {
      sourceRest[pairs.source(at[i])] -= matrix[at[i]];
      destinationRest[pairs.destination(at[i])] -= matrix[at[i]];
    }
    for (int host = 0; host < hosts; host++) {
      if (sourceRest[host] < 0 || destinationRest[host] < 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sorts the entries, lowest rank first, and counts those of each host. Of equal ones the order is
   * that of their positions, or with many entries that in which they are given.
   */
  private void rank(long[] matrix, int[] at, int count, long mostBytes) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(mostBytes) - SIZE_BITS);
    Arrays.fill(entriesFrom, 0);
    Arrays.fill(entriesTo, 0);
    long all = 0;
    for (int i = 0; i < count; i++) {
      entriesFrom[pairs.source(at[i])]++;
      entriesTo[pairs.destination(at[i])]++;
      // At least 1, so that waiting counts for the smallest too.
      long size = Math.max(1, Math.min(matrix[at[i]], mostBytes) >>> shift);
      long rank = size * weeks[at[i]];
      all |= rank;
      byRank[i] = (rank << POSITION_BITS) | at[i];
    }
    if (count < MANY_ENTRIES) {
      Arrays.sort(byRank, 0, count);
      return;
    }
    for (int digit = 0; all >>> digit != 0; digit += DIGIT_BITS) {
      sortByDigit(count, POSITION_BITS + digit);
    }
  }

  /** One pass of a radix sort, which keeps the order of equal digits. */
  private void sortByDigit(int count, int shift) {
    long[] from = byRank;
    long[] into = unsorted;
    int mask = digitEnds.length - 1;
    Arrays.fill(digitEnds, 0);
    for (int i = 0; i < count; i++) {
      digitEnds[(int) (from[i] >>> shift) & mask]++;
    }
    int end = 0;
    for (int digit = 0; digit < digitEnds.length; digit++) {
      int ofDigit = digitEnds[digit];
      digitEnds[digit] = end;
      end += ofDigit;
    }
    for (int i = 0; i < count; i++) {
      into[digitEnds[(int) (from[i] >>> shift) & mask]++] = from[i];
    }
    byRank = into;
    unsorted = from;
  }

  private int position(int rank) {
    return (int) byRank[rank] & Integer.MAX_VALUE;
  }
}
