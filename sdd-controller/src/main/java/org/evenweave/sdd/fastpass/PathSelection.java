package org.evenweave.sdd.fastpass;

import java.util.Arrays;
import org.evenweave.sdd.schedule.Schedule;

/**
 * FastPass's path selection: a path for each pair that sends in a timeslot, such that no link
 * between racks and the core carries two packets.
 *
 * <p><b>Idea.</b> In a two-tier fabric a path between racks is a core switch. Take racks as nodes
 * of a bipartite multigraph, on one side as sources and on the other as destinations, and the pairs
 * as edges: paths are then colours, and no two edges of a node may have the same. König: as many
 * colours as the largest degree are enough. If racks have more pairs than there are paths, each is
 * split into nodes of at most so many; then each link carries as few packets as is possible, the
 * largest degree over the paths, rounded up.
 *
 * <p><b>Algorithm.</b> Edges are coloured one by one. The colours that a node has free are a
 * bitmap; a colour free at both ends is one AND and a bit scan away. If there is none, take a
 * colour a free at the source node and b free at the destination node: the path of edges a, b, a,
 * ... that starts at the destination node cannot end at the source node, as it would come there by
 * an edge of colour a. So exchanging the two colours along it makes a free at both.
 *
 * <p><b>Other traffic.</b> Where it is known what other traffic uses of links, an edge takes the
 * colour that is used least among those that are free at both its nodes, of all paths and not of as
 * many as are needed. That is greedy, edge by edge: no link carries more for it, and the sum of
 * what is used need not be the least.
 *
 * <p><b>Complexity.</b> O(1) for most edges, O(paths) with other traffic, O(racks) for one whose
 * colours are exchanged. FastPass splits the graph along Euler tours instead, which needs degrees
 * that are powers of two. Nothing is allocated after the constructor.
 *
 * <p>Source: Perry et al., "Fastpass", SIGCOMM 2014, section 3.3; König, "Über Graphen und ihre
 * Anwendung auf Determinantentheorie und Mengenlehre", 1916.
 */
public final class PathSelection {
  /** The path of a source that needs none: idle, or its destination is in the same rack. */
  public static final int NO_PATH = -1;

  /** The most paths: the bits of a word. */
  public static final int MAX_PATHS = Long.SIZE;

  private static final int NO_EDGE = -1;

  private final int hosts;
  private final int paths;
  private final int racks;
  private final int nodesPerRack;

  /** Quotients that would otherwise be divided out for every edge: each host's rack ... */
  private final int[] rackOf;

  /** ... and which of its rack's nodes the i-th edge of a rack is at. */
  private final int[] nodeOfEdge;

  /** How many pairs send from each rack, then how many to each rack. */
  private final int[] rackDegrees;

  /** Of each node, source nodes first, then destination nodes: the paths that no edge has yet. */
  private final long[] freePaths;

  /** Of each node and path, the source host of the edge that has it. */
  private final int[] edgeOf;

  /** The nodes of the edge of each source host. */
  private final int[] sourceNode;

  private final int[] destinationNode;

  /**
   * Path selection for racks of equal size.
   *
   * @param hosts the number of hosts; host h is in rack {@code h / hostsPerRack}
   * @param hostsPerRack 1 or more
   * @param paths the number of paths between any two racks, 1 to {@value #MAX_PATHS}
   */
  public PathSelection(int hosts, int hostsPerRack, int paths) {
    require(hosts >= 1, "hosts", hosts, "at least 1");
    require(hostsPerRack >= 1, "hostsPerRack", hostsPerRack, "at least 1");
    require(paths >= 1 && paths <= MAX_PATHS, "paths", paths, "1 to " + MAX_PATHS);
    this.hosts = hosts;
    this.paths = paths;
    this.racks = (hosts + hostsPerRack - 1) / hostsPerRack;
    this.nodesPerRack = (hostsPerRack + paths - 1) / paths;
    this.rackOf = new int[hosts];
    Arrays.setAll(rackOf, host -> host / hostsPerRack);
    this.nodeOfEdge = new int[hostsPerRack];
    Arrays.setAll(nodeOfEdge, i -> i / paths);
    this.rackDegrees = new int[2 * racks];
    this.freePaths = new long[2 * racks * nodesPerRack];
    this.edgeOf = new int[freePaths.length * paths];
    this.sourceNode = new int[hosts];
    this.destinationNode = new int[hosts];
  }

