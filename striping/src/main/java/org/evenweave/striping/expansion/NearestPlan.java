package org.evenweave.striping.expansion;

import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.mincost.CapacityScalingMinimumCostFlow;
import org.jgrapht.alg.flow.mincost.MinimumCostFlowProblem;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * The plan that keeps the most links of an existing fabric.
 *
 * <p>Let R be the existing link counts (0 where a switch is new) and R' = p' + b the plan sought, b
 * a 0/1 matrix with π'<sub>p+1</sub> ones in each row and Ω'<sub>p+1</sub> in each column. Between
 * S1 switch i and S2 switch k, min(R<sub>ik</sub>, R'<sub>ik</sub>) links stay. That is
 * min(R<sub>ik</sub>, p') whatever b<sub>ik</sub> is, and one more if b<sub>ik</sub> = 1 and
 * R<sub>ik</sub> &gt; p'. So keeping the most links is a transportation problem: send
 * π'<sub>p+1</sub> units from each S1 switch and Ω'<sub>p+1</sub> to each S2 switch, at most one
 * unit between any two, and gain 1 for a unit where R<sub>ik</sub> &gt; p'. Its constraints are
 * totally unimodular, so a minimum-cost flow is an exact integer optimum (Ahuja, Magnanti and
 * Orlin, "Network Flows", 1993, sections 9.6 and 11.12).
 *
 * <p>Many plans often keep equally many links. Among them the one with the most entries in common
 * with a preferred plan is taken: a gain of 1 for each common p' + 1, and of L'K' + 1 for each link
 * kept, so that no number of common entries makes up for a link.
 *
 * <p>Complexity: at most L'·π'<sub>p+1</sub> shortest paths in a graph of L'K' edges; measured
 * about a second for 256 by 256 switches, against milliseconds for 19 by 76.
 */
final class NearestPlan {

  private NearestPlan() {}

  /**
   * Finds the plan.
   *
   * @param wired existing link counts, at most L' rows and K' columns
   * @param preferred a plan for the target, to break ties
   */
  static StripingPlan of(StripingParameters target, int[][] wired, StripingPlan preferred) {
    int s1Count = target.s1Count();
    int s2Count = target.s2Count();
    int base = target.base();
    double keptLinkGain = (double) s1Count * s2Count + 1;

    Graph<Integer, DefaultWeightedEdge> graph =
        new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
    for (int vertex = 0; vertex < s1Count + s2Count; vertex++) {
      graph.addVertex(vertex);
    }
    for (int s1 = 0; s1 < s1Count; s1++) {
      for (int s2 = 0; s2 < s2Count; s2++) {
        boolean keepsLink = s1 < wired.length && s2 < wired[s1].length && wired[s1][s2] > base;
        boolean isPreferred = preferred.links(s1, s2) > base;
        double gain = (keepsLink ? keptLinkGain : 0) + (isPreferred ? 1 : 0);
        graph.setEdgeWeight(graph.addEdge(s1, s1Count + s2), -gain);
      }
    }
    var flow =
        new CapacityScalingMinimumCostFlow<Integer, DefaultWeightedEdge>()
            .getMinimumCostFlow(
                new MinimumCostFlowProblem.MinimumCostFlowProblemImpl<>(
                    graph,
                    vertex -> vertex < s1Count ? target.extraPerS1() : -target.extraPerS2(),
                    edge -> 1));
    int[][] links = new int[s1Count][s2Count];
    flow.getFlowMap()
        .forEach(
            (edge, units) ->
                links[graph.getEdgeSource(edge)][graph.getEdgeTarget(edge) - s1Count] =
                    base + (int) Math.round(units));
    return StripingPlan.of(target, links);
  }
}
