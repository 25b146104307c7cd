package org.evenweave.traffic;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * The linear program of least maximum link utilisation (MLU): how much of the traffic to each
 * destination goes over each edge.
 *
 * <pre>
 *   minimise u
 *   out of s - into s, of the traffic to d  =  what s sends to d      for every s other than d
 *   all traffic over e                     &lt;=  u * capacity of e     for every edge e
 *   the edge e at s, of the traffic to d   &lt;=  limit * out of s           where e has a limit
 * </pre>
 *
 * <p>Summed over sources, flows to one destination are exactly what destination-based forwarding
 * can do: each switch splits all traffic to d in one ratio, whatever its source.
 *
 * <p><b>On demand.</b> There is a variable for every destination and edge that it may use, but most
 * edges are useless for most destinations. So the program starts with a few, and an edge joins only
 * when it could help: when, by the duals (what a bit costs at each switch, on each edge, and under
 * each limit), going over it is cheaper than what its first switch pays now. When no edge is, the
 * optimum over all usable edges is reached, for that is what dual feasibility means. In the same
 * way a limit becomes a row, or a bound, only when a solution passes it.
 *
 * <p>Demands are in a unit in which WCMP has an MLU near 1, so that the solver's absolute
 * tolerances are relative ones. Not thread-safe; {@link #close} frees native memory.
 */
final class FlowProgram implements AutoCloseable {
  private final Links links;
  private final List<Target> targets;
  private final double unitBps;
  private final LinearProgram program = new LinearProgram("least utilisation");
  private final MPVariable utilisation;
  private final MPConstraint[] load;
  private final MPConstraint[][] balance;
  private final MPVariable[][] flow;
  private final double[][] shareLimit;
  private final List<ShareRow> shareRows = new ArrayList<>();
  private final boolean[][] isLimited;

  /** The row that keeps an edge's share within its limit. */
  private static final class ShareRow {
    final int target;
    final int edge;
    final MPConstraint row;

    ShareRow(int target, int edge, MPConstraint row) {
      this.target = target;
      this.edge = edge;
      this.row = row;
    }
  }

  /** The edges that may be used for a destination. */
  interface Usable {
    boolean test(int target, int edge);
  }

  /** An optimal solution. */
  static final class Solution {
    /** The least maximum link utilisation, of all demands in bps. */
    final double utilisation;

    /** By target and edge, in bps. */
    final double[][] flowBps;

    Solution(double utilisation, double[][] flowBps) {
      this.utilisation = utilisation;
      this.flowBps = flowBps;
    }
  }

  /**
   * @param wcmpUtilisation the MLU that WCMP has; it sets the unit
   * @param start some edges that leave each switch a path within the limits
   * @param shareLimit by target and edge; 1 or more is no limit
   */
  FlowProgram(
      Links links,
      List<Target> targets,
      double wcmpUtilisation,
      Usable start,
      double[][] shareLimit) {
    this.links = links;
    this.targets = targets;
    this.shareLimit = shareLimit;
    unitBps = wcmpUtilisation * mean(links.capacityBps);
    utilisation = program.variable(0, LinearProgram.INFINITY);
    load = new MPConstraint[links.count];
    for (int edge = 0; edge < links.count; edge++) {
      load[edge] = program.row(-LinearProgram.INFINITY, 0);
      load[edge].setCoefficient(utilisation, -links.capacityBps[edge] / mean(links.capacityBps));
    }
    isLimited = new boolean[targets.size()][links.nodes];
    balance = new MPConstraint[targets.size()][links.nodes];
    flow = new MPVariable[targets.size()][links.count];
    for (int t = 0; t < targets.size(); t++) {
      Target target = targets.get(t);
      for (int s = 0; s < links.nodes; s++) {
        if (target.wcmp.hops(s) > 0) {
          double demand = target.demandBps[s] / unitBps;
          balance[t][s] = program.row(demand, demand);
        }
      }
      for (int edge = 0; edge < links.count; edge++) {
        if (start.test(t, edge)) {
          addColumn(t, edge);
        }
      }
    }
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private void addColumn(int t, int edge) {
    flow[t][edge] = program.variable(0, LinearProgram.INFINITY);
    load[edge].setCoefficient(flow[t][edge], 1);
    balance[t][links.from[edge]].setCoefficient(flow[t][edge], 1);
    if (balance[t][links.to[edge]] != null) {
      balance[t][links.to[edge]].setCoefficient(flow[t][edge], -1);
    }
    for (ShareRow limited : shareRows) {
      if (limited.target == t && links.from[limited.edge] == links.from[edge]) {
        limited.row.setCoefficient(flow[t][edge], -shareLimit[t][limited.edge]);
      }
    }
  }

  /**
   * The optimum over the edges that are usable and within the share limits, and of all optima one
   * of least total load, so that no traffic takes a detour that does not help.
   *
   * @param usable the edges that may join those of the start
   */
  Solution solve(Usable usable) {
    setCosts(1, 0);
    solveOnDemand(usable, 0);
    double least = utilisation.solutionValue();
    utilisation.setUb(least * (1 + LinearProgram.TOLERANCE));
    setCosts(0, 1);
    double[][] flowBps = solveOnDemand(usable, 1);
    for (double[] ofTarget : flowBps) {
      for (int edge = 0; edge < links.count; edge++) {
        ofTarget[edge] *= unitBps;
      }
    }
    return new Solution(least * unitBps / mean(links.capacityBps), flowBps);
  }

  private void setCosts(double ofUtilisation, double ofLoad) {
    program.setCost(utilisation, ofUtilisation);
    for (MPVariable[] ofTarget : flow) {
      for (MPVariable variable : ofTarget) {
        if (variable != null) {
          program.setCost(variable, ofLoad);
        }
      }
    }
  }

  /** The flows of the solution, in the program's unit. */
  private double[][] solveOnDemand(Usable usable, double costOfLoad) {
    while (true) {
      program.minimise();
      double[][] solution = flows();
      if (!addColumns(usable, costOfLoad) && !addLimits(solution, usable)) {
        return solution;
      }
    }
  }

  private boolean addColumns(Usable usable, double costOfLoad) {
    // All savings first: the solver forgets its duals when something is added.
    double[][] saving = savings(costOfLoad);
    boolean added = false;
    for (int t = 0; t < targets.size(); t++) {
      for (int edge = 0; edge < links.count; edge++) {
        if (flow[t][edge] == null
            && saving[t][edge] > LinearProgram.TOLERANCE
            && usable.test(t, edge)) {
          addColumn(t, edge);
          program.setCost(flow[t][edge], costOfLoad);
          added = true;
        }
      }
    }
    return added;
  }

  private double[][] flows() {
    double[][] values = new double[targets.size()][links.count];
    for (int t = 0; t < targets.size(); t++) {
      for (int edge = 0; edge < links.count; edge++) {
        values[t][edge] = flow[t][edge] == null ? 0 : Math.max(0, flow[t][edge].solutionValue());
      }
    }
    return values;
  }

  /** What a unit of flow would save over each edge, by the duals. */
  private double[][] savings(double costOfLoad) {
    double[] costOfEdge = new double[links.count];
    for (int edge = 0; edge < links.count; edge++) {
      costOfEdge[edge] = costOfLoad - load[edge].dualValue();
    }
    double[][] saving = new double[targets.size()][links.count];
    for (int t = 0; t < targets.size(); t++) {
      double[] costAt = new double[links.nodes];
      for (int s = 0; s < links.nodes; s++) {
        costAt[s] = balance[t][s] == null ? 0 : balance[t][s].dualValue();
      }
      for (int edge = 0; edge < links.count; edge++) {
        saving[t][edge] = costAt[links.from[edge]] - costOfEdge[edge] - costAt[links.to[edge]];
      }
    }
    for (ShareRow limited : shareRows) {
      // More flow out of a switch makes room under the limits of its edges.
      double worth = -limited.row.dualValue() * shareLimit[limited.target][limited.edge];
      for (int edge : links.out[links.from[limited.edge]]) {
        saving[limited.target][edge] += worth;
      }
    }
    return saving;
  }

  /** Adds all limits of the switches where a solution passes one, once for each switch. */
  private boolean addLimits(double[][] solution, Usable usable) {
    boolean added = false;
    for (int t = 0; t < targets.size(); t++) {
      for (int s = 0; s < links.nodes; s++) {
        if (!isLimited[t][s] && passesALimit(t, s, solution[t])) {
          isLimited[t][s] = true;
          boolean hasInflow = hasInflow(t, s, usable);
          for (int edge : links.out[s]) {
            double limit = shareLimit[t][edge];
            if (limit < 1 && hasInflow) {
              addShareRow(t, edge);
            } else if (limit < 1) {
              flow[t][edge].setUb(limit * targets.get(t).demandBps[s] / unitBps);
            }
          }
          added = true;
        }
      }
    }
    return added;
  }

  private boolean passesALimit(int t, int s, double[] solution) {
    double outflow = 0;
    for (int edge : links.out[s]) {
      outflow += solution[edge];
    }
    for (int edge : links.out[s]) {
      double excess = solution[edge] - shareLimit[t][edge] * outflow;
      if (shareLimit[t][edge] < 1 && excess > LinearProgram.TOLERANCE) {
        return true;
      }
    }
    return false;
  }

  /** If not, all that leaves the switch is its own demand, and a limit is a bound on a variable. */
  private boolean hasInflow(int t, int s, Usable usable) {
    for (int back : links.out[s]) {
      if (usable.test(t, links.reverse[back])) {
        return true;
      }
    }
    return false;
  }

  private void addShareRow(int t, int edge) {
    double limit = shareLimit[t][edge];
    MPConstraint row = program.row(-LinearProgram.INFINITY, 0);
    for (int other : links.out[links.from[edge]]) {
      if (flow[t][other] != null) {
        row.setCoefficient(flow[t][other], other == edge ? 1 - limit : -limit);
      }
    }
    shareRows.add(new ShareRow(t, edge, row));
  }

  @Override
  public void close() {
    program.close();
  }
}
