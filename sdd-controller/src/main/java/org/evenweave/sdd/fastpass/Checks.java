package org.evenweave.sdd.fastpass;

/** Argument checks of allocators. */
final class Checks {
  private Checks() {}

  static void hosts(int hosts) {
    if (hosts < 2 || hosts > Arbiter.MAX_HOSTS) {
      throw new IllegalArgumentException(
          "hosts: must be 2 to " + Arbiter.MAX_HOSTS + ", not " + hosts);
    }
  }

  static void request(int hosts, int source, int destination, int timeslots) {
    if (source < 0 || source >= hosts || destination < 0 || destination >= hosts) {
      throw new IllegalArgumentException(
          "no pair " + source + " to " + destination + " among " + hosts + " hosts");
    }
    if (source == destination || timeslots < 1) {
      throw new IllegalArgumentException(
          timeslots + " timeslots from " + source + " to " + destination + " make no request");
    }
  }

  static void batch(int timeslots) {
    if (timeslots < 1 || timeslots > TimeslotAllocator.BATCH_TIMESLOTS) {
      throw new IllegalArgumentException(
          "timeslots: must be 1 to " + TimeslotAllocator.BATCH_TIMESLOTS + ", not " + timeslots);
    }
  }

  static int timeslot(int timeslot, int batchTimeslots) {
    if (timeslot < 0 || timeslot >= batchTimeslots) {
      throw new IndexOutOfBoundsException(
          "no timeslot " + timeslot + " in a batch of " + batchTimeslots);
    }
    return timeslot;
  }
}
