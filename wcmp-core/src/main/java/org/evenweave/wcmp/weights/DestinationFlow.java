package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The flow of equal traffic from every source to one destination over shortest paths: the {@link
 * BalancedFlow} on the switches' colours by {@link SwitchSymmetry}.
 */
final class DestinationFlow {
  private final Bundles[] bundles;
  private final int[] hops;
  private final int destination;

  /** The switches that flow may pass, farthest first. */
  private final IntList switches = new IntList();

  private final int[] nodeOf;
  private int[] colour;

  /** By colour, the utilisation of its links to each nearer colour. */
  private final List<Map<Integer, Ratio>> utilisation = new ArrayList<>();

  /** By colour, the group that was weighed last: often the next has the same weights. */
  private long[][] lastLinks;

  private long[][] lastWeights;

  /**
   * @param sources switch numbers; the destination may be one of them
   * @param hops to the nearest switch equivalent to the destination
   */
  DestinationFlow(Bundles[] bundles, BitSet sources, int[] hops, int destination) {
    this.bundles = bundles;
    this.hops = hops;
    this.destination = destination;
    nodeOf = new int[hops.length];
    Arrays.fill(nodeOf, -1);
    findSwitches(sources);
    if (switches.size() > 0) {
      nodeOf[destination] = switches.size();
      SwitchSymmetry symmetry = symmetry(sources);
      colour = symmetry.colour();
      lastLinks = new long[symmetry.colours()][];
      lastWeights = new long[symmetry.colours()][];
      balance(symmetry.colours(), sources);
    }
  }

  private int hops(int s) {
    boolean equivalent = hops[s] == 0 && s != destination;
    return equivalent ? (bundles[s].arcs.length > 0 ? 2 : -1) : hops[s];
  }

  private void findSwitches(BitSet sources) {
    LevelQueue farthestFirst = new LevelQueue(hops.length + 2);
    for (int s = 0; s < hops.length; s++) {
      if (hops(s) > 0) {
        farthestFirst.add(hops.length - hops(s), s);
      }
    }
    BitSet passed = (BitSet) sources.clone();
    for (int s = farthestFirst.take(); s >= 0; s = farthestFirst.take()) {
      if (passed.get(s)) {
        nodeOf[s] = switches.size();
        switches.add(s);
        for (int neighbour : bundles[s].neighbour) {
          passed.set(neighbour, passed.get(neighbour) || hops(neighbour) == hops(s) - 1);
        }
      }
    }
  }

  private SwitchSymmetry symmetry(BitSet sources) {
    int nodes = switches.size() + 1;
    int[] colourAtFirst = new int[nodes];
    int[] degree = new int[nodes];
    for (int n = 0; n < switches.size(); n++) {
      int s = switches.get(n);
      colourAtFirst[n] = 2 * hops(s) + (sources.get(s) ? 1 : 0);
      for (int next : bundles[s].neighbourOfArc) {
        if (hops(next) == hops(s) - 1) {
          degree[n]++;
          degree[nodeOf[next]]++;
        }
      }
    }
    int[][] neighbour = new int[nodes][];
    int[][] kindOfLink = new int[nodes][];
    for (int n = 0; n < nodes; n++) {
      neighbour[n] = new int[degree[n]];
      kindOfLink[n] = new int[degree[n]];
    }
    Map<Long, Integer> kindOfCapacity = new HashMap<>();
    for (int n = 0; n < switches.size(); n++) {
      Bundles links = bundles[switches.get(n)];
      for (int i = 0; i < links.arcs.length; i++) {
        if (hops(links.neighbourOfArc[i]) == hops(switches.get(n)) - 1) {
          int next = nodeOf[links.neighbourOfArc[i]];
          kindOfCapacity.putIfAbsent(links.capacityBpsOfArc[i], 2 * kindOfCapacity.size());
          int kind = kindOfCapacity.get(links.capacityBpsOfArc[i]);
          neighbour[n][--degree[n]] = next;
          kindOfLink[n][degree[n]] = kind;
          neighbour[next][--degree[next]] = n;
          kindOfLink[next][degree[next]] = kind + 1;
        }
      }
    }
    return new SwitchSymmetry(colourAtFirst, neighbour, kindOfLink);
  }

