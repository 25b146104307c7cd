package org.evenweave.wcmp.fitting;

import java.util.List;
import org.evenweave.wcmp.reduction.Ratio;

/** Groups that fit a table together, in the order in which they were given. Immutable. */
public final class FittedGroups {
  private final List<Frontier.Step> steps;
  private final List<int[]> weights;
  private final List<Ratio> capacityLost;
  private final long entries;

  /** One of each per group; groups that share entries have the same step. */
  FittedGroups(
      List<Frontier.Step> steps, List<int[]> weights, List<Ratio> capacityLost, long entries) {
    this.steps = steps;
    this.weights = weights;
    this.capacityLost = capacityLost;
    this.entries = entries;
  }

  /** Number of groups. */
  public int size() {
    return steps.size();
  }

  /** Table entries of each member port of a group; 0 only for a port that was dropped. */
  public int[] weights(int group) {
    return weights.get(group).clone();
  }

  /** Table entries of all groups together, those of groups that share them counted once. */
  public long entries() {
    return entries;
  }

  /** The maximum oversubscription of one group (Tewari 2015, Equation 3.2). */
  public Ratio oversubscription(int group) {
    return steps.get(group).oversubscription;
  }

  /** The largest maximum oversubscription of any group. */
  public Ratio oversubscription() {
    return steps.stream().map(step -> step.oversubscription).max(Ratio::compareTo).get();
  }

  /**
   * The objective: the largest demand times excess of the oversubscription over 1. Without demands,
   * {@link #oversubscription()} less 1.
   */
  public Ratio weightedExcess() {
    return steps.stream().map(step -> step.level).max(Ratio::compareTo).get();
  }

  /** The share of a group's capacity that is on dropped ports, from 0 to less than 1. */
  public Ratio capacityLost(int group) {
    return capacityLost.get(group);
  }
}
