package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The least u such that a flow fits a network when every link has u times its capacity: the
 * greatest ratio of what a set of nodes sends to the capacity out of it. Newton's method climbs to
 * it by maximum flows, in doubles or in integers.
 */
final class TightestCut {
  /** Newton's method takes a handful of steps; more mean that doubles do not suffice. */
  private static final int MAX_STEPS = 50;

  /** A sum of doubles may be wrong by this part of what flows through a node. */
  private static final double ROUNDING = 1e-14;

  private static final double SMALL = 1e-9;

  private final int[] from;
  private final int[] to;
  private final BigInteger[] there;
  private final BigInteger[] back;
  private final BigInteger[] amount;

  private Ratio ratio;
  private int[] component;

  /** Which way each link is full: 1, or -1 against its direction, or 0. */
  private int[] full;

  /**
   * @param from the node each link leaves, of {@code 0 ..< amount.length}
   * @param to the node it enters
   * @param there capacity of each link
   * @param back its capacity against its direction, of which one may be 0
   * @param amount what each node sends, negative for what it takes; their sum is 0
   */
  TightestCut(int[] from, int[] to, BigInteger[] there, BigInteger[] back, BigInteger[] amount) {
    this.from = from;
    this.to = to;
    this.there = there;
    this.back = back;
    this.amount = amount;
  }

  /** The least u, of positive numerator if anything is sent. */
  Ratio ratio() {
    return ratio;
  }

  /**
   * Of each node its strongly connected component in the residual graph. Links between components
   * carry the same in all flows that fit.
   */
  int[] component() {
    return component;
  }

  /**
   * Whether a link is between components and carries u times its capacity: 1 if it does in its
   * direction, -1 if against it.
   */
  int full(int link) {
    return full[link];
  }

  /** Finds the cut by integers of any size. */
  void findExactly() {
    int nodes = amount.length;
    int[] tail = Arrays.copyOf(from, from.length + nodes);
    int[] head = Arrays.copyOf(to, from.length + nodes);
    for (int n = 0; n < nodes; n++) {
      boolean takes = amount[n].signum() < 0;
      tail[from.length + n] = takes ? n : nodes;
      head[from.length + n] = takes ? nodes + 1 : n;
    }
    BigInteger[] mostThere = new BigInteger[tail.length];
    BigInteger[] mostBack = new BigInteger[tail.length];
    double[] sent = doubles(amount);
    boolean[] cut = worstNode(sent, capacityOut(doubles(there), doubles(back)));
    while (true) {
      Ratio next = ratioOf(cut);
      for (int l = 0; l < from.length; l++) {
        mostThere[l] = next.numerator().multiply(there[l]);
        mostBack[l] = next.numerator().multiply(back[l]);
      }
      for (int n = 0; n < nodes; n++) {
        mostThere[from.length + n] = amount[n].abs().multiply(next.denominator());
        mostBack[from.length + n] = BigInteger.ZERO;
      }
      MaxFlow network = MaxFlow.of(nodes + 2, tail, head, mostThere, mostBack);
      network.run(nodes, nodes + 1);
      if (isAllSent(network)) {
        ratio = next;
        component = network.residualComponents();
        full = new int[from.length];
        for (int l = 0; l < full.length; l++) {
          setFull(l, network.hasResidual(2 * l), network.hasResidual(2 * l + 1));
        }
        return;
      }
      for (int n = 0; n < cut.length; n++) {
        cut[n] = network.isOnSourceSide(n);
      }
    }
  }

