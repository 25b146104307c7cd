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
 * <p><b>A window of 64 that slides.</b> A batch of 64 costs less than four of 16, as who waits is
 * walked once and not four times: at loads above 0.9 that is most of the work. But a request would
 * wait for the next batch. So the later timeslots of a batch are only given for now: {@link
 * #allocateMore} gives what is free of them, as in a batch, to the requests that came since, and to
 * these alone. No other pair could use it: what found no timeslot in the batch finds none later, as
 * none becomes free.
 *
 * <p><b>No pair starves.</b> From the batch after its request on (or from its last timeslot), while
 * a pair of n hosts waits, each other pair at its source and each at its destination gets at most
 * one timeslot, after which it is behind. That is {@code 2 (n - 2)} timeslots at most, and as many
 * more as the batch in which the request came has left.
 *
 * <p><b>Complexity.</b> O(1) per admission and per pair that waits at a batch's end. New requests
 * are put in order by a radix sort of two bytes; pairs idle for longer than 2^16 timeslots count as
 * equally old. After the constructor nothing is allocated.
 *
 * <p>Source: Perry, Ousterhout, Balakrishnan, Shah and Fugal, "Fastpass: a centralized
 * &quot;zero-queue&quot; datacenter network", SIGCOMM 2014, sections 3 and 4. Their arbiter handles
 * 16 timeslots at a time, and groups older pairs in bins.
 */
public final class Arbiter implements TimeslotAllocator {
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

  /** The timeslots that are not over. */
  private long allowed;

  /** 64 lists of those who got that timeslot, each of {@code hosts}. */
  private final long[] lists;

  /** Where each list goes on. */
  private final int[] ends = new int[BATCH_TIMESLOTS];

  /** Where those begin in each list that had their first turn in the last allocation. */
  private final int[] firstTurns = new int[BATCH_TIMESLOTS];

  /** Requests since the last batch; first those that found no timeslot in the rest of it. */
  private final long[] requests;

  private int requestCount;
  private int lateCount;

  /** Who waits since an earlier batch, oldest allocation first; and room for the next such list. */
  private long[] left;

  private int leftCount;
  private long[] nextLeft;

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
    this.lists = new long[BATCH_TIMESLOTS * hosts];
    this.requests = new long[pairs];
    this.sorted = new long[pairs];
    this.left = new long[pairs];
    this.nextLeft = new long[pairs];
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

  @Override
  public void request(int source, int destination, int timeslots) {
    checkRequest(hosts, source, destination, timeslots);
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

  /** How many pairs wait for a timeslot. */
  public int waiting() {
    return leftCount + requestCount;
  }

  /** Drops requests that are not allocated yet, but not who was served when. */
  @Override
  public void withdrawAll() {
    withdraw(left, leftCount);
    withdraw(requests, requestCount);
    leftCount = 0;
    requestCount = 0;
    lateCount = 0;
  }

  private void withdraw(long[] waiting, int count) {
    for (int i = 0; i < count; i++) {
      states[pair(waiting[i])] = now - age(waiting[i]);
    }
  }

  /** Allocates the next {@value #BATCH_TIMESLOTS} timeslots. */
  public void allocate() {
    allocate(BATCH_TIMESLOTS);
  }

  @Override
  public void allocate(int timeslots) {
    checkBatch(timeslots);
    batchTimeslots = timeslots;
    allowed = -1L;
    Arrays.fill(sourceFree, 0, hosts, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(destinationFree, 0, hosts, -1L >>> (Long.SIZE - timeslots));
    for (int timeslot = 0; timeslot < BATCH_TIMESLOTS; timeslot++) {
      ends[timeslot] = listStart(timeslot);
      firstTurns[timeslot] = listStart(timeslot);
    }
    serveOldestFirst();
    for (int timeslot = 0; timeslot < timeslots; timeslot++) {
      leftCount = serveList(timeslot, now, left, leftCount);
    }
    now += timeslots;
  }

  /**
   * Allocates what is free yet of the last batch's timeslots to requests that came since.
   *
   * @param first the first timeslot of the batch that may be allocated, 0 or more; no earlier one
   *     changes
   */
  public void allocateMore(int first) {
    checked(first);
    allowed = -1L << first;
    System.arraycopy(ends, 0, firstTurns, 0, BATCH_TIMESLOTS);
    sortRequests(lateCount);
    int late = lateCount;
    for (int i = lateCount; i < requestCount; i++) {
      late = serve(requests[i], requests, late);
    }
    for (int timeslot = first; timeslot < batchTimeslots; timeslot++) {
      late = serveList(timeslot, now - batchTimeslots, requests, late);
    }
    lateCount = late;
    requestCount = late;
  }

  /**
   * Serves those left over and the new requests; who gets no timeslot is left over, in the same
   * order. Equally old ones have their turns as they came.
   */
  private void serveOldestFirst() {
    sortRequests(0);
    long[] older = left;
    int olderCount = leftCount;
    left = nextLeft;
    nextLeft = older;
    int kept = 0;
    int next = 0;
    for (int i = 0; i < requestCount; i++) {
      int age = age(requests[i]);
      while (next < olderCount && age(older[next]) >= age) {
        kept = serve(older[next++], left, kept);
      }
      kept = serve(requests[i], left, kept);
    }
    while (next < olderCount) {
      kept = serve(older[next++], left, kept);
    }
    leftCount = kept;
    requestCount = 0;
    lateCount = 0;
  }

  /** Serves those who got a timeslot in this allocation and want more. */
  private int serveList(int timeslot, long batchStart, long[] refused, int refusedCount) {
    long served = batchStart + timeslot + 1;
    int count = refusedCount;
    for (int i = firstTurns[timeslot]; i < ends[timeslot]; i++) {
      long waiting = (lists[i] & BELOW_SERVED) | served << SERVED_SHIFT;
      if ((waiting & CREDIT_MASK) == 0) {
        waiting = renewCredit(waiting, served);
        if ((waiting & CREDIT_MASK) == 0) {
          continue;
        }
      }
      count = serve(waiting, refused, count);
    }
    return count;
  }

  /** Gives a pair its first free timeslot; without any, appends it to those refused. */
  private int serve(long waiting, long[] refused, int refusedCount) {
    int source = (int) (waiting >>> SOURCE_SHIFT) & sourceFree.length - 1;
    int destination = (int) waiting & destinationFree.length - 1;
    long free = sourceFree[source] & destinationFree[destination] & allowed;
    if (free == 0) {
      refused[refusedCount] = waiting;
      return refusedCount + 1;
    }
    long first = free & -free;
    sourceFree[source] ^= first;
    destinationFree[destination] ^= first;
    lists[ends[Long.numberOfTrailingZeros(free)]++] = waiting - ONE_CREDIT;
    return refusedCount;
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

  /** How long ago a pair was served: less than 2^24 timeslots, as none waits so long. */
  private int age(long waiting) {
    return (int) (now - (waiting >>> SERVED_SHIFT)) & ((1 << (Long.SIZE - SERVED_SHIFT)) - 1);
  }

  /** Sorts the requests from a place on oldest first, equally old ones as they came. */
  private void sortRequests(int from) {
    int count = requestCount - from;
    sortByDigit(requests, from, sorted, 0, count, 0);
    sortByDigit(sorted, 0, requests, from, count, 8);
  }

  /** One pass of a radix sort, by one byte of what an age lacks to the oldest. */
  private void sortByDigit(
      long[] from, int start, long[] into, int intoStart, int count, int shift) {
    Arrays.fill(digitEnds, 0);
    for (int i = start; i < start + count; i++) {
      digitEnds[((OLDEST - 1 - age(from[i])) >>> shift) & 0xff]++;
    }
    int end = intoStart;
    for (int digit = 0; digit < digitEnds.length; digit++) {
      int ofDigit = digitEnds[digit];
      digitEnds[digit] = end;
      end += ofDigit;
    }
    for (int i = start; i < start + count; i++) {
      into[digitEnds[((OLDEST - 1 - age(from[i])) >>> shift) & 0xff]++] = from[i];
    }
  }

  @Override
  public int admitted(int timeslot) {
    return ends[checked(timeslot)] - listStart(timeslot);
  }

  @Override
  public int source(int timeslot, int i) {
    return source(lists[listStart(checked(timeslot)) + i]);
  }

  @Override
  public int destination(int timeslot, int i) {
    return destination(lists[listStart(checked(timeslot)) + i]);
  }

  private int checked(int timeslot) {
    return checkTimeslot(timeslot, batchTimeslots);
  }

  static void checkRequest(int hosts, int source, int destination, int timeslots) {
    if (source < 0 || source >= hosts || destination < 0 || destination >= hosts) {
      throw new IllegalArgumentException(
          "no pair " + source + " to " + destination + " among " + hosts + " hosts");
    }
    if (source == destination || timeslots < 1) {
      throw new IllegalArgumentException(
          timeslots + " timeslots from " + source + " to " + destination + " make no request");
    }
  }

  static void checkBatch(int timeslots) {
    if (timeslots < 1 || timeslots > BATCH_TIMESLOTS) {
      throw new IllegalArgumentException(
          "timeslots: must be 1 to " + BATCH_TIMESLOTS + ", not " + timeslots);
    }
  }

  static int checkTimeslot(int timeslot, int batchTimeslots) {
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
