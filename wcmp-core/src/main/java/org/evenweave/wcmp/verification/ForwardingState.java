package org.evenweave.wcmp.verification;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The multipath rules of all switches of a fabric, looked up by longest prefix. */
public final class ForwardingState {
  private final Fabric fabric;
  private final List<Map<Ipv4Prefix, MultipathRule>> rulesOfSwitch;

  private ForwardingState(Fabric fabric, List<Map<Ipv4Prefix, MultipathRule>> rulesOfSwitch) {
    this.fabric = fabric;
    this.rulesOfSwitch = rulesOfSwitch;
  }

  public Fabric fabric() {
    return fabric;
  }

  /** All rules of a switch, in no order. */
  public Iterable<MultipathRule> rules(int s) {
    return Collections.unmodifiableCollection(rulesOfSwitch.get(s).values());
  }

  /** The rule by which a switch forwards packets to a prefix; null where there is none. */
  public MultipathRule lookup(int s, Ipv4Prefix destination) {
    Map<Ipv4Prefix, MultipathRule> rules = rulesOfSwitch.get(s);
    for (int length = destination.length(); length >= 0; length--) {
      int mask = length == 0 ? 0 : -1 << (32 - length);
      MultipathRule rule = rules.get(Ipv4Prefix.of(destination.address() & mask, length));
      if (rule != null) {
        return rule;
      }
    }
    return null;
  }

  /** Multipath table entries in use: every group once, however many rules use it. */
  public long entriesInUse(int s) {
    long entries = 0;
    Set<Integer> counted = new HashSet<>();
    for (MultipathRule rule : rulesOfSwitch.get(s).values()) {
      if (rule.groupId() != 0 && counted.add(rule.groupId())) {
        entries += rule.entries();
      }
    }
    return entries;
  }

  /** Collects the rules of a fabric's switches. */
  public static final class Builder {
    private final Fabric fabric;
    private final List<Map<Ipv4Prefix, MultipathRule>> rulesOfSwitch = new ArrayList<>();

    public Builder(Fabric fabric) {
      this.fabric = fabric;
      for (int s = 0; s < fabric.switchCount(); s++) {
        rulesOfSwitch.add(new HashMap<>());
      }
    }

    /** Adds a rule to a switch; a second one for the same prefix is an error. */
    public Builder add(int s, MultipathRule rule) {
      if (rulesOfSwitch.get(s).put(rule.prefix(), rule) != null) {
        throw new IllegalArgumentException(fabric.switchId(s) + ": two rules for " + rule.prefix());
      }
      return this;
    }

    public ForwardingState build() {
      return new ForwardingState(fabric, rulesOfSwitch);
    }
  }
}
