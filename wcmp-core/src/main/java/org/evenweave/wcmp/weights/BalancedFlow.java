package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The one flow, of all that carry given supplies to given demands, which loads the links most
 * evenly.
 *
 * <p><b>Which one.</b> There are many such flows, and a maximum-flow algorithm returns any: it may
 * fill one of two equal paths and leave the other empty. Here it is the flow whose vector of link
 * utilisations, sorted from the highest down, is lexicographically least. Such a flow exists and is
 * unique: of two different ones, the mean would be better than both. Its highest utilisation is the
 * least possible, so divided by that it is a maximum concurrent flow. It is canonical (independent
 * of any numbering), it spreads over parallel links and equal paths as their capacities are, and it
 * has no cycle, for taking one out would lower utilisations and raise none; so its splits are free
 * of loops on any graph, shortest paths or not.
 *
 * <p><b>Algorithm.</b> All links have an unknown utilisation at first.
 *
 * <ol>
 *   <li>Find the least u such that the flow still fits when every link has u times its capacity. By
 *       max-flow min-cut that is the greatest of supply(X) / capacity(out of X) over sets X of
 *       switches. Newton's method climbs to it: a maximum flow at a u too small leaves a cut X
 *       whose ratio is the next u (Radzik 1998). It starts from the worst single switch.
 *   <li>Only a cycle of the residual graph changes what a link carries, so links between different
 *       strongly connected components of it carry the same in <em>all</em> such flows: u times
 *       their capacity, or nothing. There is at least one of the former, on the cut that stopped u.
 *       Their flow becomes supply and demand of their ends.
 *   <li>What is left to decide lies within the components, and each is a problem of its own.
 * </ol>
 *
 * <p>Each step cuts a part of the network in two or more, so there are at most as many as switches.
 * Everything is exact: each part is computed in integers of its own unit.
 *
 * <p>Sources: maximum flow as weights, Tewari 2015, section 3.4.2; lexicographically optimal flows,
 * Megiddo, Math. Programming 7, 1974.
 */
final class BalancedFlow {
  private final int[] from;
  private final int[] to;

  /** In a unit of their own, so that they are small. */
  private final BigInteger[] capacity;

  private final BigInteger unitOfCapacity;
  private final Ratio[] supply;
  private final Ratio[] utilisation;

  /** A node's number in the part that is being looked at. */
  private final int[] indexOfNode;

  private final Deque<Part> parts = new ArrayDeque<>();

