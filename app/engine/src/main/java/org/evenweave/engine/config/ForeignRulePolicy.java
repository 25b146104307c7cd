package org.evenweave.engine.config;

import java.util.Locale;

/** The reaction to foreign rules that harm the fabric's traffic; {@code foreignRules}. */
public enum ForeignRulePolicy {
  /** They are named, and left. */
  REPORT,
  /** They are named, and deleted where the runtime deletes others' rules at all. */
  REMOVE;

  /** As in the configuration. */
  public String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException for a name that is not in the configuration's schema
   */
  static ForeignRulePolicy named(String configName) {
    return valueOf(configName.toUpperCase(Locale.ROOT));
  }
}
