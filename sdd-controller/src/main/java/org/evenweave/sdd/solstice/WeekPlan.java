package org.evenweave.sdd.solstice;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;

/**
 * A week that is still being planned: days whose lengths and circuits may change, and for each pair
 * what its days leave of what it is to get: its demand, or less at an overloaded host. Lengths are
 * in bytes: what a circuit carries in the time.
 */
final class WeekPlan {
  private final int hosts;
  private final long nightBytes;
  private long roomBytes;
  private int days;

  /** Day d has its pairs in {@code d * hosts} and following, by source. */
  private int[] pairs = new int[0];

  private long[] lengths = new long[0];

  /** What each pair is to get. */
  private final long[] wanted;

  /** The same less what its days can carry; negative if they can carry more. */
  private final long[] rest;

  private final int[] entries;
  private int entryCount;

  /** Working memory. */
  WeekPlan(int hosts, long nightBytes) {
    this.hosts = hosts;
    this.nightBytes = nightBytes;
    this.wanted = new long[hosts * hosts];
    this.rest = new long[hosts * hosts];
    this.entries = new int[hosts * hosts];
  }

  /**
   * Starts a week without days, in which each pair is to get its demand.
   *
   * @param at where the matrix has entries, {@code count} of them
   */
  void start(DemandMatrix demand, int[] at, int count, long weekBytes) {
    for (int day = 0; day < days; day++) {
      for (int source = 0; source < hosts; source++) {
        rest[pair(day, source)] = 0;
      }
    }
    for (int i = 0; i < entryCount; i++) {
      rest[entries[i]] = 0;
      wanted[entries[i]] = 0;
    }
    System.arraycopy(at, 0, entries, 0, count);
    entryCount = count;
    for (int i = 0; i < count; i++) {
      wanted[at[i]] = demand.at(at[i]);
      rest[at[i]] = demand.at(at[i]);
    }
    days = 0;
    roomBytes = weekBytes;
  }

  /** Where the demand has entries, as many as {@link #entryCount()}. */
  int[] entries() {
    return entries;
  }

  int entryCount() {
    return entryCount;
  }

  int days() {
    return days;
  }

  long nightBytes() {
    return nightBytes;
  }

  /** What is left of the week. */
  long roomBytes() {
    return roomBytes;
  }

  /** Whether a night and a day fit the week yet. */
  boolean hasRoom() {
    return roomBytes > nightBytes;
  }

  /** The longest day that fits after its night. */
  long longestDay() {
    return roomBytes - nightBytes;
  }

  /** The length of a day. */
  long length(int day) {
    return lengths[day];
  }

  /** The pair that a source is of in a day: source * hosts + destination. */
  int pair(int day, int source) {
    return pairs[day * hosts + source];
  }

  int destination(int day, int source) {
    return pair(day, source) - source * hosts;
  }

  /** Copies each source's destination in a day. */
  void copyDay(int day, int[] into) {
    for (int source = 0; source < hosts; source++) {
      into[source] = destination(day, source);
    }
  }

  /** Changes what a pair with demand is to get. */
  void want(int at, long bytes) {
    rest[at] += bytes - wanted[at];
    wanted[at] = bytes;
  }

  /** What the days of a pair can carry. */
  long capacity(int at) {
    return wanted[at] - rest[at];
  }

  /** What a pair is to get less what its days can carry. */
  long rest(int at) {
    return rest[at];
  }

  /** Adds a night and a day, in which every source has a destination. */
  void add(int[] destinationOf, long bytes) {
    if (days == lengths.length) {
      int capacity = Math.max(16, 2 * days);
      pairs = Arrays.copyOf(pairs, Math.multiplyExact(capacity, hosts));
      lengths = Arrays.copyOf(lengths, capacity);
    }
    for (int source = 0; source < hosts; source++) {
      pairs[days * hosts + source] = source * hosts + destinationOf[source];
    }
    lengths[days] = 0;
    roomBytes -= nightBytes;
    lengthen(days++, bytes);
  }

  /** Makes a day longer, or shorter by a negative number. */
  void lengthen(int day, long bytes) {
    lengths[day] += bytes;
    roomBytes -= bytes;
    int first = day * hosts;
    for (int source = 0; source < hosts; source++) {
      rest[pairs[first + source]] -= bytes;
    }
  }

  /** Removes the last day; its time and its night's are room again. */
  void removeLast() {
    int last = days - 1;
    lengthen(last, -lengths[last]);
    roomBytes += nightBytes;
    days = last;
  }

  /** Takes back the last {@link #removeLast()}, unless a day was added since. */
  void restoreLast(long bytes) {
    roomBytes -= nightBytes;
    lengthen(days++, bytes);
  }

  /** Lets two days change places. */
  void swap(int one, int other) {
    long length = lengths[one];
    lengths[one] = lengths[other];
    lengths[other] = length;
    for (int source = 0; source < hosts; source++) {
      int pair = pairs[one * hosts + source];
      pairs[one * hosts + source] = pairs[other * hosts + source];
      pairs[other * hosts + source] = pair;
    }
  }

  /** Lets two sources exchange their destinations in a day. */
  void exchange(int day, int one, int other) {
    int toOne = destination(day, one);
    int toOther = destination(day, other);
    long length = lengths[day];
    rest[one * hosts + toOne] += length;
    rest[other * hosts + toOther] += length;
    rest[one * hosts + toOther] -= length;
    rest[other * hosts + toOne] -= length;
    pairs[day * hosts + one] = one * hosts + toOther;
    pairs[day * hosts + other] = other * hosts + toOne;
  }

  /** What a pair loses if its days can carry so many bytes less. */
  long worth(int at, long bytes) {
    return Math.min(bytes, Math.max(0, rest[at] + bytes));
  }

  /** What a pair wins if its days can carry so many bytes more. */
  long gain(int at, long bytes) {
    return Math.min(bytes, Math.max(0, rest[at]));
  }
}
