package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
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
    return network(fabric, source, destination, hopsTo(fabric, destination)).there();
  }

  /**
   * Groups for packets between two switches: from the first to the second, and back. It takes as
   * long as one of them, since what goes one way is what goes the other way, turned around.
   *
   * @param one a switch number of {@code fabric}
   * @param other another one
   */
  public List<PairRoutes> routesBothWays(Fabric fabric, int one, int other) {
    return routesBothWays(fabric, one, other, hopsTo(fabric, other));
  }

  /**
   * The same where the hops of all switches to the other one are known.
   *
   * @param hops -1 where there is no path; not changed
   */
  List<PairRoutes> routesBothWays(Fabric fabric, int one, int other, int[] hops) {
    Network network = network(fabric, one, other, hops);
    return List.of(network.there(), network.back());
  }

  private Network network(Fabric fabric, int source, int destination, int[] hops) {
    if (source == destination) {
      throw new IllegalArgumentException(
          "source and destination are the same switch, " + fabric.switchId(source));
    }
    return new Network(fabric, source, destination, hops);
  }

  /**
   * The same for all pairs of some switches, by destination and then source, in the order given. It
   * takes all processors there are, and all of the answer is in memory at once.
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
              List<PairRoutes> both = routesBothWays(fabric, switches[a], switches[b]);
              pairs[b * count + a] = both.get(0);
              pairs[a * count + b] = both.get(1);
            });
    return Arrays.stream(pairs).filter(Objects::nonNull).collect(Collectors.toList());
  }

  private static int[] hopsTo(Fabric fabric, int destination) {
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

  /** The switches that the source reaches, the links it may use, and the flow on these. */
  private final class Network {
    private final Fabric fabric;
    private final int source;
    private final int destination;
    private final IntList switches = new IntList();
    private final int[] nodeOf;

    /** The links, each as the arc that it was met by. */
    private final IntList arcs = new IntList();

    /** Of each link of the fabric its number in {@code arcs}, or -1. */
    private final int[] numberOf;

    private final long maxFlowBps;
    private final BalancedFlow flow;

    Network(Fabric fabric, int source, int destination, int[] hops) {
      this.fabric = fabric;
      this.source = source;
      this.destination = destination;
      nodeOf = new int[fabric.switchCount()];
      Arrays.fill(nodeOf, -1);
      numberOf = new int[fabric.arcCount() / 2];
      Arrays.fill(numberOf, -1);
      flow = flow(hops);
      maxFlowBps = maxFlowBps();
    }

    /** The most even flow of 1 from source to destination. */
    private BalancedFlow flow(int[] hops) {
      IntList from = new IntList();
      IntList to = new IntList();
      IntList eitherWay = new IntList();
      nodeOf(source);
      for (int i = 0; i < switches.size(); i++) {
        int s = switches.get(i);
        for (int port = 0; port < fabric.outDegree(s); port++) {
          int arc = fabric.outArc(s, port);
          if (hops[source] >= 0 && isUsable(arc, hops) && numberOf[arc >> 1] < 0) {
            numberOf[arc >> 1] = arcs.size();
            arcs.add(arc);
            from.add(i);
            to.add(nodeOf(fabric.to(arc)));
            eitherWay.add(isUsable(arc ^ 1, hops) ? 1 : 0);
          }
        }
      }
      BigInteger[] there = new BigInteger[arcs.size()];
      BigInteger[] back = new BigInteger[arcs.size()];
      for (int l = 0; l < there.length; l++) {
        there[l] = BigInteger.valueOf(fabric.capacityBps(arcs.get(l)));
        back[l] = eitherWay.get(l) > 0 ? there[l] : BigInteger.ZERO;
      }
      BigInteger[] supply = new BigInteger[switches.size()];
      Arrays.fill(supply, BigInteger.ZERO);
      if (nodeOf[destination] >= 0) {
        supply[nodeOf[source]] = BigInteger.ONE;
        supply[nodeOf[destination]] = BigInteger.ONE.negate();
      }
      return new BalancedFlow(from.toArray(), to.toArray(), there, back, supply);
    }

    private boolean isUsable(int arc, int[] hops) {
      return uses(fabric, arc, hops) && fabric.to(arc) != source;
    }

    private int nodeOf(int s) {
      if (nodeOf[s] < 0) {
        nodeOf[s] = switches.size();
        switches.add(s);
      }
      return nodeOf[s];
    }

    /** The most utilised links of a flow of 1 are full in a flow of 1 over their utilisation. */
    private long maxFlowBps() {
      Ratio highest = flow.highestUtilisation();
      return highest.equals(Ratio.ZERO)
          ? 0
          : highest
              .denominator()
              .divide(highest.numerator())
              .min(BigInteger.valueOf(Long.MAX_VALUE))
              .longValueExact();
    }

    /** From the source to the destination. */
    PairRoutes there() {
      return routes(source, destination, 0);
    }

    /** From the destination to the source, by the same flow over the same links. */
    PairRoutes back() {
      return routes(destination, source, 1);
    }

    /**
     * Turns the flow on each link into members and weights of the switch it leaves.
     *
     * @param turned 1 to turn the flow around, else 0
     */
    private PairRoutes routes(int start, int end, int turned) {
      IdealGroup[] groups = new IdealGroup[fabric.switchCount()];
      Arrays.fill(groups, IdealGroup.EMPTY);
      for (int i = 0; i < switches.size(); i++) {
        int s = switches.get(i);
        int[] members = new int[fabric.outDegree(s)];
        int count = 0;
        for (int port = 0; port < fabric.outDegree(s); port++) {
          int arc = fabric.outArc(s, port);
          int link = numberOf[arc >> 1];
          if (link >= 0
              && flow.isUsed(link)
              && (arcs.get(link) == (arc ^ turned)) != flow.isReversed(link)) {
            members[count++] = arc;
          }
        }
        if (count > 0) {
          int[] own = Arrays.copyOf(members, count);
          groups[s] = new IdealGroup(own, weights(own), 0);
        }
      }
      return new PairRoutes(start, new ListedRoutes(fabric, end, groups), maxFlowBps);
    }

    private long[] weights(int[] members) {
      int[] links = new int[members.length];
      for (int i = 0; i < links.length; i++) {
        links[i] = numberOf[members[i] >> 1];
      }
      return IdealWeights.inLowestTerms(IdealWeights.inLowestTerms(flow.carried(links)));
    }
  }
}
