package org.evenweave.sdd.fastpass;

import java.util.Arrays;

/**
 * Timeslot allocation for the pair that wants least.
 *
 * <p><b>Idea.</b> Serving the shortest remaining request first makes the mean completion of one
 * link's requests the least there is (Schrage, "A proof of the optimality of the shortest remaining
 * processing time discipline", 1968). A matching of many links has no such proof, but the same
 * tendency (pFabric, SIGCOMM 2013). At the start of a batch the pairs that wait are sorted by what
 * they want, equal ones as they came; in this order each takes the first timeslots of the batch
 * that are free at both its ends, as many as it wants.
 *
 * <p><b>Starvation.</b> A large request waits as long as smaller ones keep coming. {@link Arbiter}
 * starves nobody.
 *
 * <p><b>Complexity.</b> A radix sort of two bytes for the pairs that wait, and O(1) for each
 * admission. Pairs that want 2^16 timeslots or more count as equal. After the constructor nothing
 * is allocated.
 */
public final class ShortestRemaining implements TimeslotAllocator {
  private static final int MOST_SORTED = (1 << 16) - 1;

  private final int hosts;

  /** What each pair wants, by source * hosts + destination. */
  private final long[] wants;

  /** The pairs that wait; after a batch in the order of their turns. */
  private final int[] waiting;

  private int waitingCount;
  private final int[] sorted;
  private final int[] digitEnds = new int[256];

  /** The free timeslots of the batch. */
  private final long[] sourceFree;

  private final long[] destinationFree;

  /** Of each timeslot of the batch, the pairs that have it, up to {@code hosts}; and how many. */
  private final int[] admitted;

  private final int[] admittedCount = new int[BATCH_TIMESLOTS];
  private int batchTimeslots;

  /**
   * An allocator without requests.
   *
   * @param hosts the number of hosts, 2 to {@value Arbiter#MAX_HOSTS}
   */
  public ShortestRemaining(int hosts) {
    if (hosts < 2 || hosts > Arbiter.MAX_HOSTS) {
      throw new IllegalArgumentException(
          "hosts: must be 2 to " + Arbiter.MAX_HOSTS + ", not " + hosts);
    }
    this.hosts = hosts;
    this.wants = new long[hosts * hosts];
    this.waiting = new int[hosts * hosts];
    this.sorted = new int[hosts * hosts];
    this.sourceFree = new long[hosts];
    this.destinationFree = new long[hosts];
    this.admitted = new int[BATCH_TIMESLOTS * hosts];
  }

  @Override
  public void request(int source, int destination, int timeslots) {
    Arbiter.checkRequest(hosts, source, destination, timeslots);
    int pair = source * hosts + destination;
    if (wants[pair] == 0) {
      waiting[waitingCount++] = pair;
    }
    wants[pair] += timeslots;
  }

  @Override
  public void withdrawAll() {
    for (int i = 0; i < waitingCount; i++) {
      wants[waiting[i]] = 0;
    }
    waitingCount = 0;
  }

  @Override
  public void allocate(int timeslots) {
    Arbiter.checkBatch(timeslots);
    batchTimeslots = timeslots;
    Arrays.fill(sourceFree, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(destinationFree, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(admittedCount, 0);
    sortByDigit(waiting, sorted, 0);
    sortByDigit(sorted, waiting, Byte.SIZE);
    int kept = 0;
    for (int i = 0; i < waitingCount; i++) {
      int pair = waiting[i];
      serve(pair);
      if (wants[pair] > 0) {
        waiting[kept++] = pair;
      }
    }
    waitingCount = kept;
  }

  private void serve(int pair) {
    int source = pair / hosts;
    int destination = pair - source * hosts;
    long free = sourceFree[source] & destinationFree[destination];
    long left = free;
    long want = wants[pair];
    while (left != 0 && want > 0) {
      int timeslot = Long.numberOfTrailingZeros(left);
      admitted[timeslot * hosts + admittedCount[timeslot]++] = pair;
      left &= left - 1;
      want--;
    }
    wants[pair] = want;
    sourceFree[source] ^= free ^ left;
    destinationFree[destination] ^= free ^ left;
  }

  /** One pass of a radix sort, by one byte of what the pairs want. */
  private void sortByDigit(int[] from, int[] into, int shift) {
    Arrays.fill(digitEnds, 0);
    for (int i = 0; i < waitingCount; i++) {
      digitEnds[digit(from[i], shift)]++;
    }
    int end = 0;
    for (int digit = 0; digit < digitEnds.length; digit++) {
      int count = digitEnds[digit];
      digitEnds[digit] = end;
      end += count;
    }
    for (int i = 0; i < waitingCount; i++) {
      into[digitEnds[digit(from[i], shift)]++] = from[i];
    }
  }

  private int digit(int pair, int shift) {
    return (int) (Math.min(wants[pair], MOST_SORTED) >>> shift) & 0xff;
  }

  @Override
  public int admitted(int timeslot) {
    return admittedCount[checked(timeslot)];
  }

  @Override
  public int source(int timeslot, int i) {
    return admitted[checked(timeslot) * hosts + i] / hosts;
  }

  @Override
  public int destination(int timeslot, int i) {
    return admitted[checked(timeslot) * hosts + i] % hosts;
  }

  private int checked(int timeslot) {
    return Arbiter.checkTimeslot(timeslot, batchTimeslots);
  }
}
