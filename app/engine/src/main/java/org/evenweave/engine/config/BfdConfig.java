package org.evenweave.engine.config;

import java.util.List;
import java.util.Objects;

/**
 * Whether the controller has the switches watch the configured links by BFD (RFC 5880), and where
 * their configuration databases are (OVSDB, RFC 7047). Immutable.
 */
public final class BfdConfig {
  /** Nothing is set up. */
  public static final BfdConfig OFF = new BfdConfig(false, 100, List.of());

  private final boolean enabled;
  private final int intervalMs;
  private final List<String> ovsdb;

  /**
   * @param intervalMs between two packets of a session, in milliseconds; three that are missing end
   *     it
   * @param ovsdb servers as in {@code tcp:127.0.0.1:6640}
   * @throws IllegalArgumentException if it is enabled without a server
   */
  public BfdConfig(boolean enabled, int intervalMs, List<String> ovsdb) {
    if (enabled && ovsdb.isEmpty()) {
      throw new IllegalArgumentException("ovsdb must name the switches' OVSDB servers");
    }
    this.enabled = enabled;
    this.intervalMs = intervalMs;
    this.ovsdb = List.copyOf(ovsdb);
  }

  /** Whether BFD runs on the configured links; otherwise what a controller set up is removed. */
  public boolean enabled() {
    return enabled;
  }

  /** Between two packets of a session, in milliseconds. */
  public int intervalMs() {
    return intervalMs;
  }

  /** The servers that hold the switches' configuration, as in {@code tcp:127.0.0.1:6640}. */
  public List<String> ovsdb() {
    return ovsdb;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BfdConfig
        && ((BfdConfig) other).enabled == enabled
        && ((BfdConfig) other).intervalMs == intervalMs
        && ((BfdConfig) other).ovsdb.equals(ovsdb);
  }

  @Override
  public int hashCode() {
    return Objects.hash(enabled, intervalMs, ovsdb);
  }
}
