package org.evenweave.sdd.schedule;

/**
 * The network for which schedulers plan: hosts on a circuit switch, with a slower packet switch
 * beside it.
 *
 * <p>The circuit switch connects each source to one destination at most and each destination to one
 * source at most, for a day; between two days there is a night, in which it reconfigures and
 * carries nothing. A week is one schedule's length, nights included (Liu et al., "Scheduling
 * techniques for hybrid circuit/packet networks", CoNEXT 2015, section 2). A network without
 * circuits, in which hosts send in timeslots (FastPass), is one with a night of 0.
 */
public final class CircuitNetwork {
  private final int hosts;
  private final long circuitBps;
  private final long packetBps;
  private final long nightNs;
  private final long weekNs;

  /**
   * Describes a network.
   *
   * @param hosts the number of hosts (ports of the circuit switch), at least 1
   * @param circuitBps the capacity of a circuit, more than 0
   * @param packetBps the capacity of each host's link to the packet switch, 0 if there is none
   * @param nightNs how long the circuit switch takes to reconfigure, 0 or more
   * @param weekNs the length of a schedule, more than a night
   */
  public CircuitNetwork(int hosts, long circuitBps, long packetBps, long nightNs, long weekNs) {
    require(hosts >= 1, "hosts", hosts, "at least 1");
    require(circuitBps > 0, "circuitBps", circuitBps, "more than 0");
    require(packetBps >= 0, "packetBps", packetBps, "0 or more");
    require(nightNs >= 0, "nightNs", nightNs, "0 or more");
    require(weekNs > nightNs, "weekNs", weekNs, "more than the night's " + nightNs);
    this.hosts = hosts;
    this.circuitBps = circuitBps;
    this.packetBps = packetBps;
    this.nightNs = nightNs;
    this.weekNs = weekNs;
  }

  private static void require(boolean holds, String field, long value, String what) {
    if (!holds) {
      throw new IllegalArgumentException(field + ": must be " + what + ", not " + value);
    }
  }

  /** The number of hosts. */
  public int hosts() {
    return hosts;
  }

  /** The capacity of a circuit. */
  public long circuitBps() {
    return circuitBps;
  }

  /** The capacity of each host's link to the packet switch, 0 if there is none. */
  public long packetBps() {
    return packetBps;
  }

  /** How long the circuit switch takes to reconfigure. */
  public long nightNs() {
    return nightNs;
  }

  /** The length of a schedule, nights included. */
  public long weekNs() {
    return weekNs;
  }

  /** The bytes that a circuit carries in a time, rounded down. */
  public long circuitBytes(long durationNs) {
    return Capacity.bytes(circuitBps, durationNs);
  }

  /** The time that a circuit takes to carry so many bytes, rounded up. */
  public long circuitNs(long bytes) {
    return Capacity.durationNs(circuitBps, bytes);
  }

  /** The bytes that a link to the packet switch carries in a time, rounded down. */
  public long packetBytes(long durationNs) {
    return Capacity.bytes(packetBps, durationNs);
  }
}
