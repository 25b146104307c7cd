package org.evenweave.engine.forwarding;

import org.evenweave.engine.aggregation.MergedRules;
import org.evenweave.engine.port.SwitchTables;

/** Whether a switch has room for its rules. */
final class RuleLimit {
  private RuleLimit() {}

  /**
   * A sentence about tables whose rules are more than a switch can hold even if they are merged;
   * null if it can hold them.
   *
   * @param limit the most rules
   */
  static String exceeded(String switchId, SwitchTables tables, int limit) {
    if (tables.flowCount() <= limit) {
      return null;
    }
    int merged = MergedRules.of(tables, SwitchTables.EMPTY).settled().ruleCount();
    return merged <= limit
        ? null
        : switchId
            + ": its "
            + tables.flowCount()
            + " rules are "
            + merged
            + " if they are merged, and it can have "
            + limit;
  }
}
