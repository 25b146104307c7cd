package org.evenweave.wcmp.reduction;

/**
 * Reduced groups of one limit by their ideal weights, for those whose weights are within 7 of each
 * other, as numbers of parallel links are: a fabric's switches ask for the same few again and
 * again, with their ports in any order.
 *
 * <p><b>Idea.</b> Weights within 7 of each other differ in their three lowest bits, so how many
 * ports there are of each is counted in the bytes of one long, by a shift and an addition for each
 * port. That long and the least weight are the whole multiset. Reduced, all ports of a weight have
 * equally many entries, except that some of those with the largest quotient Y / X may have one
 * less, the last ones, whatever their weight ({@link ClassSearch}); so an answer fits two longs for
 * any order of ports.
 */
final class KnownGroups {
  /** No size. */
  static final int NONE = 0;

  /** The ports of each weight are counted in the bytes of one long. */
  static final int WEIGHTS = 8;

  private static final int MAX_PORTS = 255;
  private static final int MAX_WEIGHT = 1 << 12;
  private static final int LEAST = MAX_WEIGHT - 1;
  private static final int SPREAD = WEIGHTS - 1;
  private static final int LANE = 0xFF;

  /** Of a record: the ports by weight, the entries by weight, the rest, the limit's number. */
  private static final int RECORD = 4;

  private static final int LEAST_RECORDS = 1 << 5;

  /** 128 KB. */
  private static final int MOST_RECORDS = 1 << 12;

  /** The rest, from the lowest bit: least weight, lowered lanes, ports lowered, size. */
  private static final int LANES_SHIFT = 12;

  private static final int LOWERED_SHIFT = 20;
  private static final int SIZE_SHIFT = 28;

  private static final long HASH = 0x9E3779B97F4A7C15L;
  private static final int HASH_SHIFT = 40;

  private long[] records = new long[LEAST_RECORDS * RECORD];
  private int stored;

  /** The limit's number; records of others are of no use. */
  private long limit = 1;

  /** The group counted last: its ports by weight and its least weight. */
  private long tally;

  private int least;

  /** Which weights it has, from the least on. */
  private int distinct;

  /** Begins again, for another limit. */
  void forget() {
    limit++;
    stored = 0;
  }

  /** Counts a group's ports by weight; returns false if its weights are not near each other. */
  boolean count(long[] weights, int ports) {
    if (ports < 1 || ports > MAX_PORTS || weights[0] < 1 || weights[0] >= MAX_WEIGHT - SPREAD) {
      return false;
    }
    long lowest = weights[0] - SPREAD;
    long sums = 0;
    long seen = 0;
    for (int i = 0; i < ports; i++) {
      long weight = weights[i];
      long above = weight - lowest;
      if (above < 0 || above > 2 * SPREAD) {
        return false;
      }
      seen |= 1L << above;
      sums += 1L << (weight << 3);
    }
    int first = Long.numberOfTrailingZeros(seen);
    tally = sums;
    least = (int) lowest + first;
    distinct = (int) (seen >>> first);
    return distinct < 1 << WEIGHTS && least > 0;
  }

  /** The least weight of the group counted last. */
  int least() {
    return least;
  }

  /** The weights of the group counted last: bit k for k above the least. */
  int distinct() {
    return distinct;
  }

  /** How many ports of the group counted last have a weight, at most 7 above the least. */
  int ports(int weight) {
    return (int) (tally >>> (weight << 3)) & LANE;
  }

  /**
   * Looks for the group counted last.
   *
   * @param entries filled with the entries per port, if it is known
   * @return its size, or {@link #NONE}
   */
  int recall(long[] weights, int ports, int[] entries) {
    int at = slot();
    long rest = records[at + 2];
    if (records[at] != tally || (rest & LEAST) != least || records[at + 3] != limit) {
      return NONE;
    }
    write(records[at + 1], rest, weights, ports, entries);
    return (int) (rest >>> SIZE_SHIFT);
  }

  private static void write(long lanes, long rest, long[] weights, int ports, int[] entries) {
    for (int i = 0; i < ports; i++) {
      entries[i] = (int) (lanes >>> (weights[i] << 3)) & LANE;
    }
    int left = (int) (rest >>> LOWERED_SHIFT) & LANE;
    for (int i = ports - 1; left > 0; i--) {
      int lowered = (int) (rest >>> (LANES_SHIFT + (weights[i] & SPREAD))) & 1;
      entries[i] -= lowered;
      left -= lowered;
    }
  }

  /**
   * Stores the group counted last.
   *
   * @param found its entries by weight
   * @param size their sum, below 2^21
   * @return whether it is stored; not, if a port has too many entries
   */
  boolean store(ClassSearch found, int size) {
    long lanes = 0;
    long lowered = 0;
    for (int k = 0; k < found.classes(); k++) {
      int lane = found.weight(k) & SPREAD;
      if (found.entries(k) > LANE) {
        return false;
      }
      lanes |= (long) found.entries(k) << (lane << 3);
      lowered |= found.hasLargestQuotient(k) ? 1L << lane : 0;
    }
    if (++stored > records.length / RECORD && records.length < MOST_RECORDS * RECORD) {
      // Those known so far come back when they are asked for.
      records = new long[2 * records.length];
      stored = 1;
    }
    int at = slot();
    records[at] = tally;
    records[at + 1] = lanes;
    records[at + 2] =
        (long) size << SIZE_SHIFT
            | (long) found.lowered() << LOWERED_SHIFT
            | lowered << LANES_SHIFT
            | least;
    records[at + 3] = limit;
    return true;
  }

  /** Where the group counted last is, if it is known. */
  private int slot() {
    int mask = records.length / RECORD - 1;
    return ((int) (((tally + least) * HASH) >>> HASH_SHIFT) & mask) * RECORD;
  }
}
