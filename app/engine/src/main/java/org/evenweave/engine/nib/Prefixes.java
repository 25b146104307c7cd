package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The configured prefixes, by switch. */
final class Prefixes {
  private final Map<String, List<Ipv4Prefix>> ofSwitch = new HashMap<>();

  void configure(Fabric fabric) {
    ofSwitch.clear();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      ofSwitch
          .computeIfAbsent(fabric.switchId(fabric.subnetSwitch(i)), id -> new ArrayList<>())
          .add(fabric.subnetPrefix(i));
    }
  }

  /** The prefix of this switch that holds the address, or null. */
  Ipv4Prefix of(String switchId, int address) {
    for (Ipv4Prefix prefix : ofSwitch.getOrDefault(switchId, List.of())) {
      if (prefix.contains(address)) {
        return prefix;
      }
    }
    return null;
  }

  /** Whether the switch has the host's prefix; a gateway's address is never a host's. */
  boolean hold(Host host) {
    Ipv4Prefix prefix = of(host.switchId(), host.address());
    return prefix != null && prefix.gateway() != host.address();
  }
}
