package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Maximum flow in exact integers by Dinic's algorithm (Soviet Math. Dokl. 11, 1970): flows along
 * shortest augmenting paths, all of one length at a time. O(nodes^2 x edges) at worst, and far less
 * on the shallow graphs of fabrics.
 *
 * <p>Edge {@code 2e} is the e-th edge added and {@code 2e + 1} its reverse, which has what can be
 * taken back.
 */
final class MaxFlow {
  private final int[] firstEdge;
  private int[] nextEdge = new int[16];
  private int[] head = new int[16];
  private BigInteger[] residual = new BigInteger[16];
  private int edges;
  private final int[] level;
  private final int[] current;

  MaxFlow(int nodes) {
    firstEdge = new int[nodes];
    Arrays.fill(firstEdge, -1);
    level = new int[nodes];
    current = new int[nodes];
  }

  /** Adds an edge and returns its number. */
  int addEdge(int from, int to, BigInteger capacity) {
    if (edges == head.length) {
      nextEdge = Arrays.copyOf(nextEdge, 2 * edges);
      head = Arrays.copyOf(head, 2 * edges);
      residual = Arrays.copyOf(residual, 2 * edges);
    }
    addHalf(from, to, capacity);
    addHalf(to, from, BigInteger.ZERO);
    return edges - 2;
  }

  private void addHalf(int from, int to, BigInteger capacity) {
    head[edges] = to;
    residual[edges] = capacity;
    nextEdge[edges] = firstEdge[from];
    firstEdge[from] = edges++;
  }

  /** The flow on an edge, after {@link #run}. */
  BigInteger flow(int edge) {
    return residual[edge ^ 1];
  }

  /** Whether an edge, or its reverse, could take more. */
  boolean hasResidual(int edge) {
    return residual[edge].signum() > 0;
  }

  /** Whether the node is on the source's side of the minimum cut, after {@link #run}. */
  boolean isOnSourceSide(int node) {
    return level[node] >= 0;
  }

  /** Sends as much as possible and returns how much that is. */
  BigInteger run(int source, int sink) {
    BigInteger total = BigInteger.ZERO;
    while (setLevels(source, sink)) {
      System.arraycopy(firstEdge, 0, current, 0, firstEdge.length);
      total = total.add(augmentAll(source, sink));
    }
    return total;
  }

  private boolean setLevels(int source, int sink) {
    Arrays.fill(level, -1);
    int[] queue = new int[level.length];
    int tail = 0;
    queue[tail++] = source;
    level[source] = 0;
    for (int i = 0; i < tail; i++) {
      for (int edge = firstEdge[queue[i]]; edge >= 0; edge = nextEdge[edge]) {
        if (level[head[edge]] < 0 && hasResidual(edge)) {
          level[head[edge]] = level[queue[i]] + 1;
          queue[tail++] = head[edge];
        }
      }
    }
    return level[sink] >= 0;
  }

  /** Saturates every path of rising levels: depth first, without recursion. */
  private BigInteger augmentAll(int source, int sink) {
    BigInteger total = BigInteger.ZERO;
    int[] path = new int[level.length];
    int length = 0;
    int node = source;
    while (true) {
      if (node == sink) {
        BigInteger amount = residual[path[0]];
        for (int i = 1; i < length; i++) {
          amount = amount.min(residual[path[i]]);
        }
        total = total.add(amount);
        int kept = length;
        for (int i = length - 1; i >= 0; i--) {
          residual[path[i]] = residual[path[i]].subtract(amount);
          residual[path[i] ^ 1] = residual[path[i] ^ 1].add(amount);
          kept = hasResidual(path[i]) ? kept : i;
        }
        length = kept;
        node = head[path[length] ^ 1];
      } else if (current[node] >= 0) {
        int edge = current[node];
        if (hasResidual(edge) && level[head[edge]] == level[node] + 1) {
          path[length++] = edge;
          node = head[edge];
        } else {
          current[node] = nextEdge[edge];
        }
      } else if (length > 0) {
        // A dead end: do not come back to it.
        node = head[path[--length] ^ 1];
        current[node] = nextEdge[current[node]];
      } else {
        return total;
      }
    }
  }

  /** Numbers the strongly connected components of the residual graph (Tarjan 1972). */
  int[] residualComponents() {
    return new Components().component;
  }

  private final class Components {
    final int[] component = new int[firstEdge.length];
    private final int[] index = new int[firstEdge.length];
    private final int[] low = new int[firstEdge.length];
    private final int[] stack = new int[firstEdge.length];
    private final int[] calls = new int[firstEdge.length];
    private final int[] edgeOf = firstEdge.clone();
    private int stackSize;
    private int visited;
    private int components;

    Components() {
      Arrays.fill(component, -1);
      for (int node = 0; node < index.length; node++) {
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
        int edge = edgeOf[node];
        if (edge < 0) {
          leave(node);
          if (--depth > 0) {
            low[calls[depth - 1]] = Math.min(low[calls[depth - 1]], low[node]);
          }
          continue;
        }
        edgeOf[node] = nextEdge[edge];
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
}
