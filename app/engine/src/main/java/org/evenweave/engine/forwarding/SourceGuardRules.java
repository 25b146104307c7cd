package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.PortGuard;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The rules by which a switch checks source addresses at ports with hosts. What comes from its
 * prefixes, or from a known host at its port, is looked up again; one rule for each guarded port
 * drops all else, and counts it.
 */
final class SourceGuardRules {
  private static final Ipv4Prefix ANY = Ipv4Prefix.of(0, 0);

  private SourceGuardRules() {}

  /**
   * The rules of a switch.
   *
   * @param hosts those under the switch
   */
  static List<FlowRule> of(PortGuard guard, List<Host> hosts) {
    List<FlowRule> rules = new ArrayList<>();
    for (int port : guard.ports()) {
      if (guard.refusesOthers()) {
        rules.add(GuardRules.refuseSource(port, ANY));
      } else {
        guard.knownHosts().forEach(prefix -> rules.add(GuardRules.refuseSource(port, prefix)));
      }
    }
    if (guard.refusesOthers() && guard.ports().length > 0) {
      guard.anyAddress().forEach(prefix -> rules.add(GuardRules.admitSource(prefix)));
    }
    for (Host host : guard.knownHosts().isEmpty() ? List.<Host>of() : hosts) {
      if (guard.checksHost(host)) {
        rules.add(GuardRules.admitSource(host.port(), Ipv4Prefix.host(host.address())));
      }
    }
    return rules;
  }

  /** The rules of this kind that a switch holds. */
  static List<FlowRule> heldIn(SwitchTables tables) {
    List<FlowRule> rules = new ArrayList<>();
    tables.forEachFlow(
        rule -> {
          if (rule.isSourceGuard()) {
            rules.add(rule);
          }
        });
    return rules;
  }
}
