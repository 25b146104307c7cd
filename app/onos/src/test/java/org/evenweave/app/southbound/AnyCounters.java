package org.evenweave.app.southbound;

import java.util.Map;
import org.evenweave.engine.port.FlowRule;

/** Counters as a switch has them. */
public final class AnyCounters {
  private AnyCounters() {}

  /** As the constructor of {@link SwitchCounters}. */
  public static SwitchCounters of(Map<Integer, Long> groups, Map<FlowRule, Long> rules) {
    return new SwitchCounters(groups, rules);
  }
}
