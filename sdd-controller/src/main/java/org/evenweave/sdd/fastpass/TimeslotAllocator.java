package org.evenweave.sdd.fastpass;

import org.evenweave.sdd.schedule.Schedule;

/**
 * Decides which pairs of hosts send in which of the next timeslots, such that no source and no
 * destination is in two pairs of a timeslot, and no waiting pair fits into a timeslot any more.
 */
public interface TimeslotAllocator {
  /** The most timeslots of a batch: the bits of a word. */
  int BATCH_TIMESLOTS = Long.SIZE;

  /**
   * Requests timeslots, in addition to those requested before.
   *
   * @param timeslots how many, 1 or more
   * @throws IllegalArgumentException if there is no such pair, or no timeslot is requested
   */
  void request(int source, int destination, int timeslots);

  /** Drops requests that are not allocated yet. */
  void withdrawAll();

  /**
   * Allocates the next timeslots; {@link #admitted} and the others then report them.
   *
   * @param timeslots how many, 1 to {@value #BATCH_TIMESLOTS}
   */
  void allocate(int timeslots);

  /** How many pairs send in a timeslot of the last batch. */
  int admitted(int timeslot);

  /** Whom a source sends to in a timeslot of the last batch, or {@link Schedule#IDLE}. */
  int destination(int timeslot, int source);
}
