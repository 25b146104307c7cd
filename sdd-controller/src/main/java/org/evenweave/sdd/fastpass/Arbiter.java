package org.evenweave.sdd.fastpass;

import java.util.Arrays;

/**
 * FastPass's timeslot allocation: which pairs may send in which of the next timeslots, so that in
 * none a source or a destination has two, and the pair that was served longest ago goes first.
 *
 * <p><b>Idea.</b> In each timeslot the pairs that wait are walked in the order of their last
 * allocation, oldest first, and each is admitted whose source and destination are still free: a
 * maximal matching that is max-min fair over time (Perry et al., section 4).
 *
 * <p><b>64 timeslots at once.</b> Each source and each destination has a bitmap of the timeslots of
 * the batch in which it is free. AND of two gives the timeslots that a pair can have, and the
 * lowest bit the first of them. A pair that gets timeslot t and wants more is put at the end of
 * list t; once all pairs of older allocations had their turn, so have those of list 0, then 1, up
 * to 63.
 *
 * <p><b>Proof that this is the walk timeslot by timeslot.</b> Let pairs be ordered by last
 * allocation, and equal ones by their place in their list. Timeslot by timeslot, a pair gets t
 * unless one before it in that order holds its source or destination in t. In the batch, pairs have
 * their turns in that same order: the pair that got t has its next turn in list t, after all with
 * older allocations. And its next timeslot is later than t: an earlier one free at both ends would
 * have been taken, and none becomes free again. So each pair gets the first timeslot that no pair
 * before it holds: the same one. What is left over comes out in order for the next batch.
 *
 * <p><b>No pair starves.</b> While a pair of n hosts waits, each other pair at its source and each
 * at its destination gets at most one timeslot, after which it is behind. That is {@code 2 (n - 2)}
 * timeslots at most from the batch after the request (or from its last timeslot) to the next one.
 *
 * <p><b>Complexity.</b> O(1) per admission and per pair that waits at a batch's end, without a
 * hard-to-predict branch: the bit scan of an empty bitmap gives 64, which is the list of those left
 * over. New requests are put in order by a radix sort of two bytes; pairs idle for longer than 2^16
 * timeslots count as equally old. After the constructor nothing is allocated.
 *
 * <p>Source: Perry, Ousterhout, Balakrishnan, Shah and Fugal, "Fastpass: a centralized
 * &quot;zero-queue&quot; datacenter network", SIGCOMM 2014, sections 3 and 4. Their arbiter handles
 * 16 timeslots at a time, and groups older pairs in bins.
 */
public final class Arbiter {
  /** The most timeslots of a batch: the bits of a word. */
  public static final int BATCH_TIMESLOTS = Long.SIZE;

  /** The most hosts: what a waiting pair's word has bits for. */
  public static final int MAX_HOSTS = 1 << 14;

  /*
   * A waiting pair in a word, from the highest bit: 24 bits when it was served last (timeslots
   * modulo 2^24), 12 bits how many timeslots it may get before the rest of its backlog is looked up,
   * 14 bits source, 14 bits destination.
   */
  private static final int SOURCE_SHIFT = 14;
  private static final int CREDIT_SHIFT = 28;
  private static final int SERVED_SHIFT = 40;
  private static final int HOST_MASK = MAX_HOSTS - 1;
  private static final int MAX_CREDIT = (1 << (SERVED_SHIFT - CREDIT_SHIFT)) - 1;
  private static final long ONE_CREDIT = 1L << CREDIT_SHIFT;
  private static final long CREDIT_MASK = (long) MAX_CREDIT << CREDIT_SHIFT;
  private static final long BELOW_SERVED = (1L << SERVED_SHIFT) - 1;

  /** Pairs idle for longer count as equally old. */
  private static final int OLDEST = 1 << 16;

  /** The sign of the state of a pair that waits; the rest is its backlog beyond its credit. */
  private static final long WAITING = Long.MIN_VALUE;

  private final int hosts;
  private long now;

  /**
   * Of each pair, by source * hosts + destination: {@link #WAITING} and backlog, or when it was
   * served last plus one, 0 if never.
   */
  private final long[] states;

  /**
   * The free timeslots of the batch; as many as a power of two, so that a mask bounds the index.
   */
  private final long[] sourceFree;

  private final long[] destinationFree;

  /** 64 lists of those who got that timeslot, each of {@code hosts}; then those left over. */
  private final long[] lists;

