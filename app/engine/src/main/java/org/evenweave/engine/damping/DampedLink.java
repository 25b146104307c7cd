package org.evenweave.engine.damping;

import org.evenweave.wcmp.fabric.SwitchPort;

/** A link that is damped, as of its last failure. Immutable. */
public final class DampedLink {
  private final SwitchPort a;
  private final SwitchPort b;
  private final int failures;
  private final long releaseAtNanos;

  DampedLink(SwitchPort a, SwitchPort b, int failures, long releaseAtNanos) {
    this.a = a;
    this.b = b;
    this.failures = failures;
    this.releaseAtNanos = releaseAtNanos;
  }

  /** As in {@code s1-0/1-s2-0/1}. */
  public String link() {
    return a + "-" + b;
  }

  /** Whether a port is one of its two ends. */
  public boolean hasEnd(SwitchPort end) {
    return end.equals(a) || end.equals(b);
  }

  /** How often it failed since it was last without penalty. */
  public int failures() {
    return failures;
  }

  /** When it is released, by the engine's clock, if it does not fail again. */
  long releaseAtNanos() {
    return releaseAtNanos;
  }

  /** The same link after another failure, or under another configuration. */
  DampedLink with(int newFailures, long newReleaseAtNanos) {
    return new DampedLink(a, b, newFailures, newReleaseAtNanos);
  }
}
