package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The rules of a switch that concern its own hosts only. A switch with prefixes has seven of them
 * and one for each prefix; a host has four.
 */
final class EdgeRules {
  private EdgeRules() {}

  /**
   * All of them.
   *
   * @param hosts those under the switch
   * @param prefixes those of the switch
   */
  static List<FlowRule> all(List<Host> hosts, List<Ipv4Prefix> prefixes) {
    List<FlowRule> rules = new ArrayList<>();
    if (!prefixes.isEmpty()) {
      rules.add(FlowRule.arpToController());
      rules.add(FlowRule.rarpToController());
      rules.addAll(GuardRules.ofSwitch());
      prefixes.forEach(prefix -> rules.add(FlowRule.prefixToController(prefix)));
    }
    hosts.forEach(host -> rules.addAll(ofHost(host, prefixes)));
    return rules;
  }

  /**
   * The rules of one host. It is delivered to from its own port too: another may be behind that
   * port of which nothing is known.
   *
   * @param prefixes those of its switch
   */
  static List<FlowRule> ofHost(Host host, List<Ipv4Prefix> prefixes) {
    List<FlowRule> rules = new ArrayList<>();
    rules.add(FlowRule.deliver(host.address(), host.port(), Gateway.MAC, host.mac()));
    rules.add(FlowRule.hairpin(host.address(), host.port(), Gateway.MAC, host.mac()));
    rules.add(GuardRules.dropToItself(host.address()));
    for (Ipv4Prefix prefix : prefixes) {
      if (prefix.contains(host.address())) {
        rules.add(
            FlowRule.arpReply(
                prefix.gateway(), Gateway.MAC, host.address(), host.mac(), host.port()));
      }
    }
    return rules;
  }
}
