package org.evenweave.engine.config;

import java.util.Locale;

/** Which source addresses hosts of a subnet may use; {@code subnets[].sourceGuard}. */
public enum SourceGuard {
  /** Those of the subnet. */
  PREFIX,
  /** Those of the hosts that are known at the port. */
  HOST,
  /** Any. */
  OFF;

  /** Of a subnet whose configuration does not say. */
  public static final SourceGuard DEFAULT = PREFIX;

  /** As in the configuration. */
  public String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException for a name that is not in the configuration's schema
   */
  static SourceGuard named(String configName) {
    return valueOf(configName.toUpperCase(Locale.ROOT));
  }
}
