package org.evenweave.engine.config;

import java.util.Objects;

/**
 * How links that fail often are damped, as by RFC 2439: each failure adds {@link #PENALTY} to a
 * link's penalty, which decays by half in every half-life. At {@code suppress} the link is damped,
 * and at {@code reuse} it is released. Immutable.
 */
public final class DampingConfig {
  /** What a failure adds. */
  public static final int PENALTY = 1000;

  /**
   * Damps a link that fails for the third time within 7 s or so: a failure and its repair are never
   * slowed, nor are two of them. After a last failure a link is released within a minute.
   */
  public static final DampingConfig DEFAULT = new DampingConfig(true, 10, 2000, 1000, 60);

  private final boolean enabled;
  private final int halfLifeSeconds;
  private final int suppress;
  private final int reuse;
  private final int maxHoldDownSeconds;

  /**
   * @param suppress more than {@code reuse}
   * @param maxHoldDownSeconds how long a link is damped at most after its last failure; long enough
   *     for a penalty of {@code suppress}
   * @throws IllegalArgumentException if a value is not positive, or the values do not fit together
   */
  public DampingConfig(
      boolean enabled, int halfLifeSeconds, int suppress, int reuse, int maxHoldDownSeconds) {
    if (Math.min(Math.min(halfLifeSeconds, reuse), maxHoldDownSeconds) < 1) {
      throw new IllegalArgumentException("its numbers must be at least 1");
    }
    if (suppress <= reuse) {
      throw new IllegalArgumentException("suppress must be greater than reuse, " + reuse);
    }
    this.enabled = enabled;
    this.halfLifeSeconds = halfLifeSeconds;
    this.suppress = suppress;
    this.reuse = reuse;
    this.maxHoldDownSeconds = maxHoldDownSeconds;
    if (maxPenalty() < suppress) {
      throw new IllegalArgumentException(
          "no penalty can reach suppress: after maxHoldDownSeconds, "
              + maxHoldDownSeconds
              + ", even "
              + (long) maxPenalty()
              + " has decayed to reuse");
    }
  }

  /** Whether any link is damped. */
  public boolean enabled() {
    return enabled;
  }

  /** In which a penalty decays by half. */
  public int halfLifeSeconds() {
    return halfLifeSeconds;
  }

  /** The penalty at which a link is damped. */
  public int suppress() {
    return suppress;
  }

  /** The penalty at which a link is released. */
  public int reuse() {
    return reuse;
  }

  /** How long a link is damped at most after its last failure. */
  public int maxHoldDownSeconds() {
    return maxHoldDownSeconds;
  }

  /** The greatest penalty, from which {@link #reuse} is reached in {@link #maxHoldDownSeconds}. */
  public double maxPenalty() {
    return reuse * Math.pow(2, (double) maxHoldDownSeconds / halfLifeSeconds);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DampingConfig
        && ((DampingConfig) other).enabled == enabled
        && ((DampingConfig) other).halfLifeSeconds == halfLifeSeconds
        && ((DampingConfig) other).suppress == suppress
        && ((DampingConfig) other).reuse == reuse
        && ((DampingConfig) other).maxHoldDownSeconds == maxHoldDownSeconds;
  }

  @Override
  public int hashCode() {
    return Objects.hash(enabled, halfLifeSeconds, suppress, reuse, maxHoldDownSeconds);
  }
}