  private boolean isAllSent(MaxFlow network) {
    for (int n = 0; n < amount.length; n++) {
      if (network.hasResidual(2 * (from.length + n))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Finds the cut by doubles.
   *
   * @param flow of each link in the unit of amounts: any, best one that nearly fits; receives one
   *     that does
   * @return false if they do not suffice; if they do, the cut found may still be another one
   */
  boolean findInDoubles(ApproximateFlow network, double[] flow) {
    int nodes = amount.length;
    double[] sent = doubles(amount);
    double[] most = doubles(there);
    double[] mostBack = doubles(back);
    double[][] out = capacityOut(most, mostBack);
    network.begin(nodes, from.length, from, to);
    boolean[] cut = worstNode(sent, out);
    double level = ratioOf(cut, sent, most, mostBack);
    // Not positive: the amounts do not sum to 0, since doubles have decided others wrongly before.
    for (int steps = 0; steps < MAX_STEPS && level > 0 && level < Double.MAX_VALUE; steps++) {
      for (int n = 0; n < nodes; n++) {
        double passes = level * Math.max(out[0][n], out[1][n]);
        network.setSupply(n, sent[n], Math.max(SMALL * Math.abs(sent[n]), ROUNDING * passes));
      }
      for (int l = 0; l < flow.length; l++) {
        network.setLink(l, level * most[l], level * mostBack[l], flow[l]);
      }
      boolean sentAll = network.run();
      for (int l = 0; l < flow.length; l++) {
        flow[l] = network.flow(l, level * mostBack[l]);
      }
      if (sentAll) {
        ratio = ratioOf(cut);
        component = new int[nodes];
        network.residualComponents(component);
        full = new int[from.length];
        for (int l = 0; l < full.length; l++) {
          setFull(l, network.hasRoomThere(l), network.hasRoomBack(l));
        }
        return ratio.numerator().signum() > 0 && anyFull();
      }
      for (int n = 0; n < nodes; n++) {
        cut[n] = !network.isOnSinkSide(n);
      }
      double higher = ratioOf(cut, sent, most, mostBack);
      if (!(higher > level)) {
        return false;
      }
      level = higher;
    }
    return false;
  }

  private static double[] doubles(BigInteger[] integers) {
    double[] values = new double[integers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = integers[i].doubleValue();
    }
    return values;
  }

  private void setFull(int l, boolean roomThere, boolean roomBack) {
    if (component[from[l]] != component[to[l]]) {
      full[l] =
          !roomThere && there[l].signum() > 0 ? 1 : !roomBack && back[l].signum() > 0 ? -1 : 0;
    }
  }

  /** Without a full link nothing is decided. */
  private boolean anyFull() {
    for (int way : full) {
      if (way != 0) {
        return true;
      }
    }
    return false;
  }

  /** The capacities out of each node, and into it. */
  private double[][] capacityOut(double[] most, double[] mostBack) {
    double[][] sums = new double[2][amount.length];
    for (int l = 0; l < from.length; l++) {
      sums[0][from[l]] += most[l];
      sums[0][to[l]] += mostBack[l];
      sums[1][from[l]] += mostBack[l];
      sums[1][to[l]] += most[l];
    }
    return sums;
  }

  /**
   * The cut around the node with the greatest of what it sends over its links' capacity, or takes
   * over theirs.
   */
  private boolean[] worstNode(double[] sent, double[][] capacity) {
    int worst = 0;
    double highest = -1;
    for (int n = 0; n < sent.length; n++) {
      if (sent[n] != 0) {
        double own = Math.abs(sent[n]) / capacity[sent[n] > 0 ? 0 : 1][n];
        worst = own > highest ? n : worst;
        highest = Math.max(highest, own);
      }
    }
    boolean[] side = new boolean[sent.length];
    Arrays.fill(side, sent[worst] < 0);
    side[worst] = sent[worst] >= 0;
    return side;
  }

  /** What the source's side of a cut sends, over the capacity out of it. */
  private Ratio ratioOf(boolean[] sourceSide) {
    BigInteger sent = BigInteger.ZERO;
    for (int n = 0; n < amount.length; n++) {
      sent = sourceSide[n] ? sent.add(amount[n]) : sent;
    }
    BigInteger out = BigInteger.ZERO;
    for (int l = 0; l < from.length; l++) {
      if (sourceSide[from[l]] != sourceSide[to[l]]) {
        out = out.add(sourceSide[from[l]] ? there[l] : back[l]);
      }
    }
    return Ratio.of(sent, out);
  }

  private double ratioOf(boolean[] sourceSide, double[] sent, double[] most, double[] mostBack) {
    double sum = 0;
    for (int n = 0; n < sent.length; n++) {
      sum += sourceSide[n] ? sent[n] : 0;
    }
    double out = 0;
    for (int l = 0; l < from.length; l++) {
      if (sourceSide[from[l]] != sourceSide[to[l]]) {
        out += sourceSide[from[l]] ? most[l] : mostBack[l];
      }
    }
    return sum / out;
  }
}