  /**
   * @param from the node each link leaves, of {@code 0 ..< supply.length}
   * @param to the node it enters
   * @param capacity of each link, positive
   * @param supply what each node sends, negative for what it takes, in any unit; their sum is 0,
   *     and there are paths for all of it
   */
  BalancedFlow(int[] from, int[] to, BigInteger[] capacity, BigInteger[] supply) {
    this.from = from;
    this.to = to;
    unitOfCapacity = Arrays.stream(capacity).reduce(BigInteger.ZERO, BigInteger::gcd);
    this.capacity =
        Arrays.stream(capacity).map(c -> c.divide(unitOfCapacity)).toArray(BigInteger[]::new);
    this.supply = Arrays.stream(supply).map(s -> Ratio.of(s, BigInteger.ONE)).toArray(Ratio[]::new);
    utilisation = new Ratio[from.length];
    Arrays.fill(utilisation, Ratio.ZERO);
    indexOfNode = new int[supply.length];
    IntList nodes = new IntList();
    for (int node = 0; node < supply.length; node++) {
      nodes.add(node);
    }
    IntList links = new IntList();
    for (int link = 0; link < from.length; link++) {
      links.add(link);
    }
    parts.add(new Part(nodes, links));
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      if (part.hasSupply()) {
        part.decideMostUtilised();
      }
    }
  }

  /** Flow over capacity of a link, in the unit of supply over that of capacity. */
  Ratio utilisation(int link) {
    return utilisation[link].dividedBy(Ratio.of(unitOfCapacity, BigInteger.ONE));
  }

  /** A part of the network that exchanges nothing more with the others. */
  private final class Part {
    private final IntList nodes;
    private final IntList links;

    /** Supplies of its nodes, in the unit of all supplies divided by {@code unit}. */
    private BigInteger[] amount;

    private BigInteger unit = BigInteger.ONE;

    Part(IntList nodes, IntList links) {
      this.nodes = nodes;
      this.links = links;
    }

    boolean hasSupply() {
      for (int n = 0; n < nodes.size(); n++) {
        if (!supply[nodes.get(n)].equals(Ratio.ZERO)) {
          return true;
        }
      }
      return false;
    }

    void decideMostUtilised() {
      amount = new BigInteger[nodes.size()];
      for (int n = 0; n < amount.length; n++) {
        indexOfNode[nodes.get(n)] = n;
        BigInteger own = supply[nodes.get(n)].denominator();
        unit = unit.multiply(own.divide(unit.gcd(own)));
      }
      for (int n = 0; n < amount.length; n++) {
        Ratio own = supply[nodes.get(n)];
        amount[n] = own.numerator().multiply(unit.divide(own.denominator()));
      }
      Ratio level = worstNode();
      while (true) {
        MaxFlow network = flowAt(level);
        if (fits(network)) {
          decide(level.dividedBy(Ratio.of(unit, BigInteger.ONE)), network);
          return;
        }
        level = ratioOf(network);
      }
    }

    /** The greatest of what a node sends over its links' capacity, or takes over theirs. */
    private Ratio worstNode() {
      BigInteger[] in = new BigInteger[amount.length];
      BigInteger[] out = new BigInteger[amount.length];
      Arrays.fill(in, BigInteger.ZERO);
      Arrays.fill(out, BigInteger.ZERO);
      for (int l = 0; l < links.size(); l++) {
        int link = links.get(l);
        int a = indexOfNode[from[link]];
        int b = indexOfNode[to[link]];
        out[a] = out[a].add(capacity[link]);
        in[b] = in[b].add(capacity[link]);
      }
      Ratio worst = Ratio.ZERO;
      for (int n = 0; n < amount.length; n++) {
        if (amount[n].signum() != 0) {
          Ratio own = Ratio.of(amount[n].abs(), amount[n].signum() > 0 ? out[n] : in[n]);
          worst = own.compareTo(worst) > 0 ? own : worst;
        }
      }
      return worst;
    }

    /** A maximum flow where every link has {@code level} times its capacity. */
    private MaxFlow flowAt(Ratio level) {
      int source = amount.length;
      int edges = links.size() + amount.length;
      int[] tail = new int[edges];
      int[] head = new int[edges];
      BigInteger[] most = new BigInteger[edges];
      for (int l = 0; l < links.size(); l++) {
        int link = links.get(l);
        tail[l] = indexOfNode[from[link]];
        head[l] = indexOfNode[to[link]];
        most[l] = level.numerator().multiply(capacity[link]);
      }
      for (int n = 0; n < amount.length; n++) {
        int edge = links.size() + n;
        tail[edge] = amount[n].signum() < 0 ? n : source;
        head[edge] = amount[n].signum() < 0 ? source + 1 : n;
        most[edge] = amount[n].abs().multiply(level.denominator());
      }
      MaxFlow network = MaxFlow.of(source + 2, tail, head, most);
      network.run(source, source + 1);
      return network;
    }

    private boolean fits(MaxFlow network) {
      for (int n = 0; n < amount.length; n++) {
        if (network.hasResidual(2 * (links.size() + n))) {
          return false;
        }
      }
      return true;
    }

    /** What the source's side of the minimum cut sends, over the capacity out of it. */
    private Ratio ratioOf(MaxFlow network) {
      BigInteger sent = BigInteger.ZERO;
      for (int n = 0; n < amount.length; n++) {
        sent = network.isOnSourceSide(n) ? sent.add(amount[n]) : sent;
      }
      BigInteger out = BigInteger.ZERO;
      for (int l = 0; l < links.size(); l++) {
        int link = links.get(l);
        boolean crosses =
            network.isOnSourceSide(indexOfNode[from[link]])
                && !network.isOnSourceSide(indexOfNode[to[link]]);
        out = crosses ? out.add(capacity[link]) : out;
      }
      return Ratio.of(sent, out);
    }

    private void decide(Ratio level, MaxFlow network) {
      int[] component = network.residualComponents();
      int components = Arrays.stream(component).max().getAsInt() + 1;
      IntList[] linksOf = new IntList[components];
      for (int l = 0; l < links.size(); l++) {
        int link = links.get(l);
        int own = component[indexOfNode[from[link]]];
        if (own == component[indexOfNode[to[link]]]) {
          linksOf[own] = linksOf[own] == null ? new IntList() : linksOf[own];
          linksOf[own].add(link);
        } else if (!network.hasResidual(2 * l)) {
          Ratio flow = level.times(Ratio.of(capacity[link], BigInteger.ONE));
          utilisation[link] = level;
          supply[from[link]] = supply[from[link]].minus(flow);
          supply[to[link]] = supply[to[link]].plus(flow);
        }
      }
      IntList[] nodesOf = new IntList[components];
      for (int n = 0; n < amount.length; n++) {
        int own = component[n];
        if (linksOf[own] != null) {
          nodesOf[own] = nodesOf[own] == null ? new IntList() : nodesOf[own];
          nodesOf[own].add(nodes.get(n));
        }
      }
      for (int c = 0; c < components; c++) {
        if (linksOf[c] != null) {
          parts.push(new Part(nodesOf[c], linksOf[c]));
        }
      }
    }
  }
}
