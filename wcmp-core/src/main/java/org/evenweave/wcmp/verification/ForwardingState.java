package org.evenweave.wcmp.verification;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The multipath rules of all switches of a fabric, looked up by longest prefix, and above them
 * those for packets from single sources.
 */
public final class ForwardingState {
  private final Fabric fabric;
  private final List<Map<Ipv4Prefix, MultipathRule>> rulesOfSwitch;
  private final List<List<MultipathRule>> rulesForSources;

  private ForwardingState(
      Fabric fabric,
      List<Map<Ipv4Prefix, MultipathRule>> rulesOfSwitch,
      List<List<MultipathRule>> rulesForSources) {
    this.fabric = fabric;
    this.rulesOfSwitch = rulesOfSwitch;
    this.rulesForSources = rulesForSources;
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
    List<MultipathRule> all = new ArrayList<>(rulesOfSwitch.get(s).values());
    all.addAll(rulesForSources.get(s));
    for (MultipathRule rule : all) {
      if (rule.groupId() != 0 && counted.add(rule.groupId())) {
        entries += rule.entries();
      }
    }
    return entries;
  }

  /** Whether any switch has a rule for packets from a single source. */
  public boolean hasRulesForSources() {
    return rulesForSources.stream().anyMatch(rules -> !rules.isEmpty());
  }

  /**
   * What switches may do with packets whatever their source: each rule has the next hops of the
   * rules for single sources too. Where nothing loops or gets lost then, no packet does by the
   * rules that it meets.
   */
  public ForwardingState ofAllSources() {
    Builder all = new Builder(fabric);
    for (int s = 0; s < fabric.switchCount(); s++) {
      Map<Ipv4Prefix, Set<Integer>> portsTo = new HashMap<>();
      for (MultipathRule rule : rulesForSources.get(s)) {
        MultipathRule below = lookup(s, rule.prefix());
        if (below != null) {
          Set<Integer> ports = portsTo.computeIfAbsent(rule.prefix(), prefix -> new TreeSet<>());
          addPorts(below, ports);
          addPorts(rule, ports);
        }
      }
      for (MultipathRule rule : rulesOfSwitch.get(s).values()) {
        addPorts(rule, portsTo.computeIfAbsent(rule.prefix(), prefix -> new TreeSet<>()));
      }
      for (Map.Entry<Ipv4Prefix, Set<Integer>> entry : portsTo.entrySet()) {
        int[] ports = entry.getValue().stream().mapToInt(Integer::intValue).toArray();
        int[] weights = new int[ports.length];
        Arrays.fill(weights, 1);
        all.add(s, new MultipathRule(entry.getKey(), 0, ports, weights));
      }
    }
    return all.build();
  }

  private static void addPorts(MultipathRule rule, Set<Integer> ports) {
    for (int i = 0; i < rule.memberCount(); i++) {
      ports.add(rule.port(i));
    }
  }

  /** Collects the rules of a fabric's switches. */
  public static final class Builder {
    private final Fabric fabric;
    private final List<Map<Ipv4Prefix, MultipathRule>> rulesOfSwitch = new ArrayList<>();
    private final List<List<MultipathRule>> rulesForSources = new ArrayList<>();

    public Builder(Fabric fabric) {
      this.fabric = fabric;
      for (int s = 0; s < fabric.switchCount(); s++) {
        rulesOfSwitch.add(new HashMap<>());
        rulesForSources.add(new ArrayList<>());
      }
    }

    /** Adds a rule to a switch; a second one for the same prefix is an error. */
    public Builder add(int s, MultipathRule rule) {
      if (rulesOfSwitch.get(s).put(rule.prefix(), rule) != null) {
        throw new IllegalArgumentException(fabric.switchId(s) + ": two rules for " + rule.prefix());
      }
      return this;
    }

    /** Adds a rule for packets from a single source to a prefix, above those from anywhere. */
    public Builder addForSource(int s, MultipathRule rule) {
      rulesForSources.get(s).add(rule);
      return this;
    }

    public ForwardingState build() {
      return new ForwardingState(fabric, rulesOfSwitch, rulesForSources);
    }
  }
}
