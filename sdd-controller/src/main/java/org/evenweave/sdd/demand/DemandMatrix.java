package org.evenweave.sdd.demand;

import java.util.Arrays;

/**
 * The bytes that wait at each source for each destination: the hosts report them every period, and
 * schedulers plan for them.
 *
 * <p>Hosts are numbered 0 to {@code hosts - 1}; each is a source and a destination. A matrix is
 * reused from period to period, so that a control loop allocates nothing. Sums of all entries must
 * fit a {@code long}. Not thread-safe.
 *
 * <p>Most pairs of a large fabric have no demand. A bitmap says which have, 64 destinations to a
 * word, and the sums of rows and columns are kept: copying, clearing and listing cost O(n²/64) and
 * the entries, a sum O(1).
 */
public final class DemandMatrix {
  private final int hosts;
  private final long[] bytes;

  /** Of each source, {@code words} words: the destinations that it has demand for. */
  private final long[] present;

  private final int words;
  private final long[] fromSource;
  private final long[] toDestination;

  /**
   * A matrix without demand.
   *
   * @param hosts the number of hosts, at least 1
   */
  public DemandMatrix(int hosts) {
    if (hosts < 1) {
      throw new IllegalArgumentException("hosts: " + hosts + " is less than 1");
    }
    this.hosts = hosts;
    this.bytes = new long[Math.multiplyExact(hosts, hosts)];
    this.words = (hosts + Long.SIZE - 1) / Long.SIZE;
    this.present = new long[hosts * words];
    this.fromSource = new long[hosts];
    this.toDestination = new long[hosts];
  }

  /** The number of hosts: of rows (sources) and of columns (destinations). */
  public int hosts() {
    return hosts;
  }

  /** The bytes that wait at the source for the destination, 0 or more. */
  public long get(int source, int destination) {
    return bytes[index(source, destination)];
  }

  /** The bytes of the pair at a position as in {@link #positions}. */
  public long at(int position) {
    return bytes[position];
  }

  /**
   * Replaces the demand of a pair.
   *
   * @param demandBytes 0 or more
   */
  public void set(int source, int destination, long demandBytes) {
    if (demandBytes < 0) {
      throw new IllegalArgumentException(
          "demand from " + source + " to " + destination + ": " + demandBytes + " is negative");
    }
    put(index(source, destination), source, destination, demandBytes);
  }

  private void put(int index, int source, int destination, long newBytes) {
    long oldBytes = bytes[index];
    bytes[index] = newBytes;
    fromSource[source] += newBytes - oldBytes;
    toDestination[destination] += newBytes - oldBytes;
    if ((oldBytes == 0) != (newBytes == 0)) {
      present[source * words + (destination >>> 6)] ^= 1L << destination;
    }
  }

  /**
   * Adds to the demand of a pair, which stays 0 or more.
   *
   * @param addedBytes may be negative, down to the demand there is
   */
  public void add(int source, int destination, long addedBytes) {
    set(source, destination, Math.addExact(get(source, destination), addedBytes));
  }

  /**
   * Takes demand of a pair away.
   *
   * @param mostBytes how much to take if there is so much, 0 or more
   * @return how much was taken
   */
  public long take(int source, int destination, long mostBytes) {
    int index = index(source, destination);
    long taken = Math.min(bytes[index], mostBytes);
    put(index, source, destination, bytes[index] - taken);
    return taken;
  }

  /** Takes over the other matrix's demand. */
  public void copyFrom(DemandMatrix other) {
    if (other.hosts != hosts) {
      throw new IllegalArgumentException(
          "a demand matrix of " + other.hosts + " hosts where one of " + hosts + " is needed");
    }
    for (int word = 0; word < present.length; word++) {
      if ((present[word] | other.present[word]) != 0) {
        System.arraycopy(other.bytes, start(word), bytes, start(word), end(word) - start(word));
      }
    }
    System.arraycopy(other.present, 0, present, 0, present.length);
    System.arraycopy(other.fromSource, 0, fromSource, 0, hosts);
    System.arraycopy(other.toDestination, 0, toDestination, 0, hosts);
  }

  /** Removes all demand. */
  public void clear() {
    for (int word = 0; word < present.length; word++) {
      if (present[word] != 0) {
        Arrays.fill(bytes, start(word), end(word), 0);
      }
    }
    Arrays.fill(present, 0);
    Arrays.fill(fromSource, 0);
    Arrays.fill(toDestination, 0);
  }

  /**
   * Lists the pairs with demand, row by row.
   *
   * @param into receives {@code source * hosts + destination} of each; long enough for all
   * @return how many there are
   */
  public int positions(int[] into) {
    int count = 0;
    for (int word = 0; word < present.length; word++) {
      int start = start(word);
      for (long left = present[word]; left != 0; left &= left - 1) {
        into[count++] = start + Long.numberOfTrailingZeros(left);
      }
    }
    return count;
  }

  /** The position of a word's first pair. */
  private int start(int word) {
    return word / words * hosts + word % words * Long.SIZE;
  }

  /** The position behind a word's last pair. */
  private int end(int word) {
    return Math.min(start(word) + Long.SIZE, (word / words + 1) * hosts);
  }

  /** The bytes that wait at a source: a row's sum. */
  public long fromSource(int source) {
    return fromSource[source];
  }

  /** The bytes that wait for a destination: a column's sum. */
  public long toDestination(int destination) {
    return toDestination[destination];
  }

  /** The bytes that wait anywhere. */
  public long total() {
    long sum = 0;
    for (long row : fromSource) {
      sum += row;
    }
    return sum;
  }

  /**
   * Copies all entries, row by row: entry ({@code source}, {@code destination}) goes to {@code
   * source * hosts + destination}.
   */
  public void copyTo(long[] into) {
    System.arraycopy(bytes, 0, into, 0, bytes.length);
  }

  private int index(int source, int destination) {
    if (source < 0 || source >= hosts || destination < 0 || destination >= hosts) {
      throw new IndexOutOfBoundsException(
          "no pair " + source + " to " + destination + " among " + hosts + " hosts");
    }
    return source * hosts + destination;
  }
}
