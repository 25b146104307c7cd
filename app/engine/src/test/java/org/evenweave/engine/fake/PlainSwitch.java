package org.evenweave.engine.fake;

import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SwitchTables;

/** What one switch does with single packets, one rule after the other. */
public final class PlainSwitch {
  private PlainSwitch() {}

  /**
   * The rule that an IPv4 packet to the gateway's MAC address is handled by in the end; null if it
   * meets none.
   */
  public static FlowRule meets(SwitchTables tables, int inPort, int source, int destination) {
    PlainFrame packet = PlainFrame.packet(Gateway.MAC, 2, source, destination, 0);
    FlowRule first = lookup(tables, inPort, packet);
    return first != null && first.action() == FlowRule.Action.LOOK_UP_AGAIN
        ? lookup(tables, inPort, packet.admitted())
        : first;
  }

  static FlowRule lookup(SwitchTables tables, int inPort, PlainFrame frame) {
    FlowRule best = null;
    for (FlowRule rule : tables.flows().values()) {
      if (frame.matches(rule, inPort) && (best == null || rule.priority() > best.priority())) {
        best = rule;
      }
    }
    return best;
  }
}
