package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * Maximum flow in doubles, by Dinic's algorithm as {@link MaxFlow}, for which many networks of a
 * few hundred edges are to be computed: its arrays are used again, and edges lie in the order in
 * which they are looked at.
 *
 * <p>What is left of a capacity is nothing if it is less than a part of 10^-9 of it.
 */
final class ApproximateFlow {
  private static final double NOTHING = 1e-9;

  private int nodes;
  private int edges;

  /** Edges in both directions, those that leave node n from {@code first[n]} on. */
  private int[] first = new int[0];

  private int[] head = new int[0];
  private int[] reverse = new int[0];
  private double[] residual = new double[0];
  private double[] nothing = new double[0];

  /** Where the e-th edge is. */
  private int[] slot = new int[0];

  private int[] hops = new int[0];
  private int[] current = new int[0];
  private int[] list = new int[0];
  private int[] path = new int[0];

  /**
   * Begins a network without any flow.
   *
   * @param tail the node that each edge leaves, of {@code 0 ..< nodes}
   * @param head the node that it enters
   */
  void begin(int nodes, int edges, int[] tail, int[] head) {
    this.nodes = nodes;
    this.edges = edges;
    reserve();
    Arrays.fill(first, 0, nodes + 1, 0);
    for (int e = 0; e < edges; e++) {
      first[tail[e]]++;
      first[head[e]]++;
    }
    for (int node = 1; node <= nodes; node++) {
      first[node] += first[node - 1];
    }
    for (int e = edges - 1; e >= 0; e--) {
      int there = --first[tail[e]];
      int back = --first[head[e]];
      slot[e] = there;
      this.head[there] = head[e];
      this.head[back] = tail[e];
      reverse[there] = back;
      reverse[back] = there;
    }
  }

  private void reserve() {
    if (first.length < nodes + 1) {
      first = new int[2 * nodes + 1];
      hops = new int[2 * nodes];
      current = new int[2 * nodes];
      list = new int[2 * nodes];
      path = new int[2 * nodes];
    }
    if (slot.length < edges) {
      slot = new int[2 * edges];
      head = new int[4 * edges];
      reverse = new int[4 * edges];
      residual = new double[4 * edges];
      nothing = new double[4 * edges];
    }
  }

  /** Sets the capacity of the e-th edge, and takes its flow away. */
  void setCapacity(int e, double capacity) {
    int there = slot[e];
    int back = reverse[there];
    residual[there] = capacity;
    residual[back] = 0;
    nothing[there] = NOTHING * capacity;
    nothing[back] = nothing[there];
  }

  /** Sends as much as possible. */
  void run(int source, int sink) {
    while (setHops(source, sink)) {
      System.arraycopy(first, 0, current, 0, nodes);
      augmentAll(source, sink);
    }
  }

  /** Hops to the sink over edges that can take more; -1 where there is no such path. */
  private boolean setHops(int source, int sink) {
    Arrays.fill(hops, 0, nodes, -1);
    int tail = 0;
    list[tail++] = sink;
    hops[sink] = 0;
    for (int i = 0; i < tail; i++) {
      int node = list[i];
      for (int k = first[node]; k < first[node + 1]; k++) {
        int before = head[k];
        int there = reverse[k];
        if (hops[before] < 0 && residual[there] > nothing[there]) {
          hops[before] = hops[node] + 1;
          list[tail++] = before;
        }
      }
    }
    return hops[source] >= 0;
  }

  private void augmentAll(int source, int sink) {
    int length = 0;
    int node = source;
    while (true) {
      if (node == sink) {
        length = augment(length);
        node = head[reverse[path[length]]];
        continue;
      }
      int next = hops[node] - 1;
      int end = first[node + 1];
      int k = current[node];
      while (k < end && !(hops[head[k]] == next && residual[k] > nothing[k])) {
        k++;
      }
      current[node] = k;
      if (k < end) {
        path[length++] = k;
        node = head[k];
      } else if (length > 0) {
        node = head[reverse[path[--length]]];
        current[node]++;
      } else {
        return;
      }
    }
  }

  /** Fills the path, and gives the place of its first edge that is full now. */
  private int augment(int length) {
    double amount = Double.MAX_VALUE;
    for (int i = 0; i < length; i++) {
      amount = Math.min(amount, residual[path[i]]);
    }
    int full = length;
    for (int i = length - 1; i >= 0; i--) {
      int k = path[i];
      residual[k] -= amount;
      residual[reverse[k]] += amount;
      full = residual[k] > nothing[k] ? full : i;
    }
    return full;
  }

  /** Whether the e-th edge could take more. */
  boolean hasResidual(int e) {
    return residual[slot[e]] > nothing[slot[e]];
  }

  /** Whether the node is on the sink's side of the minimum cut next to the sink. */
  boolean isOnSinkSide(int node) {
    return hops[node] >= 0;
  }

  /**
   * Numbers the strongly connected components of the residual graph, without the last two nodes
   * (Tarjan 1972).
   *
   * @param component receives the number of each node
   * @return how many there are
   */
  int residualComponents(int[] component) {
    int inner = nodes - 2;
    int[] index = new int[inner];
    int[] low = new int[inner];
    int[] stack = list;
    int[] calls = path;
    System.arraycopy(first, 0, current, 0, inner);
    Arrays.fill(component, 0, inner, -1);
    int visited = 0;
    int components = 0;
    int stackSize = 0;
    for (int root = 0; root < inner; root++) {
      if (index[root] > 0) {
        continue;
      }
      int depth = 0;
      int node = root;
      calls[depth++] = node;
      index[node] = ++visited;
      low[node] = visited;
      stack[stackSize++] = node;
      while (depth > 0) {
        node = calls[depth - 1];
        if (current[node] < first[node + 1]) {
          int k = current[node]++;
          int next = head[k];
          if (next >= inner || !(residual[k] > nothing[k])) {
            continue;
          }
          if (index[next] == 0) {
            calls[depth++] = next;
            index[next] = ++visited;
            low[next] = visited;
            stack[stackSize++] = next;
          } else if (component[next] < 0) {
            low[node] = Math.min(low[node], index[next]);
          }
          continue;
        }
        if (low[node] == index[node]) {
          int member;
          do {
            member = stack[--stackSize];
            component[member] = components;
          } while (member != node);
          components++;
        }
        if (--depth > 0) {
          int caller = calls[depth - 1];
          low[caller] = Math.min(low[caller], low[node]);
        }
      }
    }
    return components;
  }
}
