package org.evenweave.sdd.schedule;

import java.util.Arrays;

/**
 * A perfect matching of sources with destinations in a bipartite graph that changes by a few edges
 * at a time.
 *
 * <p><b>Idea.</b> A decomposition of a demand matrix asks for one perfect matching after the other,
 * and between two questions only the entries that ran out have gone. So the matching is kept;
 * removing a matched edge frees its two ends, and {@link #complete()} repairs the free ends only,
 * each by one augmenting path (Berge: a matching that is not the largest has one).
 *
 * <p><b>Bits.</b> A source's edges are a bitmap over destinations, and so are the destinations that
 * a search has not seen. Their AND is what the search must look at, 64 destinations at a time: a
 * breadth-first search sees each destination once, however many edges there are.
 *
 * <p><b>Complexity.</b> With n hosts, O(n²/64 + n) for each free source: O(n³/64) for a matching
 * from nothing, O(n²/64) after one edge went. No allocation after the constructor.
 *
 * <p>Source: Kuhn, "The Hungarian method for the assignment problem", 1955, section 2 (augmenting
 * paths); Berge, "Two theorems in graph theory", 1957.
 */
public final class PerfectMatching {
  private static final int NONE = -1;

  private final int hosts;
  private final int words;

  /** Of each source, {@code words} words: the destinations that it has an edge to. */
  private final long[] edges;

  private final long[] freeDestinations;
  private final int[] destinationOf;
  private final int[] sourceOf;

  /**
   * Working memory of a search: who is still to be seen, who is next, who was reached from whom.
   */
  private final long[] unseen;

  private final int[] queue;
  private final int[] reachedFrom;

  /**
   * A graph without edges.
   *
   * @param hosts the number of sources and of destinations, at least 1
   */
  public PerfectMatching(int hosts) {
    this.hosts = hosts;
    this.words = (hosts + Long.SIZE - 1) / Long.SIZE;
    this.edges = new long[Math.multiplyExact(hosts, words)];
    this.freeDestinations = new long[words];
    this.destinationOf = new int[hosts];
    this.sourceOf = new int[hosts];
    this.unseen = new long[words];
    this.queue = new int[hosts];
    this.reachedFrom = new int[hosts];
    clear();
  }

  /** Removes all edges, and the matching with them. */
  public void clear() {
    Arrays.fill(edges, 0);
    Arrays.fill(destinationOf, NONE);
    Arrays.fill(sourceOf, NONE);
    setAll(freeDestinations);
  }

  private void setAll(long[] bitmap) {
    Arrays.fill(bitmap, -1L);
    bitmap[words - 1] >>>= words * Long.SIZE - hosts;
  }

  /** Adds an edge unless it is there; the matching stays. */
  public void add(int source, int destination) {
    edges[source * words + (destination >>> 6)] |= 1L << destination;
  }

  /** Removes an edge; if it was matched, its ends become free. */
  public void remove(int source, int destination) {
    edges[source * words + (destination >>> 6)] &= ~(1L << destination);
    if (destinationOf[source] == destination) {
      destinationOf[source] = NONE;
      sourceOf[destination] = NONE;
      freeDestinations[destination >>> 6] |= 1L << destination;
    }
  }

  /**
   * Makes the matching perfect if the graph has a perfect one.
   *
   * @return whether every source is matched now; if not, the matching may have grown
   */
  public boolean complete() {
    for (int source = 0; source < hosts; source++) {
      if (destinationOf[source] == NONE && !augmentFrom(source)) {
        return false;
      }
    }
    return true;
  }

  /** Each source's destination, or -1; changes with the next calls. */
  public int[] destinations() {
    return destinationOf;
  }

  private boolean augmentFrom(int root) {
    setAll(unseen);
    int last = 0;
    queue[last++] = root;
    for (int next = 0; next < last; next++) {
      int source = queue[next];
      for (int word = 0; word < words; word++) {
        long reached = edges[source * words + word] & unseen[word];
        long free = reached & freeDestinations[word];
        if (free != 0) {
          augmentTo((word << 6) + Long.numberOfTrailingZeros(free), source);
          return true;
        }
        unseen[word] &= ~reached;
        while (reached != 0) {
          int destination = (word << 6) + Long.numberOfTrailingZeros(reached);
          reached &= reached - 1;
          reachedFrom[destination] = source;
          queue[last++] = sourceOf[destination];
        }
      }
    }
    return false;
  }

  /** Gives the free destination to the source, and the source's former one to whom it came from. */
  private void augmentTo(int free, int reachedBy) {
    freeDestinations[free >>> 6] &= ~(1L << free);
    int destination = free;
    int source = reachedBy;
    while (true) {
      int former = destinationOf[source];
      destinationOf[source] = destination;
      sourceOf[destination] = source;
      if (former == NONE) {
        return;
      }
      destination = former;
      source = reachedFrom[former];
    }
  }
}