  /** Balances the flow of all switches of a colour together, as one switch with all their links. */
  private void balance(int colours, BitSet sources) {
    int[] size = new int[colours];
    int[] representative = new int[colours];
    for (int n = 0; n < colour.length; n++) {
      size[colour[n]]++;
      representative[colour[n]] = n < switches.size() ? switches.get(n) : destination;
    }
    BigInteger[] supply = new BigInteger[colours];
    BigInteger total = BigInteger.ZERO;
    IntList from = new IntList();
    IntList to = new IntList();
    List<BigInteger> capacity = new ArrayList<>();
    for (int c = 0; c < colours; c++) {
      int s = representative[c];
      BigInteger switchesOfColour = BigInteger.valueOf(size[c]);
      supply[c] = s != destination && sources.get(s) ? switchesOfColour : BigInteger.ZERO;
      total = total.add(supply[c]);
      for (Map.Entry<Integer, BigInteger> next : capacityByColour(s).entrySet()) {
        from.add(c);
        to.add(next.getKey());
        capacity.add(next.getValue().multiply(switchesOfColour));
      }
      utilisation.add(new HashMap<>());
    }
    supply[colour[nodeOf[destination]]] = total.negate();
    BalancedFlow flow =
        new BalancedFlow(from.toArray(), to.toArray(), capacity.toArray(new BigInteger[0]), supply);
    for (int link = 0; link < from.size(); link++) {
      utilisation.get(from.get(link)).put(to.get(link), flow.utilisation(link));
    }
  }

  private Map<Integer, BigInteger> capacityByColour(int s) {
    Map<Integer, BigInteger> capacity = new TreeMap<>();
    Bundles links = bundles[s];
    for (int i = 0; i < links.arcs.length; i++) {
      if (hops(links.neighbourOfArc[i]) == hops(s) - 1) {
        capacity.merge(
            colour[nodeOf[links.neighbourOfArc[i]]],
            BigInteger.valueOf(links.capacityBpsOfArc[i]),
            BigInteger::add);
      }
    }
    return capacity;
  }

  /** The switches that flow may pass, without the destination; none if nobody sends. */
  IntList switches() {
    return switches;
  }

  /**
   * The group of a switch by the flow that passes it.
   *
   * @param like the switch itself, or one that is equivalent to it and whose flow is meant
   * @return null if no flow does
   */
  IdealGroup group(int s, int like, GroupPool pool) {
    if (nodeOf[like] < 0) {
      return null;
    }
    Bundles links = bundles[s];
    int own = colour[nodeOf[like]];
    Map<Integer, Ratio> utilisationTo = utilisation.get(own);
    int[] members = new int[links.arcs.length];
    long[] kinds = new long[2 * links.arcs.length];
    int count = 0;
    for (int i = 0; i < links.arcs.length; i++) {
      int next = links.neighbourOfArc[i];
      if (hops(next) == hops(like) - 1
          && !utilisationTo.get(colour[nodeOf[next]]).equals(Ratio.ZERO)) {
        members[count] = links.arcs[i];
        kinds[2 * count] = colour[nodeOf[next]];
        kinds[2 * count++ + 1] = links.capacityBpsOfArc[i];
      }
    }
    if (count == 0) {
      return null;
    }
    long[] used = Arrays.copyOf(kinds, 2 * count);
    if (!Arrays.equals(used, lastLinks[own])) {
      Ratio[] flow = new Ratio[count];
      for (int m = 0; m < count; m++) {
        flow[m] = utilisationTo.get((int) used[2 * m]).times(Ratio.of(used[2 * m + 1], 1));
      }
      lastLinks[own] = used;
      lastWeights[own] = IdealWeights.inLowestTerms(flow);
    }
    return pool.groupOf(members, lastWeights[own], count, 0);
  }
}
