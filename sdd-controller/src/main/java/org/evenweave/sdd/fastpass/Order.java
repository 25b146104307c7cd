package org.evenweave.sdd.fastpass;

/** Whose turn it is first, where several pairs want the same timeslot of a host. */
public enum Order {
  /** The pair that was served longest ago: max-min fair, and nobody starves. */
  LEAST_RECENTLY_SERVED {
    @Override
    TimeslotAllocator allocator(int hosts) {
      return new Arbiter(hosts);
    }
  },
  /** The pair that wants least: requests are completed early on average, large ones may starve. */
  SHORTEST_REMAINING {
    @Override
    TimeslotAllocator allocator(int hosts) {
      return new ShortestRemaining(hosts);
    }
  };

  /** An allocator without requests. */
  abstract TimeslotAllocator allocator(int hosts);
}
