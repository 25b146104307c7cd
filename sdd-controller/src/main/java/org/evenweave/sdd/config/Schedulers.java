package org.evenweave.sdd.config;

import org.evenweave.sdd.birkhoff.BirkhoffVonNeumann;
import org.evenweave.sdd.fastpass.FastPass;
import org.evenweave.sdd.fastpass.Order;
import org.evenweave.sdd.fastpass.SmallestCoflow;
import org.evenweave.sdd.fastpass.WeightedShares;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.solstice.Solstice;
import org.evenweave.sdd.tdma.StridedTdma;

/** Schedulers by the names that operators know them by. */
final class Schedulers {
  private Schedulers() {}

  /**
   * Makes one.
   *
   * @param order for {@code fastpass} alone
   * @param slotNs for {@code fastpass} and {@code tdma} alone
   * @throws IllegalArgumentException if it cannot plan for such a network
   */
  static Scheduler named(String name, String order, CircuitNetwork network, long slotNs) {
    switch (name) {
      case "tdma":
        return new StridedTdma(network, slotNs);
      case "birkhoff":
        return new BirkhoffVonNeumann(network);
      case "fastpass":
        return fastPass(order, network, slotNs);
      default:
        return new Solstice(network);
    }
  }

  private static Scheduler fastPass(String order, CircuitNetwork network, long slotNs) {
    switch (order) {
      case "shortestRemaining":
        return new FastPass(network, slotNs, Order.SHORTEST_REMAINING);
      case "smallestCoflow":
        return new SmallestCoflow(network, slotNs);
      case SddConfig.WEIGHTED_SHARES:
        return new WeightedShares(network, slotNs);
      default:
        return new FastPass(network, slotNs);
    }
  }
}
