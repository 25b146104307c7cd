package org.evenweave.sdd.fastpass;

import java.util.Arrays;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * The assignment of a week's timeslots. A pair takes the first that are free at both its ends, so
 * later pairs fill the rest and take nothing from earlier ones. After the constructor nothing is
 * allocated.
 */
final class WeekOfTimeslots {
  /** What a pair's number takes in a word. */
  static final int PAIR_BITS = 20;

  /** The most hosts times timeslots of a week: 64 MB. */
  private static final long MAX_CELLS = 1 << 24;

  private final int hosts;
  private final long timeslotNs;
  private final long timeslotBytes;
  private final int timeslots;

  /** Words of a host's free timeslots. */
  private final int words;

  private final long[] sourceFree;
  private final long[] destinationFree;

  /** Of each timeslot and source, its destination; and how many send in it. */
  private final int[] destinations;

  private final int[] admitted;
  private final int[] day;

  /**
   * A week without pairs.
   *
   * @param network its circuits are the hosts' links, its night is before each timeslot
   * @param slotNs at least a byte's and, with a night, at most a week; so long that a week's
   *     timeslots, times the hosts, are 2^24 at most
   */
  WeekOfTimeslots(CircuitNetwork network, long slotNs) {
    this.hosts = network.hosts();
    this.timeslotNs = slotNs;
    this.timeslotBytes = timeslotBytes(network, slotNs);
    long perWeek = network.weekNs() / (slotNs + network.nightNs());
    if (perWeek * hosts > MAX_CELLS || hosts > (1 << (PAIR_BITS / 2))) {
      throw new IllegalArgumentException(
          "slotNs: " + perWeek + " timeslots of " + hosts + " hosts are too many");
    }
    this.timeslots = (int) perWeek;
    this.words = (timeslots + Long.SIZE - 1) / Long.SIZE;
    this.sourceFree = new long[hosts * words];
    this.destinationFree = new long[hosts * words];
    this.destinations = new int[timeslots * hosts];
    this.admitted = new int[timeslots];
    this.day = new int[hosts];
  }

  /**
   * What a circuit carries in a timeslot.
   *
   * @throws IllegalArgumentException if that is nothing, or the timeslot fits no week
   */
  static long timeslotBytes(CircuitNetwork network, long slotNs) {
    long least = network.circuitNs(1);
    long most = network.weekNs() - network.nightNs();
    if (slotNs < least || slotNs > most) {
      throw new IllegalArgumentException(
          "slotNs: must be "
              + least
              + " to "
              + most
              + " to carry a byte and fit a week with its night, not "
              + slotNs);
    }
    return network.circuitBytes(slotNs);
  }

  /** In how many timeslots a circuit carries so much. */
  long timeslotsFor(long bytes) {
    return (bytes + timeslotBytes - 1) / timeslotBytes;
  }

  /** Frees all timeslots. */
  void clear() {
    long last = -1L >>> (words * Long.SIZE - timeslots);
    for (int host = 0; host < hosts; host++) {
      int end = (host + 1) * words;
      Arrays.fill(sourceFree, host * words, end, -1L);
      Arrays.fill(destinationFree, host * words, end, -1L);
      sourceFree[end - 1] = last;
      destinationFree[end - 1] = last;
    }
    Arrays.fill(admitted, 0);
    Arrays.fill(destinations, Schedule.IDLE);
  }

  /**
   * Gives a pair timeslots.
   *
   * @param want how many, if there are so many
   * @return how many it has got
   */
  long take(int source, int destination, long want) {
    long left = want;
    for (int word = 0; word < words && left > 0; word++) {
      int at = source * words + word;
      int to = destination * words + word;
      long free = sourceFree[at] & destinationFree[to];
      long rest = free;
      while (rest != 0 && left > 0) {
        int timeslot = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
        destinations[timeslot * hosts + source] = destination;
        admitted[timeslot]++;
        rest &= rest - 1;
        left--;
      }
      sourceFree[at] ^= free ^ rest;
      destinationFree[to] ^= free ^ rest;
    }
    return want - left;
  }

  /** Whether a source sends in every timeslot. */
  boolean isSourceFull(int source) {
    return isFull(sourceFree, source);
  }

  /** Whether a destination is sent to in every timeslot. */
  boolean isDestinationFull(int destination) {
    return isFull(destinationFree, destination);
  }

  private boolean isFull(long[] free, int host) {
    for (int word = host * words; word < (host + 1) * words; word++) {
      if (free[word] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Makes each timeslot a day, up to the last one that somebody has. */
  void carryOut(WeekBuilder builder) {
    // The first timeslot that nobody has is one that everybody else could have had.
    for (int timeslot = 0; timeslot < timeslots && admitted[timeslot] > 0; timeslot++) {
      System.arraycopy(destinations, timeslot * hosts, day, 0, hosts);
      builder.addDay(day, timeslotNs);
    }
  }
}
