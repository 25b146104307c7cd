package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Maximum flow in exact integers by Dinic's algorithm (Soviet Math. Dokl. 11, 1970): flows along
 * shortest augmenting paths, all of one length at a time. O(nodes^2 x edges) at worst, and far less
 * on the shallow graphs of fabrics.
 *
 * <p>Edge {@code 2e} is the e-th edge and {@code 2e + 1} its reverse, which has what can be taken
 * back, and what fits against the edge's direction. Capacities are longs where their sum is one,
 * and integers of any size else; the algorithm does not see the difference.
 */
abstract class MaxFlow {
  private final int nodes;
  private final int[] head;

  /** Edges by the node they leave: those of node n from {@code firstEdge[n]} on. */
  private final int[] edges;

  private final int[] firstEdge;
  private final int[] level;
  private final int[] current;

  private MaxFlow(int nodes, int[] from, int[] to) {
    this.nodes = nodes;
    head = new int[2 * from.length];
    firstEdge = new int[nodes + 1];
    for (int e = 0; e < from.length; e++) {
      head[2 * e] = to[e];
      head[2 * e + 1] = from[e];
      firstEdge[from[e]]++;
      firstEdge[to[e]]++;
    }
    for (int node = 1; node <= nodes; node++) {
      firstEdge[node] += firstEdge[node - 1];
    }
    edges = new int[head.length];
    for (int edge = head.length - 1; edge >= 0; edge--) {
      edges[--firstEdge[head[edge ^ 1]]] = edge;
    }
    level = new int[nodes];
    current = new int[nodes];
  }

  /**
   * A network without any flow.
   *
   * @param from the node that each edge leaves, of {@code 0 ..< nodes}
   * @param to the node that it enters
   * @param there capacity of each edge, not negative
   * @param back capacity against its direction, not negative
   */
  static MaxFlow of(int nodes, int[] from, int[] to, BigInteger[] there, BigInteger[] back) {
    BigInteger sum = BigInteger.ZERO;
    for (int e = 0; e < from.length; e++) {
      sum = sum.add(there[e]).add(back[e]);
    }
    return sum.bitLength() < Long.SIZE
        ? new InLongs(nodes, from, to, there, back)
        : new InIntegers(nodes, from, to, there, back);
  }

  /** Whether an edge, or its reverse, could take more. */
  abstract boolean hasResidual(int edge);

  /** Adds as much flow as a path has room for. */
  abstract void augment(int[] path, int length);

  /** Whether the node is on the source's side of the minimum cut, after {@link #run}. */
  boolean isOnSourceSide(int node) {
    return level[node] >= 0;
  }

  /** Sends as much as possible. */
  void run(int source, int sink) {
    int[] queue = new int[nodes];
    while (setLevels(source, sink, queue)) {
      System.arraycopy(firstEdge, 0, current, 0, nodes);
      augmentAll(source, sink, queue);
    }
  }

  private boolean setLevels(int source, int sink, int[] queue) {
    Arrays.fill(level, -1);
    int tail = 0;
    queue[tail++] = source;
    level[source] = 0;
    for (int i = 0; i < tail; i++) {
      int node = queue[i];
      for (int k = firstEdge[node]; k < firstEdge[node + 1]; k++) {
        int next = head[edges[k]];
        if (level[next] < 0 && hasResidual(edges[k])) {
          level[next] = level[node] + 1;
          queue[tail++] = next;
        }
      }
    }
    return level[sink] >= 0;
  }

  /** Saturates every path of rising levels: depth first, without recursion. */
  private void augmentAll(int source, int sink, int[] path) {
    int length = 0;
    int node = source;
    while (true) {
      if (node == sink) {
        augment(path, length);
        int kept = 0;
        while (hasResidual(path[kept])) {
          kept++;
        }
        length = kept;
        node = head[path[length] ^ 1];
      } else if (current[node] < firstEdge[node + 1]) {
        int edge = edges[current[node]];
        if (level[head[edge]] == level[node] + 1 && hasResidual(edge)) {
          path[length++] = edge;
          node = head[edge];
        } else {
          current[node]++;
        }
      } else if (length > 0) {
        // A dead end: do not come back to it.
        node = head[path[--length] ^ 1];
        current[node]++;
      } else {
        return;
      }
    }
  }

