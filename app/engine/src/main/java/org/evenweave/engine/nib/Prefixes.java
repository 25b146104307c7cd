package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The configured prefixes, by switch. */
final class Prefixes {
  /** From here on a prefix has no addresses but its hosts' (RFC 3021). */
  private static final int POINT_TO_POINT_LENGTH = 31;

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

  /**
   * Whether a host under the switch may have the address: it is in a prefix of the switch, and is
   * neither the gateway's, nor the prefix's own or its broadcast address (RFC 922, section 7; a
   * prefix of one or two addresses has neither, RFC 3021).
   */
  boolean mayHaveHost(String switchId, int address) {
    Ipv4Prefix prefix = of(switchId, address);
    if (prefix == null || prefix.gateway() == address) {
      return false;
    }
    boolean isOfAll = address == prefix.address() || address == (prefix.address() | ~prefix.mask());
    return prefix.length() >= POINT_TO_POINT_LENGTH || !isOfAll;
  }
}
