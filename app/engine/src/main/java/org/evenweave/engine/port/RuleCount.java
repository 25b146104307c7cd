package org.evenweave.engine.port;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** What the rule that routes a prefix has counted in its switch. Immutable. */
public final class RuleCount {
  private final Ipv4Prefix prefix;
  private final long bytes;
  private final long ageNanos;

  /**
   * @param bytes that matched the rule since it was installed, an unsigned counter that wraps
   *     around
   * @param ageNanos how long ago the rule was installed, by the switch's clock
   */
  public RuleCount(Ipv4Prefix prefix, long bytes, long ageNanos) {
    this.prefix = prefix;
    this.bytes = bytes;
    this.ageNanos = ageNanos;
  }

  public Ipv4Prefix prefix() {
    return prefix;
  }

  public long bytes() {
    return bytes;
  }

  public long ageNanos() {
    return ageNanos;
  }
}
