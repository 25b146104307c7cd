package org.evenweave.bench.solstice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;

/**
 * Demand as in the Solstice paper's section 6: each source has 4 large flows, 70 % of what a week
 * of circuits carries, and 12 small ones (of 8 hosts: 3), 30 %, to different destinations.
 */
enum Workload {
  /** Each destination receives as many of each as a source sends; sizes vary by 3 %. */
  NOISY(0.03, true),
  /** The same with equal sizes: what perfect matchings take apart without a rest. */
  EXACT(0, true),
  /** To random destinations, so that some are overloaded; sizes vary by 3 %. */
  UNEVEN(0.03, false);

  private static final int LARGE_FLOWS = 4;
  private static final double LARGE_SHARE = 0.7;

  private final double noise;
  private final boolean balanced;

  Workload(double noise, boolean balanced) {
    this.noise = noise;
    this.balanced = balanced;
  }

  DemandMatrix demand(CircuitNetwork network, Random random) {
    int hosts = network.hosts();
    int smallFlows = Math.min(12, hosts - 1 - LARGE_FLOWS);
    long weekBytes = network.circuitBytes(network.weekNs());
    List<Integer> order = shuffled(0, hosts, random);
    List<Integer> shifts = shuffled(1, hosts, random);
    DemandMatrix demand = new DemandMatrix(hosts);
    for (int from = 0; from < hosts; from++) {
      // By the same shifts from every place of a random order, each destination gets its share.
      List<Integer> places = balanced ? shifts : shuffled(1, hosts, random);
      for (int flow = 0; flow < LARGE_FLOWS + smallFlows; flow++) {
        double mean =
            flow < LARGE_FLOWS
                ? weekBytes * LARGE_SHARE / LARGE_FLOWS
                : weekBytes * (1 - LARGE_SHARE) / smallFlows;
        int to = order.get((from + places.get(flow)) % hosts);
        double size = mean * (1 + noise * (2 * random.nextDouble() - 1));
        demand.set(order.get(from), to, (long) size);
      }
    }
    return demand;
  }

  private static List<Integer> shuffled(int from, int to, Random random) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = from; i < to; i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, random);
    return numbers;
  }
}
