package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The least u such that a flow fits a network when every link has u times its capacity: the
 * greatest ratio of what a set of nodes sends to the capacity out of it. Newton's method climbs to
 * it by maximum flows, in doubles or in integers.
 */
final class TightestCut {
  /** Newton's method takes a handful of steps; more mean that doubles do not suffice. */
  private static final int MAX_STEPS = 50;

  private final int[] from;
  private final int[] to;
  private final BigInteger[] capacity;
  private final BigInteger[] amount;

  /** Of each edge of the maximum flows: the links, then one from or to outside for each node. */
  private final int[] tail;

  private final int[] head;

  private Ratio ratio;
  private int[] component;
  private boolean[] full;

  /**
   * @param from the node each link leaves, of {@code 0 ..< amount.length}
   * @param to the node it enters
   * @param capacity of each link, positive
   * @param amount what each node sends, negative for what it takes; their sum is 0
   */
  TightestCut(int[] from, int[] to, BigInteger[] capacity, BigInteger[] amount) {
    this.from = from;
    this.to = to;
    this.capacity = capacity;
    this.amount = amount;
    this.tail = Arrays.copyOf(from, from.length + amount.length);
    this.head = Arrays.copyOf(to, to.length + amount.length);
    for (int n = 0; n < amount.length; n++) {
      boolean takes = amount[n].signum() < 0;
      tail[from.length + n] = takes ? n : amount.length;
      head[from.length + n] = takes ? amount.length + 1 : n;
    }
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

  /** Whether a link is between components and carries u times its capacity. */
  boolean isFull(int link) {
    return full[link];
  }

  /** Finds the cut by integers of any size. */
  void findExactly() {
    int source = amount.length;
    BigInteger[] most = new BigInteger[tail.length];
    boolean[] cut = worstNode();
    while (true) {
      Ratio next = ratioOf(cut);
      for (int l = 0; l < from.length; l++) {
        most[l] = next.numerator().multiply(capacity[l]);
      }
      for (int n = 0; n < amount.length; n++) {
        most[from.length + n] = amount[n].abs().multiply(next.denominator());
      }
      MaxFlow network = MaxFlow.of(source + 2, tail, head, most);
      network.run(source, source + 1);
      if (fits(edge -> network.hasResidual(2 * edge))) {
        ratio = next;
        component = network.residualComponents();
        setFull(link -> network.hasResidual(2 * link));
        return;
      }
      for (int n = 0; n < cut.length; n++) {
        cut[n] = network.isOnSourceSide(n);
      }
    }
  }

  /**
   * Finds the cut by doubles.
   *
   * @return false if they do not suffice; if they do, the cut found may still be another one
   */
  boolean findInDoubles(ApproximateFlow network) {
    int source = amount.length;
    double[] sent = Arrays.stream(amount).mapToDouble(BigInteger::doubleValue).toArray();
    double[] each = Arrays.stream(capacity).mapToDouble(BigInteger::doubleValue).toArray();
    network.begin(source + 2, tail.length, tail, head);
    boolean[] cut = worstNode();
    double level = ratioOf(cut, sent, each);
    for (int steps = 0; steps < MAX_STEPS && level < Double.MAX_VALUE; steps++) {
      for (int l = 0; l < from.length; l++) {
        network.setCapacity(l, level * each[l]);
      }
      for (int n = 0; n < sent.length; n++) {
        network.setCapacity(from.length + n, Math.abs(sent[n]));
      }
      network.run(source, source + 1);
      if (fits(network::hasResidual)) {
        ratio = ratioOf(cut);
        component = new int[sent.length];
        network.residualComponents(component);
        setFull(network::hasResidual);
        return ratio.numerator().signum() > 0 && anyFull();
      }
      for (int n = 0; n < cut.length; n++) {
        cut[n] = !network.isOnSinkSide(n);
      }
      double higher = ratioOf(cut, sent, each);
      if (!(higher > level)) {
        return false;
      }
      level = higher;
    }
    return false;
  }

  /** Without a full link nothing is decided. */
  private boolean anyFull() {
    for (boolean link : full) {
      if (link) {
        return true;
      }
    }
    return false;
  }

  private boolean fits(IntPredicate hasResidual) {
    for (int n = 0; n < amount.length; n++) {
      if (hasResidual.test(from.length + n)) {
        return false;
      }
    }
    return true;
  }

  private void setFull(IntPredicate hasResidual) {
    full = new boolean[from.length];
    for (int l = 0; l < full.length; l++) {
      full[l] = component[from[l]] != component[to[l]] && !hasResidual.test(l);
    }
  }

  /**
   * The cut around the node with the greatest of what it sends over its links' capacity, or takes
   * over theirs.
   */
  private boolean[] worstNode() {
    double[] in = new double[amount.length];
    double[] out = new double[amount.length];
    for (int l = 0; l < from.length; l++) {
      out[from[l]] += capacity[l].doubleValue();
      in[to[l]] += capacity[l].doubleValue();
    }
    int worst = 0;
    double highest = -1;
    for (int n = 0; n < amount.length; n++) {
      if (amount[n].signum() != 0) {
        double own = Math.abs(amount[n].doubleValue()) / (amount[n].signum() > 0 ? out[n] : in[n]);
        worst = own > highest ? n : worst;
        highest = Math.max(highest, own);
      }
    }
    boolean[] side = new boolean[amount.length];
    Arrays.fill(side, amount[worst].signum() < 0);
    side[worst] = amount[worst].signum() >= 0;
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
      out = sourceSide[from[l]] && !sourceSide[to[l]] ? out.add(capacity[l]) : out;
    }
    return Ratio.of(sent, out);
  }

  private double ratioOf(boolean[] sourceSide, double[] amounts, double[] capacities) {
    double sent = 0;
    for (int n = 0; n < amounts.length; n++) {
      sent += sourceSide[n] ? amounts[n] : 0;
    }
    double out = 0;
    for (int l = 0; l < from.length; l++) {
      out += sourceSide[from[l]] && !sourceSide[to[l]] ? capacities[l] : 0;
    }
    return sent / out;
  }
}
