package org.evenweave.sdd.fastpass;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * FastPass as a scheduler of weeks: each day is one timeslot of an allocator, by default the {@link
 * Arbiter}.
 *
 * <p>Demand is what waits now, so it replaces the requests of last week; the arbiter remembers who
 * was served when, so that weeks are fair to each other. The week ends with the last timeslot that
 * somebody wants. Demand of a host for itself is left to the remainder.
 *
 * <p>Section 5.4.2 of Tewari 2015 is the recipe that carries its schedules to the hosts.
 */
public final class FastPass implements Scheduler {
  private final CircuitNetwork network;
  private final long timeslotNs;
  private final long timeslotBytes;
  private final long timeslotsPerWeek;
  private final WeekBuilder builder;
  private final TimeslotAllocator arbiter;
  private final int[] destinationOf;

  /** A scheduler that serves the pair first that was served longest ago. */
  public FastPass(CircuitNetwork network, long slotNs) {
    this(network, slotNs, Order.LEAST_RECENTLY_SERVED);
  }

  /**
   * A scheduler for a network.
   *
   * @param network its circuits are the hosts' links, its night is the guard before each timeslot
   * @param slotNs the time of a packet; at least a byte's and, with a night, at most a week
   * @param order whose turn it is first
   */
  public FastPass(CircuitNetwork network, long slotNs, Order order) {
    this.network = network;
    this.timeslotNs = slotNs;
    this.timeslotBytes = WeekOfTimeslots.timeslotBytes(network, slotNs);
    this.timeslotsPerWeek = network.weekNs() / (slotNs + network.nightNs());
    this.builder = new WeekBuilder(network);
    this.arbiter = order.allocator(network.hosts());
    this.destinationOf = new int[network.hosts()];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    arbiter.withdrawAll();
    request(demand);
    long left = timeslotsPerWeek;
    boolean wanted = true;
    while (left > 0 && wanted) {
      int batch = (int) Math.min(left, TimeslotAllocator.BATCH_TIMESLOTS);
      arbiter.allocate(batch);
      left -= batch;
      // In a batch without new requests, no pair has demand after an empty timeslot.
      for (int timeslot = 0; timeslot < batch && wanted; timeslot++) {
        wanted = addDay(timeslot);
      }
    }
  }

  private void request(DemandMatrix demand) {
    long mostTimeslots = Math.min(timeslotsPerWeek, Integer.MAX_VALUE);
    for (int source = 0; source < network.hosts(); source++) {
      for (int destination = 0; destination < network.hosts(); destination++) {
        long bytes = demand.get(source, destination);
        if (bytes > 0 && source != destination) {
          long timeslots = (bytes + timeslotBytes - 1) / timeslotBytes;
          arbiter.request(source, destination, (int) Math.min(timeslots, mostTimeslots));
        }
      }
    }
  }

  private boolean addDay(int timeslot) {
    if (arbiter.admitted(timeslot) == 0) {
      return false;
    }
    for (int source = 0; source < network.hosts(); source++) {
      destinationOf[source] = arbiter.destination(timeslot, source);
    }
    builder.addDay(destinationOf, timeslotNs);
    return true;
  }
}
