package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * Flow that carries supplies to demands, in doubles, by Dinic's algorithm as {@link MaxFlow}, for
 * which many networks of a few hundred links are to be computed: its arrays are used again, links
 * lie in the order in which they are looked at, a link that carries either way is one link, and a
 * flow that is nearly the right one is corrected instead of computed again.
 *
 * <p>A remaining capacity counts as 0 if it is less than 10^-9 of the whole.
 */
final class ApproximateFlow {
  private static final double NOTHING = 1e-9;

  private int nodes;
  private int links;

  /** Links in both directions, those that leave node n from {@code first[n]} on. */
  private int[] first = new int[0];

  private int[] head = new int[0];
  private int[] reverse = new int[0];
  private double[] residual = new double[0];
  private double[] nothing = new double[0];

  /** Where the l-th link is, in its own direction. */
  private int[] slot = new int[0];

  /** What each node still has to send, negative for what it still has to get. */
  private double[] excess = new double[0];

  /** Of each node, the excess that is rounding. */
  private double[] tolerance = new double[0];

  private int[] hops = new int[0];
  private int[] current = new int[0];
  private int[] list = new int[0];
  private int[] path = new int[0];

  /**
   * Begins a network.
   *
   * @param tail the node that each link leaves, of {@code 0 ..< nodes}
   * @param head the node that it enters
   */
  void begin(int nodes, int links, int[] tail, int[] head) {
    this.nodes = nodes;
    this.links = links;
    reserve();
    Arrays.fill(first, 0, nodes + 1, 0);
    for (int l = 0; l < links; l++) {
      first[tail[l]]++;
      first[head[l]]++;
    }
    for (int node = 1; node <= nodes; node++) {
      first[node] += first[node - 1];
    }
    for (int l = links - 1; l >= 0; l--) {
      int there = --first[tail[l]];
      int back = --first[head[l]];
      slot[l] = there;
      this.head[there] = head[l];
      this.head[back] = tail[l];
      reverse[there] = back;
      reverse[back] = there;
    }
  }

  private void reserve() {
    if (first.length < nodes + 1) {
      first = new int[2 * nodes + 1];
      excess = new double[2 * nodes];
      tolerance = new double[2 * nodes];
      hops = new int[2 * nodes];
      current = new int[2 * nodes];
      list = new int[2 * nodes];
      path = new int[2 * nodes];
    }
    if (slot.length < links) {
      slot = new int[2 * links];
      head = new int[4 * links];
      reverse = new int[4 * links];
      residual = new double[4 * links];
      nothing = new double[4 * links];
    }
  }

  /** Sets what a node is to send, negative for what it is to get. Before its links' flows. */
  void setSupply(int node, double amount, double rounding) {
    excess[node] = amount;
    tolerance[node] = rounding;
  }

  /**
   * Sets the capacities of the l-th link, in its direction and against it, and its flow.
   *
   * @param flow negative against the link's direction; cut to the capacity
   */
  void setLink(int l, double there, double back, double flow) {
    int k = slot[l];
    int r = reverse[k];
    double fitting = Math.max(-back, Math.min(there, flow));
    residual[k] = there - fitting;
    residual[r] = back + fitting;
    nothing[k] = NOTHING * Math.max(there, back);
    nothing[r] = nothing[k];
    excess[head[r]] -= fitting;
    excess[head[k]] += fitting;
  }

  /** The flow of the l-th link, against whose direction {@code back} is its capacity. */
  double flow(int l, double back) {
    return residual[reverse[slot[l]]] - back;
  }

  /**
   * Sends as much as possible.
   *
   * @return whether that is all
   */
  boolean run() {
    while (setHops()) {
      System.arraycopy(first, 0, current, 0, nodes);
      for (int node = 0; node < nodes; node++) {
        if (hops[node] > 0 && excess[node] > tolerance[node]) {
          augmentFrom(node);
        }
      }
    }
    return isAllSent();
  }

  private boolean isAllSent() {
    boolean sent = true;
    boolean received = true;
    for (int node = 0; node < nodes; node++) {
      sent &= excess[node] <= tolerance[node];
      received &= -excess[node] <= tolerance[node];
    }
    return sent || received;
  }

  /**
   * Hops to the nearest demand over links that can take more; -1 where there is no such path.
   *
   * @return whether there is one from any supply
   */
  private boolean setHops() {
    int tail = 0;
    for (int node = 0; node < nodes; node++) {
      hops[node] = -excess[node] > tolerance[node] ? 0 : -1;
      if (hops[node] == 0) {
        list[tail++] = node;
      }
    }
    boolean any = false;
    for (int i = 0; i < tail; i++) {
      int node = list[i];
      any |= excess[node] > tolerance[node];
      for (int k = first[node]; k < first[node + 1]; k++) {
        int before = head[k];
        int there = reverse[k];
        if (hops[before] < 0 && residual[there] > nothing[there]) {
          hops[before] = hops[node] + 1;
          list[tail++] = before;
        }
      }
    }
    return any;
  }

  /** Sends a supply along shortest paths, until it is used up or no such path is left. */
  private void augmentFrom(int source) {
    int length = 0;
    int node = source;
    while (true) {
      if (hops[node] == 0 && -excess[node] > tolerance[node]) {
        length = augment(source, node, length);
        if (!(excess[source] > tolerance[source])) {
          return;
        }
        node = length == 0 ? source : head[path[length - 1]];
        continue;
      }
      int next = hops[node] - 1;
      int end = next < 0 ? current[node] : first[node + 1];
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

  /** Fills the path to a demand, and gives how much of it has room left. */
  private int augment(int source, int sink, int length) {
    double amount = Math.min(excess[source], -excess[sink]);
    for (int i = 0; i < length; i++) {
      amount = Math.min(amount, residual[path[i]]);
    }
    excess[source] -= amount;
    excess[sink] += amount;
    int kept = length;
    for (int i = length - 1; i >= 0; i--) {
      int k = path[i];
      residual[k] -= amount;
      residual[reverse[k]] += amount;
      kept = residual[k] > nothing[k] ? kept : i;
    }
    return kept;
  }

  /** Whether the l-th link could take more in its direction. */
  boolean hasRoomThere(int l) {
    return residual[slot[l]] > nothing[slot[l]];
  }

  /** Whether the l-th link could take more against its direction. */
  boolean hasRoomBack(int l) {
    return residual[reverse[slot[l]]] > nothing[slot[l]];
  }

  /** Whether the node is on the demands' side of the minimum cut next to them. */
  boolean isOnSinkSide(int node) {
    return hops[node] >= 0;
  }

  /**
   * Numbers the strongly connected components of the residual graph (Tarjan 1972).
   *
   * @param component receives the number of each node
   * @return how many there are
   */
  int residualComponents(int[] component) {
    int[] index = new int[nodes];
    int[] low = new int[nodes];
    int[] stack = list;
    int[] calls = path;
    System.arraycopy(first, 0, current, 0, nodes);
    Arrays.fill(component, 0, nodes, -1);
    int visited = 0;
    int components = 0;
    int stackSize = 0;
    for (int root = 0; root < nodes; root++) {
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
          if (!(residual[k] > nothing[k])) {
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
