package org.evenweave.striping.expansion;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The steps from a wiring to a plan, cable by cable.
 *
 * <p>Where two switches keep fewer links than they have, the cables on the lowest S1 ports stay and
 * the others are released. A released cable serves again where one of its switches misses a link to
 * another one, and then only one of its ends moves. A cable for which no such place is left is
 * removed; a place for which no cable is left gets a new one. Removals come first, then moves, then
 * additions, so that ports are free when they are needed; new ends go to the lowest free port.
 *
 * <p>If no S1 switch has more cables than N', each misses at least as many links as it releases, so
 * moving S2 ends finds a place for every released cable; likewise moving S1 ends if no S2 switch
 * has more cables than D'. The kind of move that places them all goes first. If neither does, some
 * cables may be removed that a cleverer choice could have moved; the number of cables taken from
 * their place is the same.
 */
final class Rewiring {

  private final StripingParameters target;

  /** Links that the plan has and no cable realises yet. */
  private final int[][] missing;

  private final List<Cable> kept = new ArrayList<>();
  private final List<Cable> released = new ArrayList<>();
  private final List<CableStep> steps = new ArrayList<>();

  /**
   * Works out the steps.
   *
   * @param before has at most as many switches in each stage as the plan
   */
  Rewiring(Wiring before, StripingPlan plan) {
    target = plan.parameters();
    missing = plan.matrix();
    for (Cable cable : before.cables()) {
      if (missing[cable.s1()][cable.s2()] > 0) {
        missing[cable.s1()][cable.s2()]--;
        kept.add(cable);
      } else {
        released.add(cable);
      }
    }

    FreePorts s1Ports = new FreePorts(Stage.S1, before, target.s1Count(), target.uplinks());
    FreePorts s2Ports = new FreePorts(Stage.S2, before, target.s2Count(), target.downlinks());
    EndMoves s1Moves = new EndMoves(Stage.S1, target.s1Count(), s1Ports, steps::add);
    EndMoves s2Moves = new EndMoves(Stage.S2, target.s2Count(), s2Ports, steps::add);
    List<Cable> unplaced;
    if (mostCables(before) <= target.uplinks()) {
      unplaced = place(place(released, Stage.S2, s2Moves), Stage.S1, s1Moves);
    } else {
      unplaced = place(place(released, Stage.S1, s1Moves), Stage.S2, s2Moves);
    }
    for (Cable cable : unplaced) {
      s1Ports.release(cable.s1(), cable.s1Port());
      s2Ports.release(cable.s2(), cable.s2Port());
      steps.add(CableStep.remove(cable));
    }
    s2Moves.run();
    s1Moves.run();
    addMissing(s1Ports, s2Ports);
  }

  /** Cables of the S1 switch that has the most. */
  private static int mostCables(Wiring wiring) {
    int[] counts = new int[wiring.s1Count()];
    int most = 0;
    for (Cable cable : wiring.cables()) {
      most = Math.max(most, ++counts[cable.s1()]);
    }
    return most;
  }

  /** Finds places for cables by moving the given end of each, and returns those that have none. */
  private List<Cable> place(List<Cable> cables, Stage end, EndMoves moves) {
    List<Cable> unplaced = new ArrayList<>();
    int candidates = end == Stage.S2 ? target.s2Count() : target.s1Count();
    // Missing links only get fewer, so the search for a switch's next place need not start over.
    int[] next = new int[end == Stage.S2 ? target.s1Count() : target.s2Count()];
    for (Cable cable : cables) {
      int fixed = cable.switchAt(end.other());
      while (next[fixed] < candidates && missingAt(cable, end, next[fixed]) == 0) {
        next[fixed]++;
      }
      if (next[fixed] == candidates) {
        unplaced.add(cable);
      } else {
        int to = next[fixed];
        missing[end == Stage.S2 ? cable.s1() : to][end == Stage.S2 ? to : cable.s2()]--;
        moves.add(cable, to);
      }
    }
    return unplaced;
  }

  /**
   * Links that are missing between the cable's fixed switch and another switch at the moving end.
   */
  private int missingAt(Cable cable, Stage end, int to) {
    return end == Stage.S2 ? missing[cable.s1()][to] : missing[to][cable.s2()];
  }

  private void addMissing(FreePorts s1Ports, FreePorts s2Ports) {
    for (int s1 = 0; s1 < missing.length; s1++) {
      for (int s2 = 0; s2 < missing[s1].length; s2++) {
        for (int link = 0; link < missing[s1][s2]; link++) {
          steps.add(CableStep.add(new Cable(s1, s1Ports.take(s1), s2, s2Ports.take(s2))));
        }
      }
    }
  }

  /** The steps in order. */
  List<CableStep> steps() {
    return steps;
  }

  /** Number of cables that are taken from their place: moved or removed. */
  int releasedCount() {
    return released.size();
  }

  /** The wiring after the last step. */
  Wiring after() {
    List<Cable> cables = new ArrayList<>(kept);
    for (CableStep step : steps) {
      if (step.action() != CableStep.Action.REMOVE && step.action() != CableStep.Action.UNPLUG) {
        cables.add(step.after());
      }
    }
    return Wiring.of(target.s1Count(), target.s2Count(), cables);
  }
}
