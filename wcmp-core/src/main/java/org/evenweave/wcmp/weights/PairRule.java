package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * A rule that gives a source and a destination WCMP groups of their own, weighed by maximum flow:
 * "for arbitrary topologies, the link weights can be computed by running max-flow min-cut
 * algorithms of polynomial complexity and creating WCMP groups per source-destination pair" (Tewari
 * 2015, section 3.4.2).
 *
 * <p>Where {@link WeightRule#EFFECTIVE_CAPACITY} considers each next hop as if alone, maximum flow
 * sees that two of them share a bottleneck further down. Which maximum flow, {@link BalancedFlow}
 * says; every group on its way weighs its links by it.
 */
public enum PairRule {
  /** Over the shortest paths from source to destination. */
  SHORTEST_PATHS {
    @Override
    boolean uses(Fabric fabric, int arc, int[] hops) {
      return hops[fabric.to(arc)] == hops[fabric.from(arc)] - 1;
    }
  },

  /** Over all paths, however long; free of loops still. */
  ALL_PATHS {
    @Override
    boolean uses(Fabric fabric, int arc, int[] hops) {
      return hops[fabric.from(arc)] != 0;
    }
  };

  /**
   * Whether an arc may carry packets to the destination.
   *
   * @param hops of all switches to the destination, -1 where there is no path
   */
  abstract boolean uses(Fabric fabric, int arc, int[] hops);

  /**
   * Groups for packets from one switch to another. Takes a few maximum flows over the links on the
   * way.
   *
   * @param source a switch number of {@code fabric}
   * @param destination another one
   */
  public PairRoutes routes(Fabric fabric, int source, int destination) {
    if (source == destination) {
      throw new IllegalArgumentException(
          "source and destination are the same switch, " + fabric.switchId(source));
    }
    Network network = new Network(fabric, source, destination);
    int[][] arcs = new int[fabric.switchCount()][0];
    long[][] weights = new long[fabric.switchCount()][0];
    if (network.nodeOf[destination] < 0) {
      return new PairRoutes(source, DestinationRoutes.of(fabric, destination, arcs, weights), 0);
    }
    BalancedFlow flow =
        new BalancedFlow(
            network.switches.size(),
            network.from.toArray(),
            network.to.toArray(),
            network.capacityBps(),
            network.nodeOf[source],
            network.nodeOf[destination]);
    network.split(flow.flow(), arcs, weights);
    return new PairRoutes(
        source,
        DestinationRoutes.of(fabric, destination, arcs, weights),
        flow.value().min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact());
  }

  /** The switches that the source reaches and the arcs it may use, numbered as found. */
  private final class Network {
    final IntList switches = new IntList();
    final int[] nodeOf;
    final IntList arcs = new IntList();
    final IntList from = new IntList();
    final IntList to = new IntList();
    private final Fabric fabric;

    Network(Fabric fabric, int source, int destination) {
      this.fabric = fabric;
      nodeOf = new int[fabric.switchCount()];
      Arrays.fill(nodeOf, -1);
      int[] hops = hopsTo(destination);
      nodeOf(source);
      for (int i = 0; i < switches.size(); i++) {
        int s = switches.get(i);
        for (int port = 0; port < fabric.outDegree(s); port++) {
          int arc = fabric.outArc(s, port);
          if (uses(fabric, arc, hops) && fabric.to(arc) != source) {
            arcs.add(arc);
            from.add(i);
            to.add(nodeOf(fabric.to(arc)));
          }
        }
      }
    }

    private int nodeOf(int s) {
      if (nodeOf[s] < 0) {
        nodeOf[s] = switches.size();
        switches.add(s);
      }
      return nodeOf[s];
    }

    private int[] hopsTo(int destination) {
      int[] hops = new int[fabric.switchCount()];
      Arrays.fill(hops, -1);
      hops[destination] = 0;
      IntList queue = new IntList();
      queue.add(destination);
      for (int i = 0; i < queue.size(); i++) {
        int s = queue.get(i);
        for (int port = 0; port < fabric.outDegree(s); port++) {
          int neighbour = fabric.to(fabric.outArc(s, port));
          if (hops[neighbour] < 0) {
            hops[neighbour] = hops[s] + 1;
            queue.add(neighbour);
          }
        }
      }
      return hops;
    }

    long[] capacityBps() {
      return Arrays.stream(arcs.toArray()).mapToLong(fabric::capacityBps).toArray();
    }

    /** Turns the flow on each arc into members and weights of the switch it leaves. */
    void split(BigInteger[] flow, int[][] members, long[][] weights) {
      for (int first = 0, end; first < flow.length; first = end) {
        end = first + 1;
        while (end < flow.length && from.get(end) == from.get(first)) {
          end++;
        }
        int s = switches.get(from.get(first));
        members[s] = new int[end - first];
        BigInteger[] numerators = new BigInteger[end - first];
        int count = 0;
        for (int i = first; i < end; i++) {
          if (flow[i].signum() > 0) {
            members[s][count] = arcs.get(i);
            numerators[count++] = flow[i];
          }
        }
        members[s] = Arrays.copyOf(members[s], count);
        weights[s] = IdealWeights.inLowestTerms(Arrays.copyOf(numerators, count));
      }
    }
  }
}
