package org.evenweave.sdd.schedule;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;

/**
 * A schedule of transmissions: days, each a matching of sources with destinations, each after a
 * night in which the circuit switch reconfigures; and what remains for the packet switch.
 *
 * <pre>
 *   start                                                       start + lengthNs()
 *     | night |   day 0   | night | day 1 | night |     day 2     |
 * </pre>
 *
 * <p>All times are relative to the week's start, which the caller chooses. Day {@code d} has its
 * matching in {@code d * hosts} and following of one flat array. A schedule is reused from week to
 * week and grows to the longest that it held. Not thread-safe.
 */
public final class Schedule {
  /** The destination of a source that has none. */
  public static final int IDLE = -1;

  private final int hosts;
  private final DemandMatrix remainder;
  private long nightNs;
  private int days;
  private long lengthNs;
  private int[] destinations = new int[0];
  private long[] startNs = new long[0];
  private long[] durationNs = new long[0];

  /** Of every destination, the day that took it last: what finds two sources with the same one. */
  private final int[] takenIn;

  /**
   * A schedule without days.
   *
   * @param hosts the number of hosts, at least 1
   */
  public Schedule(int hosts) {
    this.remainder = new DemandMatrix(hosts);
    this.hosts = hosts;
    this.takenIn = new int[hosts];
    clear(0);
  }

  /**
   * Removes all days and the remainder.
   *
   * @param newNightNs the night before each day to come, 0 or more
   */
  public void clear(long newNightNs) {
    if (newNightNs < 0) {
      throw new IllegalArgumentException("night: " + newNightNs + " ns is negative");
    }
    nightNs = newNightNs;
    days = 0;
    lengthNs = 0;
    remainder.clear();
    Arrays.fill(takenIn, -1);
  }

  /**
   * Appends a night and a day.
   *
   * @param destinationOf holds each source's destination from {@code offset} on, or {@link #IDLE};
   *     no destination twice
   * @param offset where the matching starts in the array
   * @param dayNs how long the day is, more than 0
   * @throws IllegalArgumentException if it is no matching or the day is empty; nothing changed
   */
  public void addDay(int[] destinationOf, int offset, long dayNs) {
    if (dayNs <= 0) {
      throw new IllegalArgumentException("day " + days + ": " + dayNs + " ns is not a duration");
    }
    checkMatching(destinationOf, offset);
    if (days == durationNs.length) {
      grow();
    }
    System.arraycopy(destinationOf, offset, destinations, days * hosts, hosts);
    startNs[days] = lengthNs + nightNs;
    durationNs[days] = dayNs;
    lengthNs = startNs[days] + dayNs;
    days++;
  }

  /**
   * Leaves time free behind the last day, before the next one's night.
   *
   * @param pauseNs 0 or more
   */
  public void pause(long pauseNs) {
    if (pauseNs < 0) {
      throw new IllegalArgumentException("pause: " + pauseNs + " ns is negative");
    }
    lengthNs += pauseNs;
  }

  private void checkMatching(int[] destinationOf, int offset) {
    for (int source = 0; source < hosts; source++) {
      int destination = destinationOf[offset + source];
      if (destination == IDLE) {
        continue;
      }
      if (destination < 0 || destination >= hosts || takenIn[destination] == days) {
        String fault =
            destination < 0 || destination >= hosts
                ? "is not a host"
                : "has another source already";
        Arrays.fill(takenIn, -1);
        throw new IllegalArgumentException(
            "day " + days + ": destination " + destination + " of source " + source + " " + fault);
      }
      takenIn[destination] = days;
    }
  }

  private void grow() {
    int capacity = Math.max(16, 2 * days);
    destinations = Arrays.copyOf(destinations, Math.multiplyExact(capacity, hosts));
    startNs = Arrays.copyOf(startNs, capacity);
    durationNs = Arrays.copyOf(durationNs, capacity);
  }

  /** The number of hosts. */
  public int hosts() {
    return hosts;
  }

  /** The number of days. */
  public int days() {
    return days;
  }

  /** The night before each day. */
  public long nightNs() {
    return nightNs;
  }

  /** From the first night's start to the last day's end, and the pause behind that. */
  public long lengthNs() {
    return lengthNs;
  }

  /** When a day starts, after its night; relative to the week's start. */
  public long startNs(int day) {
    return startNs[checked(day)];
  }

  /** How long a day is. */
  public long durationNs(int day) {
    return durationNs[checked(day)];
  }

  /** To whom a source may transmit in a day, or {@link #IDLE}. */
  public int destination(int day, int source) {
    if (source < 0 || source >= hosts) {
      throw new IndexOutOfBoundsException("no source " + source + " among " + hosts + " hosts");
    }
    return destinations[checked(day) * hosts + source];
  }

  /**
   * To which other host a source may transmit in a day, or {@link #IDLE}. Matchings of stuffed
   * demand may pair a host with itself, which has neither a queue nor a circuit for that.
   */
  public int peer(int day, int source) {
    int destination = destination(day, source);
    return destination == source ? IDLE : destination;
  }

  private int checked(int day) {
    if (day < 0 || day >= days) {
      throw new IndexOutOfBoundsException("no day " + day + " among " + days);
    }
    return day;
  }

  /** Adds what the days can carry of each pair. */
  public void addCarried(CircuitNetwork network, DemandMatrix into) {
    for (int day = 0; day < days; day++) {
      long bytes = network.circuitBytes(durationNs[day]);
      for (int source = 0; source < hosts; source++) {
        int destination = destinations[day * hosts + source];
        if (destination != IDLE) {
          into.add(source, destination, bytes);
        }
      }
    }
  }

  /**
   * The bytes of each pair's demand that no day carries: the packet switch's part. The scheduler
   * fills it.
   */
  public DemandMatrix remainder() {
    return remainder;
  }

  /**
   * Visits a source's slots to others in order of time. Days that follow each other at once and
   * have the same destination are one slot.
   *
   * @param weekStartNs the time that the schedule's times are added to
   */
  public void visitSlots(int source, long weekStartNs, SlotVisitor visitor) {
    int day = 0;
    while (day < days) {
      int destination = peer(day, source);
      int last = day;
      while (followsAtOnce(last) && peer(last + 1, source) == destination) {
        last++;
      }
      if (destination != IDLE) {
        visitor.slot(
            destination,
            weekStartNs + startNs[day],
            weekStartNs + startNs[last] + durationNs[last]);
      }
      day = last + 1;
    }
  }

  /** Whether there is a day behind this one, without a night or a pause between them. */
  private boolean followsAtOnce(int day) {
    return day + 1 < days && startNs[day + 1] == startNs[day] + durationNs[day];
  }
}
