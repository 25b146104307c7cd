package org.evenweave.sdd.fastpass;

import java.util.Arrays;
import org.evenweave.sdd.schedule.Schedule;

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
 * before it holds: the same one. The remaining requests come out in order for the next batch.
 *
 * <p><b>Who has no turn costs nothing.</b> Most of the work at high load would be to look at pairs
 * that wait and whose ends are taken. But the pairs served last in one timeslot have no host in
 * common: a source has at most one of them. So who waits since one of the last {@value #RING}
 * timeslots is a bit per source in the bitmap of that timeslot, and an AND with the sources that
 * have something free leaves those worth a look; the others stay where they are. Nor does their
 * order matter: they do not compete. Only pairs that were served before are in a list.
 *
 * <p><b>No pair starves.</b> From its request on (or from its last timeslot), while a pair of n
 * hosts waits, each other pair at its source and each at its destination gets at most one timeslot,
 * after which it is behind. That is {@code 2 (n - 2)} timeslots at most.
 *
 * <p><b>Complexity.</b> O(1) per admission, per pair whose source has something free, and per pair
 * that waits and is not in the ring; {@code n / 64} for each timeslot of the ring for which
 * somebody waits. New requests that are not in the ring are put in order by a radix sort of two
 * bytes; pairs idle for longer than 2^16 timeslots count as equally old. After the constructor
 * nothing is allocated.
 *
 * <p>Source: Perry, Ousterhout, Balakrishnan, Shah and Fugal, "Fastpass: a centralized
 * &quot;zero-queue&quot; datacenter network", SIGCOMM 2014, sections 3 and 4.
 */
public final class Arbiter implements TimeslotAllocator {
  /** The most hosts: what a waiting pair's word has bits for. */
  public static final int MAX_HOSTS = 1 << 14;

  /*
   * A pair as entry: 12 bits how many timeslots it may get before the rest of its backlog is looked
   * up, 14 bits destination.
   */
  private static final int CREDIT_SHIFT = 14;
  private static final int HOST_MASK = MAX_HOSTS - 1;
  private static final int ONE_CREDIT = 1 << CREDIT_SHIFT;
  private static final int MAX_CREDIT = (1 << (AgedPairs.SOURCE_SHIFT - CREDIT_SHIFT)) - 1;
  private static final long ENTRY_MASK = (1L << AgedPairs.SOURCE_SHIFT) - 1;

  /** The timeslots that the ring holds; a power of two, of {@link #BATCH_TIMESLOTS} at least 2. */
  private static final int RING = 1 << 8;

  /** The sign of the state of a pair that waits; the rest is its backlog beyond its credit. */
  private static final long WAITING = Long.MIN_VALUE;

  private final int hosts;

  /** The words of a bitmap of hosts. */
  private final int words;

  private long now;

  /**
   * Of each pair, by source * hosts + destination: {@link #WAITING} and backlog, or when it was
   * served last plus one, 0 if never.
   */
  private final long[] states;

  /** The free timeslots of the batch, of a power of two: a mask then bounds the index. */
  private final long[] sourceFree;

  private final long[] destinationFree;

  /** The sources that have a free timeslot yet. */
  private final long[] open;

  /** Of each timeslot of the ring and each source: the pair that got it, see {@link #entry}. */
  private final int[] entries;

  /** Of each timeslot of the ring: the sources of those that got it and wait again. */
  private final long[] waiting;

  /** The timeslots of the ring for which somebody waits. */
  private final long[] waitedFor = new long[RING / Long.SIZE];

  /** Of each timeslot of the batch, where its row of {@link #entries} is. */
  private final int[] rows = new int[BATCH_TIMESLOTS];

  /** Of each timeslot of the batch, the sources that have it. */
  private final long[] admitted;

  /** Of each timeslot of the batch, the sources of pairs that have it and want no more. */
  private final long[] satisfied;

  private int batchTimeslots;

  /** Whether more than one in eight found no timeslot in the row before. */
  private boolean manyAreRefused;

  /** Who waits and was served before the ring's timeslots. */
  private final AgedPairs older;

  /**
   * An arbiter without requests, at timeslot 0.
   *
   * @param hosts the number of hosts, 2 to {@value #MAX_HOSTS}
   */
  public Arbiter(int hosts) {
    Checks.hosts(hosts);
    this.hosts = hosts;
    this.words = (hosts + Long.SIZE - 1) / Long.SIZE;
    int pairs = hosts * hosts;
    int powerOfTwo = Integer.highestOneBit(2 * hosts - 1);
    this.states = new long[pairs];
    this.sourceFree = new long[powerOfTwo];
    this.destinationFree = new long[powerOfTwo];
    this.open = new long[words];
    this.entries = new int[RING * hosts];
    this.waiting = new long[RING * words];
    this.admitted = new long[BATCH_TIMESLOTS * words];
    this.satisfied = new long[BATCH_TIMESLOTS * words];
    this.older = new AgedPairs(pairs);
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
    Checks.request(hosts, source, destination, timeslots);
    int pair = source * hosts + destination;
    long state = states[pair];
    if (state < 0) {
      states[pair] = state + timeslots;
      return;
    }
    int credit = Math.min(timeslots, MAX_CREDIT);
    states[pair] = WAITING + (timeslots - credit);
    if (state > 0 && now - (state - 1) <= RING) {
      waitAgain(state - 1, source, entry(destination, credit));
      return;
    }
    long served = Math.max(state, now - AgedPairs.OLDEST + 1);
    older.request(served, (long) source << AgedPairs.SOURCE_SHIFT | entry(destination, credit));
  }

  /** A pair that was served in a timeslot of the ring waits for another. */
  private void waitAgain(long timeslot, int source, int entry) {
    int row = row(timeslot);
    entries[row * hosts + source] = entry;
    waiting[row * words + (source >>> 6)] |= 1L << source;
    waitedFor[row >>> 6] |= 1L << row;
  }

  /** A pair's destination, and how many timeslots it may get before its backlog is looked up. */
  private static int entry(int destination, int credit) {
    return credit * ONE_CREDIT + destination;
  }

  @Override
  public void withdrawAll() {
    older.sort(now);
    for (long timeslot = Math.max(0, now - RING); timeslot < now; timeslot++) {
      leaveRing(timeslot);
    }
    for (int i = 0; i < older.count(); i++) {
      long pair = older.get(i);
      states[AgedPairs.source(pair) * hosts + AgedPairs.destination(pair)] = now - older.age(i);
    }
    older.clear();
  }

  @Override
  public void allocate(int timeslots) {
    Checks.batch(timeslots);
    batchTimeslots = timeslots;
    Arrays.fill(sourceFree, 0, hosts, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(destinationFree, 0, hosts, -1L >>> (Long.SIZE - timeslots));
    Arrays.fill(open, -1L);
    Arrays.fill(admitted, 0);
    Arrays.fill(satisfied, 0);
    for (int timeslot = 0; timeslot < timeslots; timeslot++) {
      rows[timeslot] = row(now + timeslot) * hosts;
      leaveRing(now - RING + timeslot);
    }
    serveOlder();
    serveRing(now - RING + timeslots, now);
    for (int timeslot = 0; timeslot < timeslots; timeslot++) {
      serveAgain(timeslot);
    }
    now += timeslots;
  }

  /** Serves those who were served before the ring's timeslots, oldest first. */
  private void serveOlder() {
    older.sort(now);
    int kept = 0;
    for (int i = 0; i < older.count(); i++) {
      long pair = older.get(i);
      int source = AgedPairs.source(pair);
      long free = sourceFree[source] & destinationFree[AgedPairs.destination(pair)];
      if (free == 0) {
        older.move(i, kept++);
      } else {
        serve(source, AgedPairs.destination(pair), (int) (pair & ENTRY_MASK), free);
      }
    }
    older.cut(kept);
  }

  /** Those who wait since a timeslot whose place in the ring is needed join the older ones. */
  private void leaveRing(long timeslot) {
    int row = row(timeslot);
    if ((waitedFor[row >>> 6] & 1L << row) == 0) {
      return;
    }
    for (int word = 0; word < words; word++) {
      long sources = waiting[row * words + word];
      waiting[row * words + word] = 0;
      for (; sources != 0; sources &= sources - 1) {
        int source = (word << 6) + Long.numberOfTrailingZeros(sources);
        long entry = entries[row * hosts + source];
        older.append(timeslot + 1, (long) source << AgedPairs.SOURCE_SHIFT | entry);
      }
    }
    waitedFor[row >>> 6] &= ~(1L << row);
  }

  /** Serves those who wait since some timeslots of the ring, the earliest first. */
  private void serveRing(long from, long to) {
    long timeslot = from;
    while (timeslot < to) {
      int row = row(timeslot);
      long rows = waitedFor[row >>> 6] >>> row;
      if (rows == 0) {
        timeslot += Long.SIZE - (row & Long.SIZE - 1);
        continue;
      }
      timeslot += Long.numberOfTrailingZeros(rows);
      if (timeslot < to) {
        serveRow(row(timeslot));
        timeslot++;
      }
    }
  }

  /** Serves those who have got a timeslot of the batch and want more. */
  private void serveAgain(int timeslot) {
    int row = row(now + timeslot);
    long any = 0;
    for (int word = 0; word < words; word++) {
      long sources = admitted[timeslot * words + word] & ~satisfied[timeslot * words + word];
      waiting[row * words + word] = sources;
      any |= sources;
    }
    if (any != 0) {
      waitedFor[row >>> 6] |= 1L << row;
      serveRow(row);
    }
  }

  /** Serves the pairs of a row; they have no host in common, so their order is anyway. */
  private void serveRow(int row) {
    long left = 0;
    int asked = 0;
    int refused = 0;
    for (int word = 0; word < words; word++) {
      long sources = waiting[row * words + word];
      long turns = sources & open[word];
      if (turns != 0) {
        long without = manyAreRefused ? withoutTimeslot(row, word, turns) : 0;
        without |= serve(row, word, turns ^ without);
        asked += Long.bitCount(turns);
        refused += Long.bitCount(without);
        sources ^= turns ^ without;
        waiting[row * words + word] = sources;
      }
      left |= sources;
    }
    manyAreRefused = 8 * refused > asked;
    if (left == 0) {
      waitedFor[row >>> 6] &= ~(1L << row);
    }
  }

  /**
   * Those of 64 sources whose pairs find no timeslot. Without a branch: where many are refused, no
   * processor can foretell which, and a wrong guess costs more than to look at a pair twice.
   */
  private long withoutTimeslot(int row, int word, long turns) {
    int from = word << 6;
    long without = 0;
    for (long rest = turns; rest != 0; rest &= rest - 1) {
      int source = from + Long.numberOfTrailingZeros(rest);
      int destination = entries[row * hosts + source] & destinationFree.length - 1;
      long free = sourceFree[source] & destinationFree[destination];
      without |= rest & -rest & ~((free | -free) >> (Long.SIZE - 1));
    }
    return without;
  }

  /**
   * Gives the pairs of 64 sources the first of the timeslots that are free at both their ends;
   * returns the sources of those that find none.
   */
  private long serve(int row, int word, long turns) {
    long without = 0;
    for (long rest = turns; rest != 0; rest &= rest - 1) {
      int source = (word << 6) + Long.numberOfTrailingZeros(rest);
      int entry = entries[row * hosts + source];
      int destination = entry & destinationFree.length - 1;
      long free = sourceFree[source] & destinationFree[destination];
      if (free == 0) {
        without |= rest & -rest;
      } else {
        serve(source, destination, entry, free);
      }
    }
    return without;
  }

  private void serve(int source, int destination, int entry, long free) {
    long first = free & -free;
    sourceFree[source] ^= first;
    destinationFree[destination] ^= first;
    if (sourceFree[source] == 0) {
      open[source >>> 6] &= ~(1L << source);
    }
    int timeslot = Long.numberOfTrailingZeros(free);
    entries[rows[timeslot] + source] = entry - ONE_CREDIT;
    admitted[timeslot * words + (source >>> 6)] |= 1L << source;
    if (entry < 2 * ONE_CREDIT) {
      renewCredit(source, destination, timeslot);
    }
  }

  /**
   * Gives credit out of the backlog of a pair that got a timeslot; without any, it wants no more.
   */
  private void renewCredit(int source, int destination, int timeslot) {
    int pair = source * hosts + destination;
    long backlog = states[pair] - WAITING;
    if (backlog == 0) {
      states[pair] = now + timeslot + 1;
      satisfied[timeslot * words + (source >>> 6)] |= 1L << source;
      return;
    }
    int credit = (int) Math.min(backlog, MAX_CREDIT);
    states[pair] = WAITING + (backlog - credit);
    entries[rows[timeslot] + source] = entry(destination, credit);
  }

  @Override
  public int admitted(int timeslot) {
    int first = checked(timeslot) * words;
    int count = 0;
    for (int word = first; word < first + words; word++) {
      count += Long.bitCount(admitted[word]);
    }
    return count;
  }

  @Override
  public int destination(int timeslot, int source) {
    long sources = admitted[checked(timeslot) * words + (source >>> 6)];
    return (sources & 1L << source) == 0
        ? Schedule.IDLE
        : entries[rows[timeslot] + source] & HOST_MASK;
  }

  private int checked(int timeslot) {
    return Checks.timeslot(timeslot, batchTimeslots);
  }

  /** The place of a timeslot in the ring. */
  private static int row(long timeslot) {
    return (int) timeslot & RING - 1;
  }
}
