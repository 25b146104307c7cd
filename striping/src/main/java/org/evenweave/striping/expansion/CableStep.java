package org.evenweave.striping.expansion;

/** One thing that a technician does to one cable. {@link #toString} is the instruction. */
public final class CableStep {

  /** What is done. */
  public enum Action {
    /** Take an old cable out; it has no {@link CableStep#after()}. */
    REMOVE,
    /** Plug one end of a cable from one port into another. */
    MOVE,
    /**
     * First half of a move: pull one end out and leave it loose, because its new port is still in
     * use.
     */
    UNPLUG,
    /** Second half of a move: plug the loose end in. */
    PLUG,
    /** Put a new cable in; it has no {@link CableStep#before()}. */
    ADD
  }

  private final Action action;
  private final Cable before;
  private final Cable after;
  private final Stage end;

  private CableStep(Action action, Cable before, Cable after, Stage end) {
    this.action = action;
    this.before = before;
    this.after = after;
    this.end = end;
  }

  static CableStep remove(Cable cable) {
    return new CableStep(Action.REMOVE, cable, null, null);
  }

  static CableStep add(Cable cable) {
    return new CableStep(Action.ADD, null, cable, null);
  }

  /** A move, or half of one, of the given end. */
  static CableStep moveOf(Action action, Stage end, Cable before, Cable after) {
    return new CableStep(action, before, after, end);
  }

  /** What is done. */
  public Action action() {
    return action;
  }

  /** The cable as it was wired; null for {@link Action#ADD}. */
  public Cable before() {
    return before;
  }

  /**
   * The cable as it will be wired, at {@link Action#UNPLUG} after the second half; null for {@link
   * Action#REMOVE}.
   */
  public Cable after() {
    return after;
  }

  /** The instruction, for instance {@code move s1-3 port 4 from s2-0 port 7 to s2-4 port 1}. */
  @Override
  public String toString() {
    switch (action) {
      case REMOVE:
        return String.format("remove %s from %s", Stage.S1.port(before), Stage.S2.port(before));
      case ADD:
        return String.format("add %s to %s", Stage.S1.port(after), Stage.S2.port(after));
      case MOVE:
        return String.format(
            "move %s from %s to %s", end.other().port(before), end.port(before), end.port(after));
      case UNPLUG:
        return String.format("unplug %s from %s", end.other().port(before), end.port(before));
      default:
        return String.format("plug %s into %s", end.other().port(after), end.port(after));
    }
  }
}