  /** Where each list goes on; the last is that of those left over. */
  private final int[] ends = new int[BATCH_TIMESLOTS + 1];

  private final long[] requests;
  private int requestCount;
  private final long[] order;
  private int batchTimeslots;

  private final int[] digitEnds = new int[256];
  private final long[] sorted;

  /**
   * An arbiter without requests, at timeslot 0.
   *
   * @param hosts the number of hosts, 2 to {@value #MAX_HOSTS}
   */
  public Arbiter(int hosts) {
    if (hosts < 2 || hosts > MAX_HOSTS) {
      throw new IllegalArgumentException("hosts: must be 2 to " + MAX_HOSTS + ", not " + hosts);
    }
    this.hosts = hosts;
    int pairs = hosts * hosts;
    int powerOfTwo = Integer.highestOneBit(2 * hosts - 1);
    this.states = new long[pairs];
    this.sourceFree = new long[powerOfTwo];
    this.destinationFree = new long[powerOfTwo];
    this.lists = new long[BATCH_TIMESLOTS * hosts + pairs];
    this.requests = new long[pairs];
    this.sorted = new long[pairs];
    this.order = new long[pairs];
    Arrays.setAll(ends, this::listStart);
  }

  private int listStart(int timeslot) {
    return timeslot * hosts;
  }

  /** The number of hosts. */
  public int hosts() {
    return hosts;
  }

  /** The first timeslot of the next batch. */
  public long now() {
    return now;
  }

  /**
   * Requests timeslots, in addition to those requested before.
   *
   * @param timeslots how many, 1 or more
   * @throws IllegalArgumentException if there is no such pair, or no timeslot is requested
   */
  public void request(int source, int destination, int timeslots) {
    if (source < 0 || source >= hosts || destination < 0 || destination >= hosts) {
      throw new IllegalArgumentException(
          "no pair " + source + " to " + destination + " among " + hosts + " hosts");
    }
    if (source == destination || timeslots < 1) {
      throw new IllegalArgumentException(
          timeslots + " timeslots from " + source + " to " + destination + " make no request");
    }
    int pair = source * hosts + destination;
    long state = states[pair];
    if (state < 0) {
      states[pair] = state + timeslots;
      return;
    }
    long served = Math.max(state, now - OLDEST + 1);
    int credit = Math.min(timeslots, MAX_CREDIT);
    states[pair] = WAITING + (timeslots - credit);
    requests[requestCount++] =
        served << SERVED_SHIFT
            | (long) credit << CREDIT_SHIFT
            | (long) source << SOURCE_SHIFT
            | destination;
  }

  /** Drops requests that are not allocated yet, but not who was served when. */
  public void withdrawAll() {
    int waiting = mergeRequests();
    for (int i = 0; i < waiting; i++) {
      states[pair(order[i])] = now - age(order[i]);
    }
    ends[BATCH_TIMESLOTS] = listStart(BATCH_TIMESLOTS);
  }

  /** Allocates the next {@value #BATCH_TIMESLOTS} timeslots. */
  public void allocate() {
    allocate(BATCH_TIMESLOTS);
  }

