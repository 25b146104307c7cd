package org.evenweave.striping.expansion;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * Plans the expansion of a wired fabric to a larger size with the fewest rewired links.
 *
 * <p>The new plan keeps as many links of the present wiring as any plan of the new size can; ties
 * go to the plan closest to a fresh one of the wanted kind. The steps are then in an order that can
 * be followed one by one: a port is free when a step uses it, links that stay keep their ports, and
 * at most one link is loose at a time.
 *
 * <p>Assumptions. Both stages stay at least as large as they are; the present switches keep their
 * numbers and the new ones follow. Any number of links per switch may change. An S1 switch has
 * ports 1 to N', an S2 switch 1 to D', and those in use beyond; the caller checks that the hardware
 * has them. The present wiring need not follow a plan, so that the same call restores an even
 * striping after ad-hoc changes.
 *
 * <p>What to expect in a fabric that follows a plan. New S1 switches with as many uplinks as the
 * others move no link: the old rows are p and p + 1 already, and the new rows alone can fill the S2
 * switches' new ports evenly. A new S2 switch takes D' links from others if no S1 switch gets more
 * uplinks; often that is all that moves.
 */
public final class Expansion {

  /**
   * Most entries of the new matrix: 512 by 512 switches, for which the optimum took 5 to 40 s of
   * one core. 256 by 256 took 0.2 to 2 s, 19 by 76 took 10 ms.
   */
  public static final int MAX_ENTRIES = 1 << 18;

  private final StripingPlan plan;
  private final Wiring wiring;
  private final List<RewiringStep> steps;
  private final int linksMoved;

  private Expansion(StripingPlan plan, Rewiring rewiring) {
    this.plan = plan;
    this.wiring = rewiring.after();
    this.steps = Collections.unmodifiableList(rewiring.steps());
    this.linksMoved = rewiring.releasedCount();
  }

  /**
   * Plans an expansion.
   *
   * @param present the fabric as it is wired
   * @param target the size to reach; see {@link ExpansionTarget}
   * @param kind the kind of striping to come close to
   * @throws IllegalArgumentException if the target has fewer switches in a stage than there are, or
   *     more than {@link #MAX_ENTRIES} pairs of an S1 and an S2 switch
   */
  public static Expansion plan(Wiring present, StripingParameters target, StripingKind kind) {
    requireNoFewer("s1", present.s1Count(), target.s1Count());
    requireNoFewer("s2", present.s2Count(), target.s2Count());
    if (target.s1Count() * target.s2Count() > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "s1 x s2: must be at most %d for an expansion, was %d x %d",
              MAX_ENTRIES,
              target.s1Count(),
              target.s2Count()));
    }
    StripingPlan plan = NearestPlan.of(target, present.linkCounts(), kind.plan(target));
    return new Expansion(plan, new Rewiring(present, plan));
  }

  private static void requireNoFewer(String field, int present, int target) {
    if (target < present) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: an expansion cannot go from %d switches to %d",
              field,
              present,
              target));
    }
  }

  /** The new plan. */
  public StripingPlan plan() {
    return plan;
  }

  /** The wiring after the last step. */
  public Wiring wiring() {
    return wiring;
  }

  /** What to do, in this order. Unmodifiable. */
  public List<RewiringStep> steps() {
    return steps;
  }

  /**
   * Present links that are taken from their place, moved or removed: Σ max(0, R − R') over all
   * pairs of switches, the least of all plans of the new size.
   */
  public int linksMoved() {
    return linksMoved;
  }
}
