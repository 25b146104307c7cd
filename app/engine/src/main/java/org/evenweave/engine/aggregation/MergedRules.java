package org.evenweave.engine.aggregation;

import static org.evenweave.engine.aggregation.RouteCosts.NO_ROUTE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TablesDifference;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The desired rules of a switch, one for each prefix, and their merged form, which the switch
 * holds: the fewest rules that route every address as the rules of the prefixes do, and no other
 * address. Immutable.
 *
 * <p>The number is that of ORTC (Draves, King, Venkatachary and Zill, "Constructing optimal IP
 * routing tables", INFOCOM 1999) on the binary trie of the prefixes. In place of ORTC's sets of
 * routes each node has the cost of every route that it may inherit, in rules and then in changes of
 * what is installed ({@link RouteCosts}); so of all smallest tables the outcome is one to which the
 * fewest rules differ. Two things are particular here. A node below which some address has no rule
 * gets none itself, since no rule takes a route away; so each largest node that is routed as a
 * whole is merged by itself. And a rule of another kind, as that of the switch's own prefix, stays
 * where it is and covers its addresses whatever is above it, so it leaves the choice to its
 * neighbours.
 *
 * <p>The costs are kept from change to change. A change of k prefixes and the n rules that change
 * for it take O(32 (k + n) r) of time, with r the routes that share a part of the table; one of
 * rules inside others, or of the switch's own prefixes, takes O(prefixes).
 */
public final class MergedRules {
  private static final int ADDRESS_BITS = 32;

  private final SwitchTables wanted;
  private final RouteTrie trie;

  /** The switch's own prefixes: what is under their rules does not count. */
  private final List<Ipv4Prefix> own;

  /** Rules that route in spite of that stay as they are, and are installed or not. */
  private final Map<Ipv4Prefix, FlowRule> kept;

  private final Map<Ipv4Prefix, FlowRule> keptInstalled;

  /** Whether a rule for a prefix lies in another's. */
  private final boolean isNested;

  /** What is held, made when somebody asks. */
  private SwitchTables tables;

  private MergedRules(
      SwitchTables wanted,
      RouteTrie trie,
      List<Ipv4Prefix> own,
      Map<Ipv4Prefix, FlowRule> kept,
      Map<Ipv4Prefix, FlowRule> keptInstalled,
      boolean isNested) {
    this.wanted = wanted;
    this.trie = trie;
    this.own = own;
    this.kept = kept;
    this.keptInstalled = keptInstalled;
    this.isNested = isNested;
  }

  /**
   * @param wanted what the switch should do, with a rule for each prefix
   * @param installed what it holds now
   */
  public static MergedRules of(SwitchTables wanted, SwitchTables installed) {
    List<FlowRule> covering = new ArrayList<>();
    List<FlowRule> hosts = new ArrayList<>();
    List<Ipv4Prefix> own = new ArrayList<>();
    wanted.forEachFlow(
        rule -> {
          if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
            boolean isHost = isHost(rule);
            (isHost ? hosts : covering).add(rule);
            if (!rule.isRoute() && !isHost) {
              own.add(rule.prefix());
            }
          }
        });
    hosts.removeIf(host -> isUnder(own, host.prefix()));
    covering.addAll(hosts);
    covering.sort(Comparator.comparing(FlowRule::prefix));
    Map<Ipv4Prefix, FlowRule> kept = new HashMap<>();
    boolean isNested = removeKept(covering, kept);
    Map<Ipv4Prefix, FlowRule> keptInstalled = new HashMap<>();
    List<FlowRule> rules = new ArrayList<>();
    installed.forEachRoute(
        rule -> {
          if (kept.containsKey(rule.prefix())) {
            keptInstalled.put(rule.prefix(), rule);
          } else {
            rules.add(rule);
          }
        });
    RouteTrie trie = RouteTrie.EMPTY.withRoutes(routes(covering)).withInstalled(routes(rules));
    return new MergedRules(
        wanted, trie, own, Map.copyOf(kept), Map.copyOf(keptInstalled), isNested);
  }

  private static boolean isHost(FlowRule rule) {
    return !rule.isRoute() && rule.prefix().length() == ADDRESS_BITS;
  }

  private static boolean isUnder(List<Ipv4Prefix> own, Ipv4Prefix host) {
    for (Ipv4Prefix prefix : own) {
      if (prefix.contains(host.address())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether any rule lies in another. */
  private static boolean removeKept(List<FlowRule> sorted, Map<Ipv4Prefix, FlowRule> kept) {
    boolean[] isNested = {false};
    FlowRule[] last = {null, null};
    sorted.removeIf(
        rule -> {
          isNested[0] |= last[0] != null && last[0].prefix().overlaps(rule.prefix());
          last[0] = rule;
          boolean isUnderOther = last[1] != null && last[1].prefix().overlaps(rule.prefix());
          if (isUnderOther && rule.isRoute()) {
            kept.put(rule.prefix(), rule);
          } else if (!isUnderOther && !rule.isRoute()) {
            last[1] = rule;
          }
          return isUnderOther;
        });
    return isNested[0];
  }

  /** The routes of rules, by rising prefix; of those that do not route, what stands for them. */
  private static PrefixRoutes routes(List<FlowRule> rules) {
    return new PrefixRoutes(
        rules.stream().map(FlowRule::prefix).toArray(Ipv4Prefix[]::new),
        rules.stream().mapToLong(MergedRules::route).toArray());
  }

  private static long route(FlowRule rule) {
    return rule.isRoute()
        ? Integer.toUnsignedLong(rule.target()) << 1
            | (rule.action() == FlowRule.Action.ROUTE_TO_GROUP ? 1 : 0)
        : RouteNode.FREE;
  }

  private static FlowRule rule(Ipv4Prefix prefix, long route) {
    int target = (int) (route >>> 1);
    return (route & 1) == 1
        ? FlowRule.routeToGroup(prefix, target)
        : FlowRule.routeToPort(prefix, target);
  }

  /**
   * The same rules held where other tables are wanted.
   *
   * @param steps gets the rules of other kinds that change
   */
  MergedRules wanting(SwitchTables newWanted, TableSteps steps) {
    List<Ipv4Prefix> prefixes = new ArrayList<>();
    boolean[] isNear = {!isNested};
    TablesDifference.ofFlows(
        wanted,
        newWanted,
        (old, rule) -> {
          FlowRule either = rule == null ? old : rule;
          if (either.match() != FlowRule.Match.IPV4_DESTINATION) {
            return;
          }
          if (either.isRoute()) {
            prefixes.add(either.prefix());
            isNear[0] = isNear[0] && (old != null || trie.isUnrouted(either.prefix()));
          } else {
            steps.add(old, rule);
            isNear[0] = isNear[0] && isHost(either) && isUnder(own, either.prefix());
          }
        });
    prefixes.sort(null);
    return isNear[0] && isDisjoint(prefixes)
        ? new MergedRules(
            newWanted, trie.withRoutes(routes(prefixes, newWanted)), own, kept, kept, false)
        : of(newWanted, tables());
  }

  private static boolean isDisjoint(List<Ipv4Prefix> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).overlaps(sorted.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static PrefixRoutes routes(List<Ipv4Prefix> prefixes, SwitchTables tables) {
    long[] routes = new long[prefixes.size()];
    for (int i = 0; i < routes.length; i++) {
      FlowRule rule = tables.routeTo(prefixes.get(i));
      routes[i] = rule == null ? NO_ROUTE : route(rule);
    }
    return new PrefixRoutes(prefixes.toArray(new Ipv4Prefix[0]), routes);
  }

  /** By how many rules what is held differs from what should be. */
  public int changes() {
    int missing = 0;
    for (FlowRule rule : kept.values()) {
      missing += rule.equals(keptInstalled.get(rule.prefix())) ? 0 : 1;
    }
    return trie.changes() + missing;
  }

  /**
   * The same tables wanted, and the rules held that should be.
   *
   * @param steps gets the rules that change
   */
  MergedRules settled(TableSteps steps) {
    RouteTrie next =
        trie.settled(
            (prefix, old, route) ->
                steps.add(
                    old == NO_ROUTE ? null : rule(prefix, old),
                    route == NO_ROUTE ? null : rule(prefix, route)));
    kept.values().forEach(rule -> steps.add(keptInstalled.get(rule.prefix()), rule));
    return new MergedRules(wanted, next, own, kept, kept, isNested);
  }

  /** The same, whatever changes. */
  public MergedRules settled() {
    return settled(new TableSteps());
  }

  /** What is wanted, with a rule for each prefix. */
  SwitchTables expanded() {
    return wanted;
  }

  /** What is held: groups and rules of other kinds as wanted. */
  public SwitchTables tables() {
    if (tables == null) {
      List<FlowRule> rules = new ArrayList<>(keptInstalled.values());
      trie.forEachInstalled((prefix, old, route) -> rules.add(rule(prefix, route)));
      tables = wanted.withRoutes(rules);
    }
    return tables;
  }

  /** How many rules are held, of all kinds. */
  public int ruleCount() {
    return changes() == 0
        ? wanted.flowCount() - wanted.routeCount() + trie.fewest() + kept.size()
        : tables().flowCount();
  }
}