  private static void require(boolean holds, String field, int value, String what) {
    if (!holds) {
      throw new IllegalArgumentException(field + ": must be " + what + ", not " + value);
    }
  }

  /**
   * Selects paths for a timeslot.
   *
   * @param destinationOf each source's destination or {@link Schedule#IDLE}; no destination twice
   * @param pathOf receives each source's path, 0 to {@code paths - 1}, or {@link #NO_PATH}
   * @return how many different paths were used at most: the largest degree of a node
   */
  public int select(int[] destinationOf, int[] pathOf) {
    return select(destinationOf, pathOf, null);
  }

  /**
   * The same around other traffic: those paths that it uses least.
   *
   * @param loads what it uses; null if that is not known
   * @return the largest degree of a node
   */
  public int select(int[] destinationOf, int[] pathOf, PathLoads loads) {
    int degree = placeEdges(destinationOf);
    int offered = loads == null ? Math.max(1, degree) : paths;
    Arrays.fill(freePaths, -1L >>> (Long.SIZE - offered));
    Arrays.fill(edgeOf, NO_EDGE);
    for (int source = 0; source < hosts; source++) {
      pathOf[source] = NO_PATH;
      if (sourceNode[source] >= 0) {
        pathOf[source] = colour(source, destinationOf[source], pathOf, loads);
      }
    }
    return degree;
  }

  /** Finds the two nodes of each edge; returns the largest degree. */
  private int placeEdges(int[] destinationOf) {
    Arrays.fill(rackDegrees, 0);
    int degree = 0;
    for (int source = 0; source < hosts; source++) {
      int destination = destinationOf[source];
      int from = rackOf[source];
      int to = destination == Schedule.IDLE ? from : rackOf[destination];
      if (from == to) {
        sourceNode[source] = NO_EDGE;
        continue;
      }
      int sent = rackDegrees[from]++;
      int received = rackDegrees[racks + to]++;
      sourceNode[source] = from * nodesPerRack + nodeOfEdge[sent];
      destinationNode[source] = (racks + to) * nodesPerRack + nodeOfEdge[received];
      degree = Math.max(degree, Math.max(sent, received) + 1);
    }
    return Math.min(degree, paths);
  }

  private int colour(int edge, int destination, int[] pathOf, PathLoads loads) {
    int from = sourceNode[edge];
    int to = destinationNode[edge];
    long common = freePaths[from] & freePaths[to];
    if (common == 0) {
      int atSource = Long.numberOfTrailingZeros(freePaths[from]);
      int atDestination = Long.numberOfTrailingZeros(freePaths[to]);
      exchange(to, atSource, atDestination, pathOf);
      common = 1L << atSource;
    }
    int path =
        loads == null
            ? Long.numberOfTrailingZeros(common)
            : leastUsed(common, rackOf[edge], rackOf[destination], loads);
    occupy(from, path, edge);
    occupy(to, path, edge);
    return path;
  }

  /** Of equal ones the first. */
  private static int leastUsed(long free, int from, int to, PathLoads loads) {
    int least = Long.numberOfTrailingZeros(free);
    for (long rest = free & (free - 1); rest != 0; rest &= rest - 1) {
      int path = Long.numberOfTrailingZeros(rest);
      if (loads.of(from, to, path) < loads.of(from, to, least)) {
        least = path;
      }
    }
    return least;
  }

  private void occupy(int node, int path, int edge) {
    edgeOf[node * paths + path] = edge;
    freePaths[node] ^= 1L << path;
  }

  /** Exchanges two paths along the alternating walk from a node that has the second one free. */
  private void exchange(int start, int taken, int free, int[] pathOf) {
    int edge = edgeOf[start * paths + taken];
    occupy(start, taken, NO_EDGE);
    occupy(start, free, edge);
    int node = start;
    int old = taken;
    int now = free;
    while (true) {
      pathOf[edge] = now;
      node = node == sourceNode[edge] ? destinationNode[edge] : sourceNode[edge];
      int displaced = edgeOf[node * paths + now];
      edgeOf[node * paths + now] = edge;
      edgeOf[node * paths + old] = displaced;
      if (displaced == NO_EDGE) {
        freePaths[node] ^= 1L << old | 1L << now;
        return;
      }
      edge = displaced;
      int swap = old;
      old = now;
      now = swap;
    }
  }
}
