package org.evenweave.bench.solstice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;

/**
 * Demand as in the Solstice paper's section 6: each source has some large flows, 70 % of what a
 * week of circuits carries, and 12 small ones, 30 %, to different destinations; of 8 hosts as many
 * small ones as there are other destinations. And demand of every pair.
 */
enum Workload {
  /** 4 large flows; each destination receives as many of each as a source sends; 3 % noise. */
  NOISY(4, 0.03, true),
  /** The same with equal sizes: what perfect matchings take apart without a rest. */
  EXACT(4, 0, true),
  /** 4 large flows to random destinations, so that some are overloaded; 3 % noise. */
  UNEVEN(4, 0.03, false),
  /** As noisy, but each source has one large flow, to a destination of its own. */
  PERMUTATION(1, 0.03, true),
  /** Every pair has demand, lognormal with a sigma of 1; the busiest host's is a week's. */
  DENSE(0, 0, false) {
    @Override
    DemandMatrix demand(CircuitNetwork network, Random random) {
      return dense(network, random);
    }
  };

  private static final int SMALL_FLOWS = 12;
  private static final double LARGE_SHARE = 0.7;

  private final int largeFlows;
  private final double noise;
  private final boolean balanced;

  Workload(int largeFlows, double noise, boolean balanced) {
    this.largeFlows = largeFlows;
    this.noise = noise;
    this.balanced = balanced;
  }

  DemandMatrix demand(CircuitNetwork network, Random random) {
    int hosts = network.hosts();
    int smallFlows = Math.min(SMALL_FLOWS, hosts - 1 - largeFlows);
    long weekBytes = network.circuitBytes(network.weekNs());
    List<Integer> order = shuffled(0, hosts, random);
    List<Integer> shifts = shuffled(1, hosts, random);
    DemandMatrix demand = new DemandMatrix(hosts);
    for (int from = 0; from < hosts; from++) {
      // By the same shifts from every place of a random order, each destination gets its share.
      List<Integer> places = balanced ? shifts : shuffled(1, hosts, random);
      for (int flow = 0; flow < largeFlows + smallFlows; flow++) {
        double mean =
            flow < largeFlows
                ? weekBytes * LARGE_SHARE / largeFlows
                : weekBytes * (1 - LARGE_SHARE) / smallFlows;
        int to = order.get((from + places.get(flow)) % hosts);
        double size = mean * (1 + noise * (2 * random.nextDouble() - 1));
        demand.set(order.get(from), to, (long) size);
      }
    }
    return demand;
  }

  private static DemandMatrix dense(CircuitNetwork network, Random random) {
    int hosts = network.hosts();
    DemandMatrix sizes = new DemandMatrix(hosts);
    for (int from = 0; from < hosts; from++) {
      for (int to = 0; to < hosts; to++) {
        if (from != to) {
          sizes.set(from, to, (long) (1_000_000 * Math.exp(random.nextGaussian())));
        }
      }
    }
    long busiest = 0;
    for (int host = 0; host < hosts; host++) {
      busiest = Math.max(busiest, Math.max(sizes.fromSource(host), sizes.toDestination(host)));
    }
    double scale = (double) network.circuitBytes(network.weekNs()) / busiest;
    DemandMatrix demand = new DemandMatrix(hosts);
    for (int from = 0; from < hosts; from++) {
      for (int to = 0; to < hosts; to++) {
        demand.set(from, to, (long) (sizes.get(from, to) * scale));
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
