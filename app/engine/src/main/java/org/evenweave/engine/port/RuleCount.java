package org.evenweave.engine.port;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** What a rule that routes a prefix or a pair of prefixes has counted in its switch. Immutable. */
public final class RuleCount {
  private final Ipv4Prefix source;
  private final Ipv4Prefix prefix;
  private final long bytes;
  private final long ageNanos;

  /** Of a rule for packets from anywhere. */
  public RuleCount(Ipv4Prefix prefix, long bytes, long ageNanos) {
    this(null, prefix, bytes, ageNanos);
  }

  /**
   * @param source that the rule matches beside the prefix, or null
   * @param bytes that matched the rule since it was installed, an unsigned counter that wraps
   *     around
   * @param ageNanos how long ago the rule was installed, by the switch's clock
   */
  public RuleCount(Ipv4Prefix source, Ipv4Prefix prefix, long bytes, long ageNanos) {
    this.source = source;
    this.prefix = prefix;
    this.bytes = bytes;
    this.ageNanos = ageNanos;
  }

  /** The source that the rule matches too; null of a rule for packets from anywhere. */
  public Ipv4Prefix source() {
    return source;
  }

  /** The destination. */
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