  /**
   * Allocates the next timeslots; {@link #admitted} and the others then report them.
   *
   * @param timeslots how many, 1 to {@value #BATCH_TIMESLOTS}
   */
  public void allocate(int timeslots) {
    if (timeslots < 1 || timeslots > BATCH_TIMESLOTS) {
      throw new IllegalArgumentException(
          "timeslots: must be 1 to " + BATCH_TIMESLOTS + ", not " + timeslots);
    }
    int waiting = mergeRequests();
    batchTimeslots = timeslots;
    Arrays.fill(sourceFree, 0, hosts, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(destinationFree, 0, hosts, -1L >>> (Long.SIZE - timeslots));
    for (int timeslot = 0; timeslot <= BATCH_TIMESLOTS; timeslot++) {
      ends[timeslot] = listStart(timeslot);
    }
    serveOrder(waiting);
    for (int timeslot = 0; timeslot < timeslots; timeslot++) {
      serveList(timeslot);
    }
    now += timeslots;
  }

  private void serveOrder(int waiting) {
    for (int i = 0; i < waiting; i++) {
      serve(order[i]);
    }
  }

  private void serveList(int timeslot) {
    long served = (now + timeslot + 1) << SERVED_SHIFT;
    for (int i = listStart(timeslot); i < ends[timeslot]; i++) {
      long waiting = (lists[i] & BELOW_SERVED) | served;
      if ((waiting & CREDIT_MASK) == 0) {
        waiting = renewCredit(waiting, now + timeslot + 1);
        if ((waiting & CREDIT_MASK) == 0) {
          continue;
        }
      }
      serve(waiting);
    }
  }

  private void serve(long waiting) {
    int source = (int) (waiting >>> SOURCE_SHIFT) & sourceFree.length - 1;
    int destination = (int) waiting & destinationFree.length - 1;
    long free = sourceFree[source] & destinationFree[destination];
    long first = free & -free;
    sourceFree[source] ^= first;
    destinationFree[destination] ^= first;
    // 64 if no timeslot is free, and then no credit is spent.
    int list = Long.numberOfTrailingZeros(free);
    lists[ends[list]++] = waiting - ((1L ^ list >>> 6) << CREDIT_SHIFT);
  }

  /** Gives credit out of the pair's backlog; without any, the pair waits no longer. */
  private long renewCredit(long waiting, long served) {
    int pair = pair(waiting);
    long backlog = states[pair] - WAITING;
    if (backlog == 0) {
      states[pair] = served;
      return waiting;
    }
    long credit = Math.min(backlog, MAX_CREDIT);
    states[pair] = WAITING + (backlog - credit);
    return waiting + credit * ONE_CREDIT;
  }

  /**
   * Merges those left over with the new requests into {@link #order}; returns how many there are.
   */
  private int mergeRequests() {
    sortRequests();
    int left = listStart(BATCH_TIMESLOTS);
    int leftEnd = ends[BATCH_TIMESLOTS];
    int count = 0;
    for (int i = 0; i < requestCount; i++) {
      int age = age(requests[i]);
      while (left < leftEnd && age(lists[left]) >= age) {
        order[count++] = lists[left++];
      }
      order[count++] = requests[i];
    }
    System.arraycopy(lists, left, order, count, leftEnd - left);
    requestCount = 0;
    return count + leftEnd - left;
  }

  /** How long ago a pair was served: less than 2^24 timeslots, as none waits so long. */
  private int age(long waiting) {
    return (int) (now - (waiting >>> SERVED_SHIFT)) & ((1 << (Long.SIZE - SERVED_SHIFT)) - 1);
  }

  /** Sorts the requests oldest first, equally old ones as they came. */
  private void sortRequests() {
    sortByDigit(requests, sorted, 0);
    sortByDigit(sorted, requests, 8);
  }

  /** One pass of a radix sort, by one byte of what an age lacks to the oldest. */
  private void sortByDigit(long[] from, long[] into, int shift) {
    Arrays.fill(digitEnds, 0);
    for (int i = 0; i < requestCount; i++) {
      digitEnds[((OLDEST - 1 - age(from[i])) >>> shift) & 0xff]++;
    }
    int end = 0;
    for (int digit = 0; digit < digitEnds.length; digit++) {
      int count = digitEnds[digit];
      digitEnds[digit] = end;
      end += count;
    }
    for (int i = 0; i < requestCount; i++) {
      into[digitEnds[((OLDEST - 1 - age(from[i])) >>> shift) & 0xff]++] = from[i];
    }
  }

  /** How many pairs send in a timeslot of the last batch. */
  public int admitted(int timeslot) {
    return ends[checked(timeslot)] - listStart(timeslot);
  }

  /** The source of one of the pairs that send in a timeslot of the last batch. */
  public int source(int timeslot, int i) {
    return source(lists[listStart(checked(timeslot)) + i]);
  }

  /** The destination of one of the pairs that send in a timeslot of the last batch. */
  public int destination(int timeslot, int i) {
    return destination(lists[listStart(checked(timeslot)) + i]);
  }

  private int checked(int timeslot) {
    if (timeslot < 0 || timeslot >= batchTimeslots) {
      throw new IndexOutOfBoundsException(
          "no timeslot " + timeslot + " in a batch of " + batchTimeslots);
    }
    return timeslot;
  }

  private int pair(long waiting) {
    return source(waiting) * hosts + destination(waiting);
  }

  private static int source(long waiting) {
    return (int) (waiting >>> SOURCE_SHIFT) & HOST_MASK;
  }

  private static int destination(long waiting) {
    return (int) waiting & HOST_MASK;
  }
}
