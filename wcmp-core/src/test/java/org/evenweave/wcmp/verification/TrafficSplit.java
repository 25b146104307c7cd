package org.evenweave.wcmp.verification;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Computes exactly how a forwarding state splits one unit of traffic from one switch to one prefix.
 *
 * <p>The unit is pushed along the loop-free order of {@link DestinationGraph}: what enters a switch
 * leaves it in the ratio of its weights. Numbers are exact fractions, so that sums are exactly one.
 */
public final class TrafficSplit {
  private final Ratio[] perArc;
  private final Ratio delivered;

  private TrafficSplit(Ratio[] perArc, Ratio delivered) {
    this.perArc = perArc;
    this.delivered = delivered;
  }

  /**
   * Splits one unit.
   *
   * @param subnet the destination, a subnet number of the state's fabric
   * @throws IllegalStateException if packets can loop; {@link Verifier} finds where
   */
  public static TrafficSplit of(ForwardingState state, int source, int subnet) {
    Fabric fabric = state.fabric();
    int destination = fabric.subnetSwitch(subnet);
    Ipv4Prefix prefix = fabric.subnetPrefix(subnet);
    DestinationGraph graph = new DestinationGraph(state, destination, prefix);
    if (graph.nextHopsFirst.length < fabric.switchCount()) {
      throw new IllegalStateException("packets to " + prefix + " can loop");
    }
    Ratio[] perArc = new Ratio[fabric.arcCount()];
    Arrays.fill(perArc, Ratio.ZERO);
    Ratio[] inflow = new Ratio[fabric.switchCount()];
    Arrays.fill(inflow, Ratio.ZERO);
    inflow[source] = Ratio.ONE;
    for (int i = graph.nextHopsFirst.length - 1; i >= 0; i--) {
      int s = graph.nextHopsFirst[i];
      for (int m = 0; m < graph.arcs[s].length; m++) {
        int arc = graph.arcs[s][m];
        if (arc != DestinationGraph.NO_LINK) {
          MultipathRule rule = graph.rules[s];
          Ratio share = Ratio.of(rule.weight(m), rule.totalWeight());
          perArc[arc] = inflow[s].times(share);
          inflow[fabric.to(arc)] = inflow[fabric.to(arc)].plus(perArc[arc]);
        }
      }
    }
    return new TrafficSplit(perArc, inflow[destination]);
  }

  /** The part of the unit that passes an arc. */
  public Ratio share(int arc) {
    return perArc[arc];
  }

  /** The part of the unit that reaches the destination; the rest falls into black holes. */
  public Ratio delivered() {
    return delivered;
  }
}
