package org.evenweave.striping.expansion;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.evenweave.striping.expansion.RewiringStep.Action;

/**
 * Puts moves of link ends within one stage into an order in which every port is free when a link is
 * to go there, and never more than one link is loose.
 *
 * <p>Idea: carry out any move whose target switch has a free port; that frees a port at its source,
 * which may enable another move. When none is left that can go, every switch that waits for a link
 * is full. As it will not end up with more links than ports, it also has a link that is to leave,
 * for another full switch. Following these moves from switch to switch closes a cycle. Unplug the
 * last link of the cycle, carry out its other moves backwards, each into the port that the one
 * before has freed, and plug the loose link into the last freed port.
 *
 * <p>Complexity: every move is carried out once; finding a cycle visits each switch at most once:
 * O(moves + cycles · switches).
 */
final class EndMoves {

  private static final class Move {
    final WiredLink before;
    final int to;
    boolean done;

    Move(WiredLink before, int to) {
      this.before = before;
      this.to = to;
    }
  }

  private final Stage stage;
  private final FreePorts ports;
  private final Consumer<RewiringStep> steps;
  private final List<Deque<Move>> arriving = new ArrayList<>();
  private final List<Deque<Move>> leaving = new ArrayList<>();

  /**
   * Starts with no moves.
   *
   * @param ports the stage's ports; kept up to date
   * @param steps takes the steps in order
   */
  EndMoves(Stage stage, int switches, FreePorts ports, Consumer<RewiringStep> steps) {
    this.stage = stage;
    this.ports = ports;
    this.steps = steps;
    for (int i = 0; i < switches; i++) {
      arriving.add(new ArrayDeque<>());
      leaving.add(new ArrayDeque<>());
    }
  }

  /** Asks for the stage's end of a link to move to another switch. */
  void add(WiredLink link, int toSwitch) {
    Move move = new Move(link, toSwitch);
    arriving.get(toSwitch).add(move);
    leaving.get(link.switchAt(stage)).add(move);
  }

  /** Emits the steps of all moves. No switch may end up with more links than ports. */
  void run() {
    for (int at = 0; at < arriving.size(); at++) {
      fill(at);
    }
    for (int at = 0; at < arriving.size(); at++) {
      while (firstPending(arriving.get(at)) != null) {
        carryOutCycle(cycleFrom(at));
      }
    }
  }

  /**
   * Carries out every move that a free port of the switch enables, directly or by the ports freed
   * on the way.
   */
  private void fill(int start) {
    Deque<Integer> enabled = new ArrayDeque<>();
    enabled.add(start);
    while (!enabled.isEmpty()) {
      int at = enabled.remove();
      Move move = ports.hasFree(at) ? firstPending(arriving.get(at)) : null;
      if (move != null) {
        RewiringStep step = moveOf(Action.MOVE, move, ports.take(at));
        release(move);
        steps.accept(step);
        enabled.add(at);
        enabled.add(move.before.switchAt(stage));
      }
    }
  }

  /**
   * Moves that lead from each switch to the next and back to the first; all those switches are
   * full.
   */
  private List<Move> cycleFrom(int start) {
    List<Move> path = new ArrayList<>();
    int[] pathLengthAt = new int[leaving.size()];
    Arrays.fill(pathLengthAt, -1);
    int at = start;
    while (pathLengthAt[at] < 0) {
      pathLengthAt[at] = path.size();
      Move move = firstPending(leaving.get(at));
      path.add(move);
      at = move.to;
    }
    return path.subList(pathLengthAt[at], path.size());
  }

  private void carryOutCycle(List<Move> cycle) {
    Move loose = cycle.get(cycle.size() - 1);
    int freedAtEnd = cycle.get(0).before.portAt(stage);
    steps.accept(moveOf(Action.UNPLUG, loose, freedAtEnd));
    release(loose);
    for (int i = cycle.size() - 2; i >= 0; i--) {
      Move move = cycle.get(i);
      steps.accept(moveOf(Action.MOVE, move, ports.take(move.to)));
      release(move);
    }
    steps.accept(moveOf(Action.PLUG, loose, ports.take(loose.to)));
  }

  private RewiringStep moveOf(Action action, Move move, int toPort) {
    return RewiringStep.moveOf(
        action, stage, move.before, move.before.withEnd(stage, move.to, toPort));
  }

  private void release(Move move) {
    move.done = true;
    ports.release(move.before.switchAt(stage), move.before.portAt(stage));
  }

  /** The first move not yet done, dropping those before it; null if there is none. */
  private static Move firstPending(Deque<Move> moves) {
    while (!moves.isEmpty() && moves.peek().done) {
      moves.remove();
    }
    return moves.peek();
  }
}
