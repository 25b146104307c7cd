package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * What one switch may do with packets while it has either of two tables, or the rules of one and
 * the groups of the other; the same for all prefixes for which it has such rules. An old rule goes
 * with its group. A new rule whose group is missing is refused, which leaves the old one.
 */
final class PacketSteps {
  private static final int[] NONE = {};

  /** Ports, and where they lead. */
  static final class Ways {
    /** The switches at the other ends, one for each port with a link that is up. */
    final int[] nextHops;

    /** The ports without such a link, rising. */
    final int[] deadPorts;

    private Ways(Fabric fabric, int s, int[] ports) {
      int[] found = new int[ports.length];
      int[] dead = NONE;
      int foundCount = 0;
      int deadCount = 0;
      for (int port : ports) {
        int arc = fabric.outArcAt(s, port);
        if (arc >= 0) {
          found[foundCount++] = fabric.to(arc);
        } else {
          dead = deadCount == 0 ? new int[ports.length] : dead;
          dead[deadCount++] = port;
        }
      }
      nextHops = deadCount == 0 ? found : Arrays.copyOf(found, foundCount);
      deadPorts = deadCount == 0 ? NONE : Arrays.copyOf(dead, deadCount);
    }
  }

  private final Fabric fabric;
  private final int s;
  private final SwitchTables before;
  private final SwitchTables after;
  private final FlowRule oldRule;
  private final FlowRule newRule;
  private final int[] anyPorts;
  private final int[] gainedPorts;
  private Ways any;
  private Ways gained;

  /** Whether packets find no rule before. */
  final boolean hadNone;

  /** Whether packets find no rule in any of the states. */
  final boolean mayHaveNone;

  /**
   * What it does with packets from anywhere, where no source has rules of its own.
   *
   * @param oldRule that of {@code before} for the prefix, or null
   * @param newRule that of {@code after}
   */
  PacketSteps(
      Fabric fabric,
      int s,
      SwitchTables before,
      SwitchTables after,
      FlowRule oldRule,
      FlowRule newRule) {
    this(fabric, s, before, after, oldRule, newRule, List.of(), List.of());
  }

  /**
   * What it does with packets of all sources taken together.
   *
   * @param oldPairs the rules of {@code before} for single sources
   * @param newPairs those of {@code after}
   */
  PacketSteps(
      Fabric fabric,
      int s,
      SwitchTables before,
      SwitchTables after,
      FlowRule oldRule,
      FlowRule newRule,
      Collection<FlowRule> oldPairs,
      Collection<FlowRule> newPairs) {
    this.fabric = fabric;
    this.s = s;
    this.before = before;
    this.after = after;
    this.oldRule = oldRule;
    this.newRule = newRule;
    int[] old = ports(oldRule, before);
    hadNone = old.length == 0 || anyHasNone(oldPairs, before);
    old = union(old, oldPairs, before);
    if (before == after) {
      anyPorts = old;
      gainedPorts = NONE;
      mayHaveNone = hadNone;
      return;
    }
    int[] now = ports(newRule, after);
    int[] oldRuleNewGroup = ports(oldRule, after);
    mayHaveNone =
        hadNone
            || now.length == 0
            || oldRuleNewGroup.length == 0
            || anyHasNone(oldPairs, after)
            || anyHasNone(newPairs, after);
    int[] all = SortedPorts.union(SortedPorts.union(old, now), oldRuleNewGroup);
    all = union(SortedPorts.union(all, ports(newRule, before)), oldPairs, after);
    anyPorts = union(union(all, newPairs, after), newPairs, before);
    gainedPorts = SortedPorts.without(anyPorts, old);
  }

  private static boolean anyHasNone(Collection<FlowRule> rules, SwitchTables groups) {
    if (rules.isEmpty()) {
      return false; // Without an iterator, as nearly always.
    }
    for (FlowRule rule : rules) {
      if (ports(rule, groups).length == 0) {
        return true;
      }
    }
    return false;
  }

  private static int[] union(int[] ports, Collection<FlowRule> rules, SwitchTables groups) {
    if (rules.isEmpty()) {
      return ports;
    }
    int[] all = ports;
    for (FlowRule rule : rules) {
      all = SortedPorts.union(all, ports(rule, groups));
    }
    return all;
  }

  /** Whether they are those of these tables and of rules that do the same. */
  boolean areOf(SwitchTables itsBefore, SwitchTables itsAfter, FlowRule old, FlowRule now) {
    return areOf(itsBefore, itsAfter) && isAlike(oldRule, old) && isAlike(newRule, now);
  }

  boolean areOf(SwitchTables itsBefore, SwitchTables itsAfter) {
    return before == itsBefore && after == itsAfter;
  }

  private static boolean isAlike(FlowRule a, FlowRule b) {
    return a == b
        || (a != null && b != null && a.action() == b.action() && a.target() == b.target());
  }

  /** The same for all rules that do the same. */
  static int hash(FlowRule old, FlowRule now) {
    return hash(old) * 31 + hash(now);
  }

  private static int hash(FlowRule rule) {
    return rule == null ? 0 : rule.target() * 31 + rule.action().ordinal() + 1;
  }

  int hash() {
    return hash(oldRule, newRule);
  }

  /** The ways by which packets may leave in any of the states. */
  Ways any() {
    any = any == null ? new Ways(fabric, s, anyPorts) : any;
    return any;
  }

  /** Whether there are ways that packets did not take before. */
  boolean gainsAny() {
    return gainedPorts.length > 0;
  }

  /** Those ways. */
  Ways gained() {
    gained = gained == null ? new Ways(fabric, s, gainedPorts) : gained;
    return gained;
  }

  /** The distinct ports by which packets may leave, rising; none without a rule or its group. */
  static int[] ports(FlowRule rule, SwitchTables groups) {
    return rule == null ? NONE : groups.outPorts(rule);
  }
}
