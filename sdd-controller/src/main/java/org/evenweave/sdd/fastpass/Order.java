package org.evenweave.sdd.fastpass;

/** The order in which pairs that compete for the same timeslot of a host are served. */
public enum Order {
  /** The pair that was served longest ago: max-min fair, and nobody starves. */
  LEAST_RECENTLY_SERVED {
    @Override
    public TimeslotAllocator allocator(int hosts) {
      return new Arbiter(hosts);
    }
  },
  /** The pair that wants least: requests are completed early on average, large ones may starve. */
  SHORTEST_REMAINING {
    @Override
    public TimeslotAllocator allocator(int hosts) {
      return new ShortestRemaining(hosts);
    }
  };

  /**
   * An allocator without requests.
   *
   * @param hosts the number of hosts, 2 to {@value Arbiter#MAX_HOSTS}
   */
  public abstract TimeslotAllocator allocator(int hosts);
}
