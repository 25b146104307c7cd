package org.evenweave.striping.expansion;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The steps from a wiring to a plan, link by link.
 *
 * <p>Where two switches keep fewer links than they have, the links on the lowest S1 ports stay and
 * the others are released. A released link serves again where one of its switches misses a link to
 * another one, and then only one of its ends moves. A link for which no such place is left is
 * removed; a place for which no link is left gets a new one. Removals come first, then moves, then
 * additions, so that ports are free when they are needed; new ends go to the lowest free port.
 *
 * <p>If no S1 switch has more links than N', each misses at least as many links as it releases, so
 * moving S2 ends finds a place for every released link; likewise moving S1 ends if no S2 switch has
 * more links than D'. The kind of move that places them all goes first. If neither does, some links
 * may be removed that a cleverer choice could have moved; the number of links taken from their
 * place is the same.
 */
final class Rewiring {

  private final StripingParameters target;

  /** Links of the plan that no wired link realises yet. */
  private final int[][] missing;

  private final List<WiredLink> kept = new ArrayList<>();
  private final List<WiredLink> released = new ArrayList<>();
  private final List<RewiringStep> steps = new ArrayList<>();

  /**
   * Works out the steps.
   *
   * @param before has at most as many switches in each stage as the plan
   */
  Rewiring(Wiring before, StripingPlan plan) {
    target = plan.parameters();
    missing = plan.matrix();
    for (WiredLink link : before.links()) {
      if (missing[link.s1()][link.s2()] > 0) {
        missing[link.s1()][link.s2()]--;
        kept.add(link);
      } else {
        released.add(link);
      }
    }

    FreePorts s1Ports = new FreePorts(Stage.S1, before, target.s1Count(), target.uplinks());
    FreePorts s2Ports = new FreePorts(Stage.S2, before, target.s2Count(), target.downlinks());
    EndMoves s1Moves = new EndMoves(Stage.S1, target.s1Count(), s1Ports, steps::add);
    EndMoves s2Moves = new EndMoves(Stage.S2, target.s2Count(), s2Ports, steps::add);
    List<WiredLink> unplaced;
    if (mostLinks(before) <= target.uplinks()) {
      unplaced = place(place(released, Stage.S2, s2Moves), Stage.S1, s1Moves);
    } else {
      unplaced = place(place(released, Stage.S1, s1Moves), Stage.S2, s2Moves);
    }
    for (WiredLink link : unplaced) {
      s1Ports.release(link.s1(), link.s1Port());
      s2Ports.release(link.s2(), link.s2Port());
      steps.add(RewiringStep.remove(link));
    }
    s2Moves.run();
    s1Moves.run();
    addMissing(s1Ports, s2Ports);
  }

  /** Links of the S1 switch that has the most. */
  private static int mostLinks(Wiring wiring) {
    int[] counts = new int[wiring.s1Count()];
    int most = 0;
    for (WiredLink link : wiring.links()) {
      most = Math.max(most, ++counts[link.s1()]);
    }
    return most;
  }

  /** Finds places for links by moving the given end of each, and returns those that have none. */
  private List<WiredLink> place(List<WiredLink> links, Stage end, EndMoves moves) {
    List<WiredLink> unplaced = new ArrayList<>();
    int candidates = end == Stage.S2 ? target.s2Count() : target.s1Count();
    // Missing links only get fewer, so the search for a switch's next place need not start over.
    int[] next = new int[end == Stage.S2 ? target.s1Count() : target.s2Count()];
    for (WiredLink link : links) {
      int fixed = link.switchAt(end.other());
      while (next[fixed] < candidates && missingAt(link, end, next[fixed]) == 0) {
        next[fixed]++;
      }
      if (next[fixed] == candidates) {
        unplaced.add(link);
      } else {
        int to = next[fixed];
        missing[end == Stage.S2 ? link.s1() : to][end == Stage.S2 ? to : link.s2()]--;
        moves.add(link, to);
      }
    }
    return unplaced;
  }

  /**
   * Links that are missing between the link's fixed switch and another switch at the moving end.
   */
  private int missingAt(WiredLink link, Stage end, int to) {
    return end == Stage.S2 ? missing[link.s1()][to] : missing[to][link.s2()];
  }

  private void addMissing(FreePorts s1Ports, FreePorts s2Ports) {
    for (int s1 = 0; s1 < missing.length; s1++) {
      for (int s2 = 0; s2 < missing[s1].length; s2++) {
        for (int link = 0; link < missing[s1][s2]; link++) {
          steps.add(RewiringStep.add(new WiredLink(s1, s1Ports.take(s1), s2, s2Ports.take(s2))));
        }
      }
    }
  }

  /** The steps in order. */
  List<RewiringStep> steps() {
    return steps;
  }

  /** Number of links that are taken from their place: moved or removed. */
  int releasedCount() {
    return released.size();
  }

  /** The wiring after the last step. */
  Wiring after() {
    List<WiredLink> links = new ArrayList<>(kept);
    for (RewiringStep step : steps) {
      if (step.action() != RewiringStep.Action.REMOVE
          && step.action() != RewiringStep.Action.UNPLUG) {
        links.add(step.after());
      }
    }
    return Wiring.of(target.s1Count(), target.s2Count(), links);
  }
}
