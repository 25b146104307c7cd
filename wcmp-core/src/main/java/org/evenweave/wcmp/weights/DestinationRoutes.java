package org.evenweave.wcmp.weights;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * How every switch of a fabric forwards towards one destination switch: its member ports (as arcs)
 * and their ideal weights.
 *
 * <p>Every arc leads to a switch that is strictly nearer to the destination, so these routes cannot
 * loop. Weights of one switch are positive, have no common divisor, and mean only their ratios.
 */
public final class DestinationRoutes {
  private final int destination;
  private final int[] hops;
  private final int[] firstMember;
  private final int[] memberArc;
  private final long[] memberWeight;

  /**
   * @param hops distance of every switch to the destination, -1 where there is no path
   * @param firstMember for switch {@code s} members are {@code firstMember[s] ..< firstMember[s+1]}
   * @param memberArc the arcs, for each switch by rising port
   * @param memberWeight positive, aligned with {@code memberArc}
   */
  DestinationRoutes(
      int destination, int[] hops, int[] firstMember, int[] memberArc, long[] memberWeight) {
    this.destination = destination;
    this.hops = hops;
    this.firstMember = firstMember;
    this.memberArc = memberArc;
    this.memberWeight = memberWeight;
  }

  public int destination() {
    return destination;
  }

  /** Links on a shortest path from this switch; 0 at the destination, -1 where there is none. */
  public int hops(int s) {
    return hops[s];
  }

  /** How many member ports this switch's group has; 0 at the destination and where unreachable. */
  public int memberCount(int s) {
    return firstMember[s + 1] - firstMember[s];
  }

  /** The arc of the {@code i}-th member port, by rising port number. */
  public int arc(int s, int i) {
    return memberArc[firstMember[s] + i];
  }

  /** The ideal weight of the {@code i}-th member port. */
  public long weight(int s, int i) {
    return memberWeight[firstMember[s] + i];
  }

  /** All ideal weights of a switch; a copy. */
  public long[] weights(int s) {
    return Arrays.copyOfRange(memberWeight, firstMember[s], firstMember[s + 1]);
  }

  /** The output ports of a switch, rising, aligned with {@link #weights}. */
  public int[] ports(Fabric fabric, int s) {
    int[] ports = new int[memberCount(s)];
    for (int i = 0; i < ports.length; i++) {
      ports[i] = fabric.port(arc(s, i));
    }
    return ports;
  }
}
