package org.evenweave.wcmp.weights;

import org.evenweave.wcmp.fabric.Fabric;

/**
 * The routes of every switch towards one destination switch: its member ports (as arcs) and their
 * ideal weights.
 *
 * <p>Every arc leads to a switch with fewer {@link #hops}, so these routes cannot loop. Weights of
 * one switch are positive, have no common divisor, and mean only their ratios. Immutable.
 */
public abstract class DestinationRoutes {
  /** Only this package knows how routes are kept. */
  DestinationRoutes() {}

  /**
   * Routes that were made elsewhere.
   *
   * @param arcs for every switch its members, as arcs of links that are up, in any order; empty
   *     where there are none
   * @param weights aligned with {@code arcs}; positive, in any common unit per switch
   * @throws IllegalArgumentException if they could loop or lose a packet: members must lead to the
   *     destination or to a switch that has members, never in a circle
   */
  public static DestinationRoutes of(
      Fabric fabric, int destination, int[][] arcs, long[][] weights) {
    return new ListedRoutes(fabric, destination, arcs, weights);
  }

  /** The switch these routes lead to. */
  public abstract int destination();

  /**
   * The most links that any path of these routes takes from this switch; on shortest-path routes
   * they all take that many. 0 at the destination, -1 where there is no path.
   */
  public abstract int hops(int s);

  /** This switch's group; without members at the destination and where there is no path. */
  public abstract IdealGroup group(int s);

  /** How many member ports this switch's group has; 0 at the destination and where unreachable. */
  public final int memberCount(int s) {
    return group(s).memberCount();
  }

  /** The arc of the {@code i}-th member port, by rising port number. */
  public final int arc(int s, int i) {
    return group(s).arc(i);
  }

  /** The ideal weight of the {@code i}-th member port. */
  public final long weight(int s, int i) {
    return group(s).weight(i);
  }

  /** All ideal weights of a switch; a copy. */
  public final long[] weights(int s) {
    return group(s).weights();
  }

  /** The output ports of a switch, rising, aligned with {@link #weights}. */
  public final int[] ports(Fabric fabric, int s) {
    return group(s).ports(fabric);
  }
}
