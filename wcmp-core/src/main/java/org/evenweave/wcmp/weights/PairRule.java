package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.reduction.Ratio;

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
    return new Network(fabric, source, destination).there();
  }

  /**
   * The same for all pairs of some switches, by destination and then source, in the order given. It
   * takes half as long for each, since what goes one way is what goes the other way, turned around;
   * and all processors there are.
   *
   * @param switches distinct switch numbers of {@code fabric}
   */
  public List<PairRoutes> allRoutes(Fabric fabric, int... switches) {
    int count = switches.length;
    PairRoutes[] pairs = new PairRoutes[count * count];
    IntStream.range(0, pairs.length)
        .filter(pair -> pair / count < pair % count)
        .parallel()
        .forEach(
            pair -> {
              int a = pair / count;
              int b = pair % count;
              Network network = new Network(fabric, switches[a], switches[b]);
              pairs[b * count + a] = network.there();
              pairs[a * count + b] = network.back();
            });
    return Arrays.stream(pairs).filter(Objects::nonNull).collect(Collectors.toList());
  }

  /** The switches that the source reaches, the arcs it may use, and the flow on these. */
  private final class Network {
    private final Fabric fabric;
    private final int source;
    private final int destination;
    private final IntList switches = new IntList();
    private final int[] nodeOf;
    private final IntList arcs = new IntList();
    private final IntList from = new IntList();
    private final IntList to = new IntList();
    private final BigInteger[] capacityBps;
    private final BigInteger maxFlowBps;
    private final BalancedFlow flow;

    Network(Fabric fabric, int source, int destination) {
      this.fabric = fabric;
      this.source = source;
      this.destination = destination;
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
      nodeOf(destination);
      capacityBps =
          Arrays.stream(arcs.toArray())
              .mapToObj(arc -> BigInteger.valueOf(fabric.capacityBps(arc)))
              .toArray(BigInteger[]::new);
      maxFlowBps = maximumFlow();
      BigInteger[] supply = new BigInteger[switches.size()];
      Arrays.fill(supply, BigInteger.ZERO);
      supply[nodeOf[source]] = maxFlowBps;
      supply[nodeOf[destination]] = maxFlowBps.negate();
      flow = new BalancedFlow(from.toArray(), to.toArray(), capacityBps, supply);
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

    private BigInteger maximumFlow() {
      MaxFlow network = MaxFlow.of(switches.size(), from.toArray(), to.toArray(), capacityBps);
      network.run(nodeOf[source], nodeOf[destination]);
      BigInteger value = BigInteger.ZERO;
      for (int a = 0; a < arcs.size(); a++) {
        value = from.get(a) == nodeOf[source] ? value.add(network.flow(a)) : value;
      }
      return value;
    }

    /** From the source to the destination. */
    PairRoutes there() {
      return routes(source, destination, arcs.toArray());
    }

    /** From the destination to the source, by the same flow over the same links. */
    PairRoutes back() {
      return routes(
          destination, source, Arrays.stream(arcs.toArray()).map(arc -> arc ^ 1).toArray());
    }

    /** Turns the flow on each arc into members and weights of the switch it leaves. */
    private PairRoutes routes(int start, int end, int[] directed) {
      List<IntList> usedFrom = new ArrayList<>(Collections.nCopies(fabric.switchCount(), null));
      for (int i = 0; i < directed.length; i++) {
        if (!flow.utilisation(i).equals(Ratio.ZERO)) {
          int s = fabric.from(directed[i]);
          if (usedFrom.get(s) == null) {
            usedFrom.set(s, new IntList());
          }
          usedFrom.get(s).add(i);
        }
      }
      int[][] members = new int[fabric.switchCount()][0];
      long[][] weights = new long[fabric.switchCount()][0];
      for (int s = 0; s < members.length; s++) {
        if (usedFrom.get(s) != null) {
          int[] used = usedFrom.get(s).toArray();
          members[s] = Arrays.stream(used).map(i -> directed[i]).toArray();
          weights[s] =
              IdealWeights.inLowestTerms(
                  Arrays.stream(used)
                      .mapToObj(
                          i -> flow.utilisation(i).times(Ratio.of(capacityBps[i], BigInteger.ONE)))
                      .toArray(Ratio[]::new));
        }
      }
      return new PairRoutes(
          start,
          DestinationRoutes.of(fabric, end, members, weights),
          maxFlowBps.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact());
    }
  }
}
