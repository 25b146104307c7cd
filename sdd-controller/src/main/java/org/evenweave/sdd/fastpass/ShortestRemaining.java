package org.evenweave.sdd.fastpass;

import java.util.Arrays;
import org.evenweave.sdd.schedule.Schedule;

/**
 * Timeslot allocation for the pair that wants least.
 *
 * <p><b>Idea.</b> Serving the shortest remaining request first makes the mean completion of one
 * link's requests the least there is (Schrage, "A proof of the optimality of the shortest remaining
 * processing time discipline", 1968). A matching of many links has no such proof, but the same
 * tendency (pFabric, SIGCOMM 2013). In a batch the pairs that wait have their turns by what they
 * want, least first; of equal ones those first that wanted as much in the batch before, the others
 * as they came. Each takes the first timeslots of the batch that are free at both its ends, as many
 * as it wants.
 *
 * <p><b>Starvation.</b> A large request waits as long as smaller ones keep coming. {@link Arbiter}
 * starves nobody.
 *
 * <p><b>Complexity.</b> Who finds nothing keeps its place, so only those are sorted that are new,
 * or want another number than before (a radix sort of two bytes), and merged. O(1) for each pair
 * that waits and each admission. Pairs that want 2^16 timeslots or more count as equal. After the
 * constructor nothing is allocated.
 */
public final class ShortestRemaining implements TimeslotAllocator {
  private static final int MOST_SORTED = (1 << 16) - 1;

  /** A word is a source, a destination in 14 bits, and above them what their pair is sorted by. */
  private static final int SOURCE_SHIFT = 14;

  private static final int WANT_SHIFT = 2 * SOURCE_SHIFT;
  private static final int HOST_MASK = Arbiter.MAX_HOSTS - 1;

  private final int hosts;

  /** What each pair wants, by source * hosts + destination. */
  private final long[] wants;

  /** Pairs that wait, in the order of their turns. */
  private long[] waiting;

  private int waitingCount;

  /** Room for the pairs that wait after a batch. */
  private long[] kept;

  /** Pairs that are new, or want another number than when they were sorted. */
  private final long[] moved;

  private int movedCount;
  private final boolean[] isMoved;

  /** How many of those that moved have their former place yet. */
  private int misplaced;

  private final long[] sorted;
  private final int[] digitEnds = new int[256];

  /** The free timeslots of the batch. */
  private final long[] sourceFree;

  private final long[] destinationFree;

  /** Of each timeslot of the batch and each source, its destination; and how many send. */
  private final int[] destinations;

  private final int[] admittedCount = new int[BATCH_TIMESLOTS];
  private int batchTimeslots;

  /**
   * An allocator without requests.
   *
   * @param hosts the number of hosts, 2 to {@value Arbiter#MAX_HOSTS}
   */
  public ShortestRemaining(int hosts) {
    Checks.hosts(hosts);
    this.hosts = hosts;
    this.wants = new long[hosts * hosts];
    this.waiting = new long[hosts * hosts];
    this.kept = new long[hosts * hosts];
    this.moved = new long[hosts * hosts];
    this.isMoved = new boolean[hosts * hosts];
    this.sorted = new long[hosts * hosts];
    this.sourceFree = new long[hosts];
    this.destinationFree = new long[hosts];
    this.destinations = new int[BATCH_TIMESLOTS * hosts];
  }

  @Override
  public void request(int source, int destination, int timeslots) {
    Checks.request(hosts, source, destination, timeslots);
    int pair = source * hosts + destination;
    if (!isMoved[pair]) {
      misplaced += wants[pair] > 0 ? 1 : 0;
      move(pair, (long) source << SOURCE_SHIFT | destination);
    }
    wants[pair] += timeslots;
  }

  private void move(int pair, long word) {
    isMoved[pair] = true;
    moved[movedCount++] = word;
  }

  @Override
  public void withdrawAll() {
    for (int i = 0; i < waitingCount; i++) {
      wants[pair(waiting[i])] = 0;
    }
    for (int i = 0; i < movedCount; i++) {
      wants[pair(moved[i])] = 0;
      isMoved[pair(moved[i])] = false;
    }
    waitingCount = 0;
    movedCount = 0;
    misplaced = 0;
  }

