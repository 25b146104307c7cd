package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Two ports that probes pass between although no configured link joins them. It carries no traffic.
 * Immutable.
 */
public final class UnexpectedLink {
  private final SwitchPort a;
  private final SwitchPort b;
  private final SwitchPort configuredPeerOfA;
  private final SwitchPort configuredPeerOfB;

  /**
   * @param a one end
   * @param b the other
   * @param configuredPeerOfA the port that the configuration connects {@code a} to, or null
   * @param configuredPeerOfB the same of {@code b}
   */
  UnexpectedLink(
      SwitchPort a, SwitchPort b, SwitchPort configuredPeerOfA, SwitchPort configuredPeerOfB) {
    this.a = a;
    this.b = b;
    this.configuredPeerOfA = configuredPeerOfA;
    this.configuredPeerOfB = configuredPeerOfB;
  }

  public SwitchPort a() {
    return a;
  }

  public SwitchPort b() {
    return b;
  }

  /** As links are named: {@code s1-0/1-s2-1/3}. */
  public String name() {
    return a + "-" + b;
  }

  /** Whether an end of it is configured to be connected to another port. */
  public boolean miscabled() {
    return configuredPeerOfA != null || configuredPeerOfB != null;
  }

  /** The configured links that it contradicts, as links are named; none if it is not miscabled. */
  public List<String> configured() {
    List<String> links = new ArrayList<>();
    if (configuredPeerOfA != null) {
      links.add(a + "-" + configuredPeerOfA);
    }
    if (configuredPeerOfB != null) {
      links.add(b + "-" + configuredPeerOfB);
    }
    return links;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnexpectedLink
        && ((UnexpectedLink) other).a.equals(a)
        && ((UnexpectedLink) other).b.equals(b)
        && Objects.equals(((UnexpectedLink) other).configuredPeerOfA, configuredPeerOfA)
        && Objects.equals(((UnexpectedLink) other).configuredPeerOfB, configuredPeerOfB);
  }

  @Override
  public int hashCode() {
    return Objects.hash(a, b);
  }

  @Override
  public String toString() {
    return miscabled() ? name() + " instead of " + String.join(" and ", configured()) : name();
  }
}
