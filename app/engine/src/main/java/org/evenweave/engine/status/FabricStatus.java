package org.evenweave.engine.status;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The state of the fabric, with the reasons why it is not as configured. Immutable. */
public final class FabricStatus {
  /** What it comes to. */
  public enum State {
    /** All that is configured is there, and every switch has confirmed its changes. */
    CONVERGED,
    /** Something is being found out or changed; it ends without anyone's doing. */
    CONVERGING,
    /** Something configured is missing, or a switch refuses what is wanted of it. */
    DEGRADED;

    /** As REST shows it: {@code converged}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** So many reasons are named; the others are counted. */
  static final int MOST_REASONS = 10;

  private final State state;
  private final boolean confirmed;
  private final List<String> reasons;
  private final int moreReasons;
  private final int missingSwitches;
  private final int missingLinks;

  private FabricStatus(
      State state,
      boolean confirmed,
      List<String> reasons,
      int moreReasons,
      int missingSwitches,
      int missingLinks) {
    this.state = state;
    this.confirmed = confirmed;
    this.reasons = Collections.unmodifiableList(reasons);
    this.moreReasons = moreReasons;
    this.missingSwitches = missingSwitches;
    this.missingLinks = missingLinks;
  }

  /**
   * @param problems why the switches do not hold what is wanted, where that does not pass by itself
   * @param pending what is in progress
   * @param outside what is wrong with links and ports that are there, and outside forwarding, which
   *     goes on without it
   */
  static FabricStatus of(
      List<String> problems, List<String> pending, MissingParts missing, List<String> outside) {
    List<String> all = new ArrayList<>(problems);
    all.addAll(pending);
    all.addAll(missing.reasons());
    all.addAll(outside);
    int absent = missing.count() + outside.size();
    int count = problems.size() + pending.size() + absent;
    List<String> named = new ArrayList<>(all.subList(0, Math.min(all.size(), MOST_REASONS)));
    boolean degraded = !problems.isEmpty() || (pending.isEmpty() && absent > 0);
    State unconfirmed = pending.isEmpty() ? State.CONVERGED : State.CONVERGING;
    return new FabricStatus(
        degraded ? State.DEGRADED : unconfirmed,
        problems.isEmpty() && pending.isEmpty(),
        named,
        count - named.size(),
        missing.switches(),
        missing.links());
  }

  /** The same while something more is in progress. */
  public FabricStatus during(String change) {
    State newState = state == State.DEGRADED && !confirmed ? state : State.CONVERGING;
    return unconfirmed(newState, List.of(change));
  }

  /**
   * The same while the controller itself is stalled: nothing of it need be true any more.
   *
   * @param stalled a sentence on each part of the controller that does
   */
  public FabricStatus stalled(List<String> stalled) {
    return unconfirmed(State.DEGRADED, stalled);
  }

  private FabricStatus unconfirmed(State newState, List<String> firstReasons) {
    List<String> all = new ArrayList<>(firstReasons);
    reasons.stream().filter(reason -> !firstReasons.contains(reason)).forEach(all::add);
    List<String> named = new ArrayList<>(all.subList(0, Math.min(all.size(), MOST_REASONS)));
    int more = moreReasons + all.size() - named.size();
    return new FabricStatus(newState, false, named, more, missingSwitches, missingLinks);
  }

  public State state() {
    return state;
  }

  /** Whether every connected switch has confirmed all that is wanted of it now. */
  public boolean confirmed() {
    return confirmed;
  }

  /** Why the state is not {@link State#CONVERGED}; the first few. */
  public List<String> reasons() {
    return reasons;
  }

  /** How many reasons there are besides. */
  public int moreReasons() {
    return moreReasons;
  }

  /** Configured switches, not excluded, that are not connected. */
  public int missingSwitches() {
    return missingSwitches;
  }

  /**
   * Links between connected switches, configured, damped or avoided, not excluded, that carry
   * nothing.
   */
  public int missingLinks() {
    return missingLinks;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof FabricStatus)) {
      return false;
    }
    FabricStatus that = (FabricStatus) other;
    return state == that.state
        && confirmed == that.confirmed
        && reasons.equals(that.reasons)
        && moreReasons == that.moreReasons
        && missingSwitches == that.missingSwitches
        && missingLinks == that.missingLinks;
  }

  @Override
  public int hashCode() {
    return Objects.hash(state, confirmed, reasons, moreReasons);
  }

  /** As in {@code degraded: s1-0 is not connected; and 3 more}. */
  @Override
  public String toString() {
    String text = state.text();
    text += reasons.isEmpty() ? "" : ": " + String.join("; ", reasons);
    return moreReasons == 0 ? text : text + "; and " + moreReasons + " more";
  }
}