  /** Numbers the strongly connected components of the residual graph (Tarjan 1972). */
  int[] residualComponents() {
    return new Components().component;
  }

  private final class Components {
    final int[] component = new int[nodes];
    private final int[] index = new int[nodes];
    private final int[] low = new int[nodes];
    private final int[] stack = new int[nodes];
    private final int[] calls = new int[nodes];
    private final int[] at = Arrays.copyOf(firstEdge, nodes);
    private int stackSize;
    private int visited;
    private int components;

    Components() {
      Arrays.fill(component, -1);
      for (int node = 0; node < nodes; node++) {
        if (index[node] == 0) {
          visitFrom(node);
        }
      }
    }

    private void visitFrom(int root) {
      int depth = 0;
      enter(root);
      calls[depth++] = root;
      while (depth > 0) {
        int node = calls[depth - 1];
        if (at[node] == firstEdge[node + 1]) {
          leave(node);
          if (--depth > 0) {
            low[calls[depth - 1]] = Math.min(low[calls[depth - 1]], low[node]);
          }
          continue;
        }
        int edge = edges[at[node]++];
        int next = head[edge];
        if (!hasResidual(edge)) {
          continue;
        }
        if (index[next] == 0) {
          enter(next);
          calls[depth++] = next;
        } else if (component[next] < 0) {
          low[node] = Math.min(low[node], index[next]);
        }
      }
    }

    private void enter(int node) {
      index[node] = ++visited;
      low[node] = visited;
      stack[stackSize++] = node;
    }

    private void leave(int node) {
      if (low[node] == index[node]) {
        int member;
        do {
          member = stack[--stackSize];
          component[member] = components;
        } while (member != node);
        components++;
      }
    }
  }

  private static final class InLongs extends MaxFlow {
    private final long[] residual;

    InLongs(int nodes, int[] from, int[] to, BigInteger[] there, BigInteger[] back) {
      super(nodes, from, to);
      residual = new long[2 * from.length];
      for (int e = 0; e < from.length; e++) {
        residual[2 * e] = there[e].longValue();
        residual[2 * e + 1] = back[e].longValue();
      }
    }

    @Override
    boolean hasResidual(int edge) {
      return residual[edge] > 0;
    }

    @Override
    void augment(int[] path, int length) {
      long amount = Long.MAX_VALUE;
      for (int i = 0; i < length; i++) {
        amount = Math.min(amount, residual[path[i]]);
      }
      for (int i = 0; i < length; i++) {
        residual[path[i]] -= amount;
        residual[path[i] ^ 1] += amount;
      }
    }
  }

  private static final class InIntegers extends MaxFlow {
    private final BigInteger[] residual;

    InIntegers(int nodes, int[] from, int[] to, BigInteger[] there, BigInteger[] back) {
      super(nodes, from, to);
      residual = new BigInteger[2 * from.length];
      for (int e = 0; e < from.length; e++) {
        residual[2 * e] = there[e];
        residual[2 * e + 1] = back[e];
      }
    }

    @Override
    boolean hasResidual(int edge) {
      return residual[edge].signum() > 0;
    }

    @Override
    void augment(int[] path, int length) {
      BigInteger amount = residual[path[0]];
      for (int i = 1; i < length; i++) {
        amount = amount.min(residual[path[i]]);
      }
      for (int i = 0; i < length; i++) {
        residual[path[i]] = residual[path[i]].subtract(amount);
        residual[path[i] ^ 1] = residual[path[i] ^ 1].add(amount);
      }
    }
  }
}
