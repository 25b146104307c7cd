package org.evenweave.sdd.demand;

import java.util.Arrays;

/**
 * How many bytes wait at each source for each destination: what the hosts report every period, and
 * what schedulers plan for.
 *
 * <p>Hosts are numbered 0 to {@code hosts - 1}; each is a source and a destination. A matrix is
 * reused from period to period, so that a control loop allocates nothing. Sums of all entries must
 * fit a {@code long}. Not thread-safe.
 */
public final class DemandMatrix {
  private final int hosts;
  private final long[] bytes;

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
  }

  /** The number of hosts: of rows (sources) and of columns (destinations). */
  public int hosts() {
    return hosts;
  }

  /** The bytes that wait at the source for the destination, 0 or more. */
  public long get(int source, int destination) {
    return bytes[index(source, destination)];
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
    bytes[index(source, destination)] = demandBytes;
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
    bytes[index] -= taken;
    return taken;
  }

  /** Takes over the other matrix's demand. */
  public void copyFrom(DemandMatrix other) {
    if (other.hosts != hosts) {
      throw new IllegalArgumentException(
          "a demand matrix of " + other.hosts + " hosts where one of " + hosts + " is needed");
    }
    System.arraycopy(other.bytes, 0, bytes, 0, bytes.length);
  }

  /** Removes all demand. */
  public void clear() {
    Arrays.fill(bytes, 0);
  }

  /** The bytes that wait at a source: a row's sum. */
  public long fromSource(int source) {
    int row = index(source, 0);
    long sum = 0;
    for (int destination = 0; destination < hosts; destination++) {
      sum += bytes[row + destination];
    }
    return sum;
  }

  /** The bytes that wait for a destination: a column's sum. */
  public long toDestination(int destination) {
    long sum = 0;
    for (int i = index(0, destination); i < bytes.length; i += hosts) {
      sum += bytes[i];
    }
    return sum;
  }

  /** The bytes that wait anywhere. */
  public long total() {
    long sum = 0;
    for (long entry : bytes) {
      sum += entry;
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
