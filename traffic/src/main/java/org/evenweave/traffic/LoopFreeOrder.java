package org.evenweave.traffic;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A height for every switch, per destination, such that whatever leads strictly down neither loops
 * nor takes more links than the stretch limit allows.
 *
 * <p><b>Idea.</b> If every edge in use leads to a switch of lower height, a packet falls at every
 * hop: it cannot come back, and from height h it is at the destination (height 0) after at most h
 * links. So it is enough to give each switch a height within its limit. The best edges to let down
 * are those that an optimal flow uses. They are let down one by one, the ones with most flow first;
 * letting edge (v, w) down lifts v above w where it is not yet, and then all that lead down to v
 * above v. The edge is refused if that lifts a switch beyond its limit, or w itself, which would
 * close a circle.
 *
 * <p>Before all others, one shortest-path edge of every switch is let down: these form a tree,
 * whose heights are the hops, so every switch keeps a path whatever is refused later. After all
 * others, the remaining shortest-path edges are, for WCMP to be near.
 *
 * <p><b>Cost.</b> O(edges x edges) per destination at worst, since heights only rise.
 */
final class LoopFreeOrder {
  private final Links links;
  private final Target target;
  private final boolean[] leadsDown;
  private final int[] height;
  private final int[][] into;
  private boolean flowFits = true;

  /**
   * @param flowBps by edge: the flow that had best stay possible
   */
  LoopFreeOrder(Links links, Target target, double[] flowBps) {
    this.links = links;
    this.target = target;
    leadsDown = new boolean[links.count];
    height = new int[links.nodes];
    into = new int[links.nodes][0];
    int[] byFlow =
        IntStream.range(0, links.count)
            .filter(target::isUsable)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer edge) -> -flowBps[edge])
                    .thenComparingDouble(edge -> -links.capacityBps[edge]))
            .mapToInt(Integer::intValue)
            .toArray();
    lowerTree(byFlow);
    for (int edge : byFlow) {
      if (flowBps[edge] > 0) {
        flowFits &= lower(edge);
      }
    }
    for (int edge : byFlow) {
      if (target.isShortest(edge)) {
        lower(edge);
      }
    }
  }

  private void lowerTree(int[] byFlow) {
    boolean[] hasPath = new boolean[links.nodes];
    for (int edge : byFlow) {
      int s = links.from[edge];
      if (target.isShortest(edge) && !hasPath[s]) {
        hasPath[s] = true;
        height[s] = target.wcmp.hops(s);
        add(edge);
      }
    }
  }

  private void add(int edge) {
    leadsDown[edge] = true;
    int to = links.to[edge];
    into[to] = Arrays.copyOf(into[to], into[to].length + 1);
    into[to][into[to].length - 1] = edge;
  }

  private boolean lower(int edge) {
    if (!leadsDown[edge]) {
      int[] lifted = lifted(edge);
      if (lifted == null) {
        return false;
      }
      System.arraycopy(lifted, 0, height, 0, height.length);
      add(edge);
    }
    return true;
  }

  /** The heights that let an edge down, or null if there are none within the limits. */
  private int[] lifted(int edge) {
    int[] lifted = height.clone();
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(edge);
    while (!queue.isEmpty()) {
      int next = queue.remove();
      int s = links.from[next];
      int least = lifted[links.to[next]] + 1;
      if (lifted[s] < least) {
        if (s == links.to[edge] || least > target.hopLimit[s]) {
          return null;
        }
        lifted[s] = least;
        Arrays.stream(into[s]).forEach(queue::add);
      }
    }
    return lifted;
  }

  /** Whether all of the flow it was made for leads down. */
  boolean flowFits() {
    return flowFits;
  }

  /** Whether an edge leads down, within the limits. */
  boolean allows(int edge) {
    return target.isUsable(edge) && height[links.to[edge]] < height[links.from[edge]];
  }

  /** The most links that a path from a switch may take. */
  int height(int s) {
    return height[s];
  }
}
