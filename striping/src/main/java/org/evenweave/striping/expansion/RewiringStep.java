package org.evenweave.striping.expansion;

import java.util.Locale;

/** One change of one link. {@link #toString} is the instruction to the technician. */
public final class RewiringStep {

  /** What is done. */
  public enum Action {
    /** Take an old link out; it has no {@link RewiringStep#after()}. */
    REMOVE,
    /** Plug one end of a link from one port into another. */
    MOVE,
    /**
     * First half of a move: pull one end out and leave it loose, because its new port is still in
     * use.
     */
    UNPLUG,
    /** Second half of a move: plug the loose end in. */
    PLUG,
    /** Put a new link in. */
    ADD
  }

  private final Action action;
  private final WiredLink before;
  private final WiredLink after;
  private final Stage end;

  private RewiringStep(Action action, WiredLink before, WiredLink after, Stage end) {
    this.action = action;
    this.before = before;
    this.after = after;
    this.end = end;
  }

  static RewiringStep remove(WiredLink link) {
    return new RewiringStep(Action.REMOVE, link, null, null);
  }

  static RewiringStep add(WiredLink link) {
    return new RewiringStep(Action.ADD, null, link, null);
  }

  /** A move, or half of one, of the given end. */
  static RewiringStep moveOf(Action action, Stage end, WiredLink before, WiredLink after) {
    return new RewiringStep(action, before, after, end);
  }

  /** What is done. */
  public Action action() {
    return action;
  }

  /**
   * The link as it will be wired, at {@link Action#UNPLUG} after the second half; null for {@link
   * Action#REMOVE}.
   */
  public WiredLink after() {
    return after;
  }

  /** The instruction, for instance {@code move s1-3 port 4 from s2-0 port 7 to s2-4 port 1}. */
  @Override
  public String toString() {
    switch (action) {
      case REMOVE:
        return String.format(
            Locale.ROOT, "remove %s from %s", Stage.S1.port(before), Stage.S2.port(before));
      case ADD:
        return String.format(
            Locale.ROOT, "add %s to %s", Stage.S1.port(after), Stage.S2.port(after));
      case MOVE:
        return String.format(
            Locale.ROOT,
            "move %s from %s to %s",
            end.other().port(before),
            end.port(before),
            end.port(after));
      case UNPLUG:
        return String.format(
            Locale.ROOT, "unplug %s from %s", end.other().port(before), end.port(before));
      default:
        return String.format(
            Locale.ROOT, "plug %s into %s", end.other().port(after), end.port(after));
    }
  }
}
