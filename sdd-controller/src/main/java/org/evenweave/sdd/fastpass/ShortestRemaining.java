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
  private static final long PAIR_MASK = (1L << WANT_SHIFT) - 1;

  /** What a search by halves costs, in pairs looked at one after the other. */
  private static final int SEARCH_COST = 16;

  private final int hosts;

  /** What each pair wants, by source * hosts + destination. */
  private final long[] wants;

  /** Pairs that wait, in the order of their turns. */
  private long[] waiting;

  private int waitingCount;

  /** Room for the pairs that wait after a batch. */
  private long[] kept;

  private int keptCount;

  /** Whether more found nothing in the batch before than had moved. */
  private boolean manyAreRefused;

  /**
   * Pairs that are new, or want another number than when they were sorted; those that wait, with
   * what they are sorted by in their place.
   */
  private final long[] moved;

  private int movedCount;

  /** A bit of each pair, by source * hosts + destination: whether it is among those. */
  private final long[] isMoved;

  /** The places of those that moved among those that wait. */
  private final int[] places;

  private final long[] sorted;
  private final int[] digitEnds = new int[256];

  /** The free timeslots of the batch. */
  private final long[] sourceFree;

  private final long[] destinationFree;

  /** Of each source and timeslot of the batch in which it is not free, its destination. */
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
    this.isMoved = new long[(hosts * hosts + Long.SIZE - 1) / Long.SIZE];
    this.places = new int[hosts * hosts];
    this.sorted = new long[hosts * hosts];
    int powerOfTwo = Integer.highestOneBit(2 * hosts - 1);
    this.sourceFree = new long[powerOfTwo];
    this.destinationFree = new long[powerOfTwo];
    this.destinations = new int[BATCH_TIMESLOTS * hosts];
  }

  @Override
  public void request(int source, int destination, int timeslots) {
    Checks.request(hosts, source, destination, timeslots);
    int pair = source * hosts + destination;
    if (!isMoved(pair)) {
      long place = Math.min(wants[pair], MOST_SORTED) << WANT_SHIFT;
      move(pair, place | (long) source << SOURCE_SHIFT | destination);
    }
    wants[pair] += timeslots;
  }

  private void move(int pair, long word) {
    isMoved[pair >>> 6] |= 1L << pair;
    moved[movedCount++] = word;
  }

  private boolean isMoved(int pair) {
    return (isMoved[pair >>> 6] >>> pair & 1) != 0;
  }

  @Override
  public void withdrawAll() {
    for (int i = 0; i < waitingCount; i++) {
      wants[pair(waiting[i])] = 0;
    }
    for (int i = 0; i < movedCount; i++) {
      wants[pair(moved[i])] = 0;
    }
    Arrays.fill(isMoved, 0);
    waitingCount = 0;
    movedCount = 0;
  }

  @Override
  public void allocate(int timeslots) {
    Checks.batch(timeslots);
    batchTimeslots = timeslots;
    Arrays.fill(sourceFree, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(destinationFree, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(admittedCount, 0);
    dropMoved();
    int sortedCount = sortMoved();
    int next = 0;
    keptCount = 0;
    for (int i = 0; i < sortedCount; i++) {
      next = serveWaiting(next, sorted[i] >>> WANT_SHIFT);
      serve(sorted[i]);
    }
    serveWaiting(next, MOST_SORTED);
    manyAreRefused = keptCount > sortedCount;
    long[] before = waiting;
    waiting = kept;
    kept = before;
    waitingCount = keptCount;
  }

  /** Takes those out of their places that want more than when they were sorted. */
  private void dropMoved() {
    int count = findPlaces();
    if (count == 0) {
      return;
    }
    places[count] = waitingCount;
    int end = places[0];
    for (int i = 0; i < count; i++) {
      int from = places[i] + 1;
      int length = places[i + 1] - from;
      System.arraycopy(waiting, from, waiting, end, length);
      end += length;
    }
    waitingCount = end;
  }

  /** Finds their places, in order; returns how many there are. */
  private int findPlaces() {
    int count = 0;
    int left = waitingCount;
    for (int i = 0; i < movedCount && left >= 0; i++) {
      if (moved[i] >>> WANT_SHIFT != 0) {
        int first = firstOf(moved[i] >>> WANT_SHIFT);
        int place = first;
        while (waiting[place] != moved[i]) {
          place++;
        }
        places[count++] = place;
        left -= place - first + SEARCH_COST;
      }
    }
    if (left < 0) {
      return findPlacesAmongAll();
    }
    Arrays.sort(places, 0, count);
    return count;
  }

  /** The same where a search for each would cost more than to look at all that wait. */
  private int findPlacesAmongAll() {
    int count = 0;
    for (int i = 0; i < waitingCount; i++) {
      if (isMoved(pair(waiting[i]))) {
        places[count++] = i;
      }
    }
    return count;
  }

  /** The first place of those that wait and want so much at least. */
  private int firstOf(long want) {
    int low = 0;
    int high = waitingCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (waiting[middle] >>> WANT_SHIFT < want) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Sorts those that moved, stably; returns how many there are. */
  private int sortMoved() {
    int count = movedCount;
    long all = 0;
    for (int i = 0; i < count; i++) {
      int pair = pair(moved[i]);
      isMoved[pair >>> 6] = 0;
      long want = Math.min(wants[pair], MOST_SORTED);
      all |= want;
      moved[i] = (moved[i] & PAIR_MASK) | (want << WANT_SHIFT);
    }
    movedCount = 0;
    sortByDigit(moved, sorted, count, WANT_SHIFT);
    if (all >>> Byte.SIZE != 0) {
      sortByDigit(sorted, moved, count, WANT_SHIFT + Byte.SIZE);
      System.arraycopy(moved, 0, sorted, 0, count);
    }
    return count;
  }

  /** Serves those that wait from a place on and want so much at most; returns where they end. */
  private int serveWaiting(int from, long most) {
    int next = from;
    while (next < waitingCount && waiting[next] >>> WANT_SHIFT <= most) {
      if (manyAreRefused) {
        next = serveBlock(next, most);
      } else {
        serve(waiting[next++]);
      }
    }
    return next;
  }

  /**
   * The same for 64 at most. Which of them find something is looked up without a branch: where many
   * are refused, no processor can foretell which, and a wrong guess costs more than to look twice.
   */
  private int serveBlock(int from, long most) {
    int last = Math.min(from + Long.SIZE, waitingCount);
    long may = 0;
    int end = from;
    for (; end < last && waiting[end] >>> WANT_SHIFT <= most; end++) {
      long free = free(waiting[end]);
      may |= ((free | -free) >>> (Long.SIZE - 1)) << (end - from);
    }
    int done = from;
    for (; may != 0; may &= may - 1) {
      int at = from + Long.numberOfTrailingZeros(may);
      keep(done, at);
      serve(waiting[at]);
      done = at + 1;
    }
    keep(done, end);
    return end;
  }

  /** Keeps those that wait from a place on up to another behind the others that are kept. */
  private void keep(int from, int end) {
    System.arraycopy(waiting, from, kept, keptCount, end - from);
    keptCount += end - from;
  }

  /** The timeslots that are free at both ends of a pair. */
  private long free(long word) {
    return sourceFree[(int) (word >>> SOURCE_SHIFT) & sourceFree.length - 1]
        & destinationFree[(int) word & destinationFree.length - 1];
  }

  /** Serves a pair; if it gets nothing, it is kept behind the others that are. */
  private void serve(long turn) {
    int source = (int) (turn >>> SOURCE_SHIFT) & HOST_MASK;
    int destination = (int) turn & HOST_MASK;
    long free = free(turn);
    if (free == 0) {
      kept[keptCount++] = turn;
      return;
    }
    int pair = source * hosts + destination;
    long want = turn >>> WANT_SHIFT;
    if (want == MOST_SORTED) {
      want = wants[pair];
    }
    long left = free;
    while (left != 0 && want > 0) {
      int timeslot = Long.numberOfTrailingZeros(left);
      destinations[source * BATCH_TIMESLOTS + timeslot] = destination;
      admittedCount[timeslot]++;
      left &= left - 1;
      want--;
    }
    wants[pair] = want;
    sourceFree[source] ^= free ^ left;
    destinationFree[destination] ^= free ^ left;
    if (want > 0) {
      move(pair, turn & PAIR_MASK);
    }
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
    boolean isFree = (sourceFree[source] >>> checked(timeslot) & 1) != 0;
    return isFree ? Schedule.IDLE : destinations[source * BATCH_TIMESLOTS + timeslot];
  }

  private int checked(int timeslot) {
    return Checks.timeslot(timeslot, batchTimeslots);
  }
}
