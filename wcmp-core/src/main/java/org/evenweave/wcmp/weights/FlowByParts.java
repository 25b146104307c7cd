package org.evenweave.wcmp.weights;

import static java.math.BigInteger.ONE;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Finds the most even flow by maximum flows: the way that always leads there, see {@link
 * BalancedFlow}.
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
 *   <li>The remaining unknowns lie within the components, and each is a problem of its own.
 * </ol>
 *
 * <p>Each step cuts a part of the network in two or more, so there are at most as many as switches.
 *
 * <p><b>Exactness.</b> Which cuts stop u, and which links lie on them, is first found by maximum
 * flows in doubles. The u of a cut and all flows follow from these by integer arithmetic, and
 * {@link #isCertain} proves that they are the ones looked for. If it cannot, because doubles have
 * taken two near values for one or the reverse, the maximum flows are repeated in integers of any
 * size.
 */
final class FlowByParts implements EvenFlow {
  private final int[] from;
  private final int[] to;

  private final BigInteger[] there;
  private final BigInteger[] back;

  /** The part that decided each link's utilisation; null if nothing flows there. */
  private final Part[] decidedBy;

  /** Whether what flows on a link does so against its direction. */
  private final boolean[] reversed;

  /** Roughly, what each link carries in the unit of supply, while that is undecided. */
  private final double[] roughly;

  /** A node's number in the part that is being looked at. */
  private final int[] indexOfNode;

  private final ApproximateFlow approximate = new ApproximateFlow();
  private final Deque<Part> parts = new ArrayDeque<>();
  private final List<Part> decided = new ArrayList<>();

  /**
   * @param from the node each link leaves, of {@code 0 ..< supply.length}
   * @param to the node it enters
   * @param there capacity of each link in its direction
   * @param back capacity against it; of the two, one may be 0
   * @param supply what each node sends, negative for what it takes
   */
  FlowByParts(int[] from, int[] to, BigInteger[] there, BigInteger[] back, BigInteger[] supply) {
    this.from = from;
    this.to = to;
    this.there = there;
    this.back = back;
    decidedBy = new Part[from.length];
    reversed = new boolean[from.length];
    roughly = new double[from.length];
    indexOfNode = new int[supply.length];
    if (!(run(supply, false) && isCertain())) {
      run(supply, true);
    }
  }

  /**
   * @param exactly whether to find cuts by integers, not by doubles
   * @return whether the flow is complete
   */
  private boolean run(BigInteger[] supply, boolean exactly) {
    Arrays.fill(decidedBy, null);
    parts.clear();
    decided.clear();
    parts.push(new Part(null, range(supply.length), range(from.length), supply, ONE));
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      if (part.hasSupply() && !part.decideMostUtilised(exactly)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Ratio utilisation(int link) {
    return decidedBy[link] == null ? Ratio.ZERO : decidedBy[link].level;
  }

  @Override
  public Ratio highestUtilisation() {
    Ratio highest = Ratio.ZERO;
    for (Part part : decided) {
      if (part.cutFrom == null) {
        highest = part.level;
      }
    }
    return highest;
  }

  @Override
  public boolean isUsed(int link) {
    return decidedBy[link] != null;
  }

  @Override
  public boolean isReversed(int link) {
    return reversed[link];
  }

  @Override
  public BigInteger[] carried(int[] links) {
    BigInteger denominator = ONE;
    Part last = null;
    for (int link : links) {
      if (decidedBy[link] != last) {
        last = decidedBy[link];
        BigInteger own = last.level.denominator();
        denominator = denominator.multiply(own.divide(denominator.gcd(own)));
      }
    }
    BigInteger[] carried = new BigInteger[links.length];
    BigInteger numerator = null;
    for (int i = 0; i < carried.length; i++) {
      int link = links[i];
      if (i == 0 || decidedBy[link] != last) {
        last = decidedBy[link];
        Ratio level = last.level;
        numerator = level.numerator().multiply(denominator.divide(level.denominator()));
      }
      carried[i] = numerator.multiply(reversed[link] ? back[link] : there[link]);
    }
    return carried;
  }

  /**
   * Whether no other flow is more even: if for every link of utilisation u > 0 there is no way from
   * its tail to its head over links below u and, backwards, over links with any flow. (Another
   * flow's difference to this one consists of circles. Of the links in which they differ, take one
   * whose utilisation is highest; halfway to a more even flow all that gain are below it, and the
   * circle around it is such a way.) So tail and head must be in different strongly connected
   * components of the graph of these ways. The lower u, the fewer ways; so the components for the
   * links of a part are within those for the part that it was cut from, and are looked for there.
   */
  private boolean isCertain() {
    decided.sort((a, b) -> a.level.compareTo(b.level));
    int rank = 0;
    for (int i = 0; i < decided.size(); i++) {
      rank += i > 0 && !decided.get(i).level.equals(decided.get(i - 1).level) ? 1 : 0;
      decided.get(i).rank = rank;
    }
    return decided.stream().allMatch(Part::isCertain);
  }

  /** A part of the network that exchanges nothing more with the others. */
  private final class Part {
    private final Part cutFrom;
    private final IntList nodes;
    private final IntList links;

    /** What each node sends, in the unit of all supplies divided by {@code unit}. */
    private final BigInteger[] amount;

    private final BigInteger unit;

    /** The utilisation of its most utilised links, in the unit of supply over that of capacity. */
    private Ratio level;

    /** Orders levels. */
    private int rank;

    private int[] tail;
    private int[] head;
    private TightestCut cut;

    Part(Part cutFrom, IntList nodes, IntList links, BigInteger[] amount, BigInteger unit) {
      this.cutFrom = cutFrom;
      this.nodes = nodes;
      this.links = links;
      this.amount = amount;
      this.unit = unit;
    }

    boolean hasSupply() {
      for (BigInteger own : amount) {
        if (own.signum() != 0) {
          return true;
        }
      }
      return false;
    }

    /** Returns false if that cannot be done in doubles. */
    boolean decideMostUtilised(boolean exactly) {
      for (int n = 0; n < amount.length; n++) {
        indexOfNode[nodes.get(n)] = n;
      }
      int count = links.size();
      tail = new int[count];
      head = new int[count];
      BigInteger[] ownThere = new BigInteger[count];
      BigInteger[] ownBack = new BigInteger[count];
      for (int l = 0; l < count; l++) {
        int link = links.get(l);
        tail[l] = indexOfNode[from[link]];
        head[l] = indexOfNode[to[link]];
        ownThere[l] = there[link];
        ownBack[l] = back[link];
      }
      cut = new TightestCut(tail, head, ownThere, ownBack, amount);
      if (exactly) {
        cut.findExactly();
      } else if (!findInDoubles()) {
        return false;
      }
      level = cut.ratio().dividedBy(Ratio.of(unit, ONE));
      decided.add(this);
      return decide();
    }

    /** Begins with the flow found for the part that this one was cut from. */
    private boolean findInDoubles() {
      double scale = unit.doubleValue();
      double[] flow = new double[links.size()];
      for (int l = 0; l < flow.length; l++) {
        flow[l] = roughly[links.get(l)] * scale;
      }
      boolean found = cut.findInDoubles(approximate, flow);
      for (int l = 0; l < flow.length; l++) {
        roughly[links.get(l)] = flow[l] / scale;
      }
      return found;
    }

    /**
     * Gives the links that leave components their flow, and makes parts of the components.
     *
     * @return whether all that is left to send can be
     */
    private boolean decide() {
      Ratio perUnit = cut.ratio();
      int[] component = cut.component();
      BigInteger[] left = new BigInteger[amount.length];
      int components = 0;
      for (int n = 0; n < left.length; n++) {
        left[n] = amount[n].multiply(perUnit.denominator());
        components = Math.max(components, component[n] + 1);
      }
      IntList[] linksOf = new IntList[components];
      for (int l = 0; l < links.size(); l++) {
        int link = links.get(l);
        int a = tail[l];
        int b = head[l];
        if (component[a] == component[b]) {
          linksOf[component[a]] =
              linksOf[component[a]] == null ? new IntList() : linksOf[component[a]];
          linksOf[component[a]].add(link);
        } else if (cut.full(l) != 0) {
          decidedBy[link] = this;
          reversed[link] = cut.full(l) < 0;
          BigInteger flow =
              perUnit.numerator().multiply(reversed[link] ? back[link].negate() : there[link]);
          left[a] = left[a].subtract(flow);
          left[b] = left[b].add(flow);
        }
      }
      IntList[] nodesOf = new IntList[components];
      for (int n = 0; n < left.length; n++) {
        int own = component[n];
        if (linksOf[own] != null) {
          nodesOf[own] = nodesOf[own] == null ? new IntList() : nodesOf[own];
          nodesOf[own].add(n);
        } else if (left[n].signum() != 0) {
          return false;
        }
      }
      for (int c = 0; c < components; c++) {
        if (linksOf[c] != null) {
          parts.push(part(nodesOf[c], linksOf[c], left, unit.multiply(perUnit.denominator())));
        }
      }
      return true;
    }

    /** A part in lowest terms, of some of this one's nodes. */
    private Part part(IntList indices, IntList links, BigInteger[] left, BigInteger unit) {
      BigInteger divisor = unit;
      for (int i = 0; i < indices.size() && !divisor.equals(ONE); i++) {
        divisor = divisor.gcd(left[indices.get(i)]);
      }
      IntList nodes = new IntList();
      BigInteger[] amount = new BigInteger[indices.size()];
      for (int i = 0; i < amount.length; i++) {
        nodes.add(this.nodes.get(indices.get(i)));
        amount[i] = left[indices.get(i)].divide(divisor);
      }
      return new Part(this, nodes, links, amount, unit.divide(divisor));
    }

    /** See {@link FlowByParts#isCertain}. */
    private boolean isCertain() {
      approximate.begin(amount.length, tail.length, tail, head);
      for (int l = 0; l < tail.length; l++) {
        int link = links.get(l);
        Part by = decidedBy[link];
        boolean below = by == null || by.rank < rank;
        boolean flowsThere = by != null && !reversed[link];
        boolean flowsBack = by != null && reversed[link];
        boolean wayThere = flowsBack || (below && there[link].signum() > 0);
        boolean wayBack = flowsThere || (below && back[link].signum() > 0);
        approximate.setLink(l, wayThere ? 1 : 0, wayBack ? 1 : 0, 0);
      }
      int[] component = cut.component();
      int[] ways = new int[amount.length];
      approximate.residualComponents(ways);
      int[] within = new int[ways.length];
      Arrays.fill(within, -1);
      for (int n = 0; n < amount.length; n++) {
        if (within[ways[n]] < 0) {
          within[ways[n]] = component[n];
        } else if (within[ways[n]] != component[n]) {
          return false;
        }
      }
      return cutFrom == null || rank <= cutFrom.rank;
    }
  }

  private static IntList range(int end) {
    IntList numbers = new IntList();
    for (int i = 0; i < end; i++) {
      numbers.add(i);
    }
    return numbers;
  }
}
