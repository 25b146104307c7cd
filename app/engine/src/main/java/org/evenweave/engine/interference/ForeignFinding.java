package org.evenweave.engine.interference;

import java.util.List;
import java.util.Objects;
import org.evenweave.engine.foreign.ForeignRule;

/** A foreign rule and its effect on the fabric's traffic. Immutable. */
public final class ForeignFinding {
  private final String switchId;
  private final ForeignRule rule;
  private final String owner;
  private final Effect effect;
  private final List<String> traffic;

  ForeignFinding(
      String switchId, ForeignRule rule, String owner, Effect effect, List<String> traffic) {
    this.switchId = switchId;
    this.rule = rule;
    this.owner = owner;
    this.effect = effect;
    this.traffic = List.copyOf(traffic);
  }

  public String switchId() {
    return switchId;
  }

  public ForeignRule rule() {
    return rule;
  }

  /** The cookie, and whose it is where that is known. */
  public String owner() {
    return owner;
  }

  /** The worst that packets of the fabric's traffic come to that meet the rule. */
  public Effect effect() {
    return effect;
  }

  /** The first of the traffic that it happens to, as matches; empty if the rule is harmless. */
  public List<String> traffic() {
    return traffic;
  }

  public boolean isHarmless() {
    return !effect.isHarmful();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForeignFinding
        && toString().equals(other.toString())
        && rule.equals(((ForeignFinding) other).rule);
  }

  @Override
  public int hashCode() {
    return Objects.hash(switchId, rule);
  }

  /** A sentence: where, which rule, whose, and what happens to which traffic. */
  @Override
  public String toString() {
    String text = switchId + ": foreign rule " + rule + " (" + owner + ")";
    switch (effect.kind()) {
      case HARMLESS:
        return text + " is harmless";
      case UNKNOWN:
        return text + " may do anything to " + named() + ": " + effect.where();
      default:
        return text + ": " + named() + " is " + effect.kind().text() + ": " + effect.where();
    }
  }

  private String named() {
    return String.join("; ", traffic);
  }
}
