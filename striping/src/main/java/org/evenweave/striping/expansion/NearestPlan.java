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
 * with a preferred plan is taken: a cost of 1 for each p' + 1 of the preferred plan that is
 * dropped, against a gain of L'K' + 1 for each link kept, so that no number of common entries makes
 * up for a link.
 *
 * <p>The flow is expressed as a change of the preferred plan, which is usually close to the
 * optimum: a unit from i to k where that has p' makes it p' + 1, a unit from k to i where it has p'
 * + 1 makes it p'. A circulation of such units keeps all row and column sums. Only the arcs that
 * keep a link have a negative cost, so the solver starts with those and has a shortest path to find
 * for each.
 *
 * <p>Complexity: at most one shortest path, in a graph of L'K' arcs, for each link that is wired
 * but not in the preferred plan.
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
        double gain = keepsLink ? keptLinkGain : 0;
        if (preferred.links(s1, s2) == base) {
          graph.setEdgeWeight(graph.addEdge(s1, s1Count + s2), -gain);
        } else {
          graph.setEdgeWeight(graph.addEdge(s1Count + s2, s1), gain + 1);
        }
      }
    }
    var flow =
        new CapacityScalingMinimumCostFlow<Integer, DefaultWeightedEdge>()
            .getMinimumCostFlow(
                new MinimumCostFlowProblem.MinimumCostFlowProblemImpl<>(
                    graph, vertex -> 0, arc -> 1));
    int[][] links = preferred.matrix();
    flow.getFlowMap()
        .forEach(
            (arc, units) -> {
              int from = graph.getEdgeSource(arc);
              int to = graph.getEdgeTarget(arc);
              int change = (int) Math.round(units);
              if (from < s1Count) {
                links[from][to - s1Count] += change;
              } else {
                links[to][from - s1Count] -= change;
              }
            });
    return StripingPlan.of(target, links);
  }
}
