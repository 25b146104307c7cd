package org.evenweave.wcmp.sharing;

import java.util.List;

/**
 * The destinations of a switch as points: each has the ideal shares of its next hops, which sum to
 * 1. Ports are numbered from 0; a port that is no next hop has a share of 0. Immutable.
 */
final class NextHopShares {
  private final int[][] ports;
  private final double[][] shares;

  /** The same of all ports. */
  private final double[][] byPort;

  private final int[] leastPorts;
  private final int portCount;

  /**
   * @param weights for each destination the positive ideal weights of its next hops, 0 elsewhere;
   *     all arrays of one length
   * @param minNextHops as {@link GroupSharing} has it
   */
  NextHopShares(List<long[]> weights, int minNextHops) {
    portCount = weights.isEmpty() ? 0 : weights.get(0).length;
    ports = new int[weights.size()][];
    shares = new double[weights.size()][];
    byPort = new double[weights.size()][portCount];
    leastPorts = new int[weights.size()];
    for (int d = 0; d < ports.length; d++) {
      long[] of = weights.get(d);
      int count = 0;
      double sum = 0;
      for (long weight : of) {
        count += weight > 0 ? 1 : 0;
        sum += weight;
      }
      ports[d] = new int[count];
      shares[d] = new double[count];
      int at = 0;
      for (int port = 0; port < of.length; port++) {
        if (of[port] > 0) {
          ports[d][at] = port;
          byPort[d][port] = of[port] / sum;
          shares[d][at++] = byPort[d][port];
        }
      }
      leastPorts[d] = Math.min(minNextHops, count);
    }
  }

  int size() {
    return ports.length;
  }

  int portCount() {
    return portCount;
  }

  /** The next hops of a destination, rising; not to be changed. */
  int[] ports(int d) {
    return ports[d];
  }

  /** Their shares, aligned; not to be changed. */
  double[] shares(int d) {
    return shares[d];
  }

  /** How many next hops a group for a destination has to have. */
  int leastPorts(int d) {
    return leastPorts[d];
  }

  /** The overlap of two destinations; 0 if one group cannot serve both. */
  double overlap(int a, int b) {
    int[] portsA = ports[a];
    double[] sharesA = shares[a];
    double[] sharesB = byPort[b];
    double sum = 0;
    int common = 0;
    for (int i = 0; i < portsA.length; i++) {
      double both = Math.min(sharesA[i], sharesB[portsA[i]]);
      sum += both;
      common += both > 0 ? 1 : 0;
    }
    return common < Math.max(leastPorts[a], leastPorts[b]) ? 0 : sum;
  }
}
