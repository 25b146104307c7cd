package org.evenweave.sdd.trigger;

import java.util.Locale;
import org.evenweave.sdd.session.TriggerEvent;

/** One trigger at one host, for display. Immutable. */
public final class TriggerState {
  private final int host;
  private final String state;
  private final String problem;
  private final boolean inForce;
  private final long fired;
  private final TriggerEvent last;

  TriggerState(Watch watch) {
    host = watch.host();
    state = watch.state().name().toLowerCase(Locale.ROOT);
    problem = watch.problem();
    inForce = watch.inForce();
    fired = watch.firedCount();
    last = watch.last();
  }

  /** The host's number. */
  public int host() {
    return host;
  }

  /** {@code watched}, {@code asked}, {@code away} or {@code refused}. */
  public String state() {
    return state;
  }

  /** Why the host refused it; empty if it did not. */
  public String problem() {
    return problem;
  }

  /** Whether it fired, and has not ended. */
  public boolean inForce() {
    return inForce;
  }

  /** How often it fired here. */
  public long fired() {
    return fired;
  }

  /** The event with which it fired last, or null. */
  public TriggerEvent last() {
    return last;
  }
}