  @Override
  public void allocate(int timeslots) {
    Checks.batch(timeslots);
    batchTimeslots = timeslots;
    Arrays.fill(sourceFree, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(destinationFree, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(admittedCount, 0);
    Arrays.fill(destinations, 0, timeslots * hosts, Schedule.IDLE);
    dropMoved();
    int sortedCount = sortMoved();
    int next = 0;
    int keptCount = 0;
    for (int i = 0; i < sortedCount; i++) {
      long want = sorted[i] >>> WANT_SHIFT;
      while (next < waitingCount && waiting[next] >>> WANT_SHIFT <= want) {
        keptCount = serve(waiting[next++], keptCount);
      }
      keptCount = serve(sorted[i], keptCount);
    }
    while (next < waitingCount) {
      keptCount = serve(waiting[next++], keptCount);
    }
    long[] before = waiting;
    waiting = kept;
    kept = before;
    waitingCount = keptCount;
  }

  /** Takes those out of their places that want more than when they were sorted. */
  private void dropMoved() {
    int count = 0;
    int i = 0;
    for (; misplaced > 0; i++) {
      if (isMoved[pair(waiting[i])]) {
        misplaced--;
      } else {
        waiting[count++] = waiting[i];
      }
    }
    System.arraycopy(waiting, i, waiting, count, waitingCount - i);
    waitingCount -= i - count;
  }

  /** Sorts those that moved, stably; returns how many there are. */
  private int sortMoved() {
    int count = movedCount;
    for (int i = 0; i < count; i++) {
      int pair = pair(moved[i]);
      isMoved[pair] = false;
      moved[i] |= Math.min(wants[pair], MOST_SORTED) << WANT_SHIFT;
    }
    sortByDigit(moved, sorted, count, WANT_SHIFT);
    sortByDigit(sorted, moved, count, WANT_SHIFT + Byte.SIZE);
    System.arraycopy(moved, 0, sorted, 0, count);
    movedCount = 0;
    return count;
  }

  /** Serves a pair; if it gets nothing, it is kept behind the others that are. */
  private int serve(long turn, int keptCount) {
    int source = (int) (turn >>> SOURCE_SHIFT) & HOST_MASK;
    int destination = (int) turn & HOST_MASK;
    long free = sourceFree[source] & destinationFree[destination];
    if (free == 0) {
      kept[keptCount] = turn;
      return keptCount + 1;
    }
    int pair = source * hosts + destination;
    long left = free;
    long want = wants[pair];
    while (left != 0 && want > 0) {
      int timeslot = Long.numberOfTrailingZeros(left);
      destinations[timeslot * hosts + source] = destination;
      admittedCount[timeslot]++;
      left &= left - 1;
      want--;
    }
    wants[pair] = want;
    sourceFree[source] ^= free ^ left;
    destinationFree[destination] ^= free ^ left;
    if (want > 0) {
      move(pair, turn & (1L << WANT_SHIFT) - 1);
    }
    return keptCount;
  }

  private int pair(long word) {
    return ((int) (word >>> SOURCE_SHIFT) & HOST_MASK) * hosts + ((int) word & HOST_MASK);
  }

  /** One pass of a radix sort, by one byte of the words. */
  private void sortByDigit(long[] from, long[] into, int count, int shift) {
    Arrays.fill(digitEnds, 0);
    for (int i = 0; i < count; i++) {
      digitEnds[(int) (from[i] >>> shift) & 0xff]++;
    }
    int end = 0;
    for (int digit = 0; digit < digitEnds.length; digit++) {
      int ofDigit = digitEnds[digit];
      digitEnds[digit] = end;
      end += ofDigit;
    }
    for (int i = 0; i < count; i++) {
      into[digitEnds[(int) (from[i] >>> shift) & 0xff]++] = from[i];
    }
  }

  @Override
  public int admitted(int timeslot) {
    return admittedCount[checked(timeslot)];
  }

  @Override
  public int destination(int timeslot, int source) {
    return destinations[checked(timeslot) * hosts + source];
  }

  private int checked(int timeslot) {
    return Checks.timeslot(timeslot, batchTimeslots);
  }
}
