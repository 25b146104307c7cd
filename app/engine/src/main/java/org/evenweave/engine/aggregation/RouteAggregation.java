package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Merges the rules of neighbouring prefixes that do the same: the fewest rules by which a switch
 * routes every address as by the given ones, and no address that they do not route.
 *
 * <p>That is ORTC (Draves, King, Venkatachary and Zill, "Constructing optimal IP routing tables",
 * INFOCOM 1999) on the binary trie of the prefixes. From the leaves up, each node gets the routes
 * with which it needs the fewest rules below: those that both halves may have, or else those that
 * either may. From the root down, a node that may have the route it inherits needs no rule. Two
 * things are particular here. A node below which some address has no rule gets none itself, since
 * no rule takes a route away; so each largest node that is routed as a whole is merged by itself.
 * And a rule of another kind, as that of the switch's own prefix, stays where it is and covers its
 * addresses whatever is above it, so it leaves the choice to its neighbours.
 *
 * <p>Where several routes would do, a node keeps the one that it has by what is installed. So
 * tables that were merged before are found as they should be, whatever choices led to them, and a
 * change of a few rules leaves most others alone. O(32 * rules).
 */
public final class RouteAggregation {
  private static final int ADDRESS_BITS = 32;
  private static final long NO_ROUTE = -1;

  /** What a node may have where any route would do, or none: these very objects. */
  private static final long[] ANY = {};

  private static final long[] NONE = {};

  /** A part of the address space, and those halves of it that are looked at by themselves. */
  private static final class Node {
    final int address;
    final int length;

    /** The routes that it may have, rising. */
    final long[] routes;

    /** The route that it has by what is installed. */
    final long installed;

    final Node low;
    final Node high;

    Node(int address, int length, long[] routes, long installed, Node low, Node high) {
      this.address = address;
      this.length = length;
      this.routes = routes;
      this.installed = installed;
      this.low = low;
      this.high = high;
    }
  }

  private final FlowRule[] rules;
  private final FlowRule[] installed;
  private final Map<Ipv4Prefix, FlowRule> merged = new HashMap<>();

  private RouteAggregation(SwitchTables tables, SwitchTables installed) {
    rules = coveringRules(tables);
    this.installed = routes(installed);
  }

  /**
   * @param tables what is to be held
   * @param installed what the switch holds now
   * @return the same groups and the same rules of other kinds, with the fewest that route
   */
  public static SwitchTables of(SwitchTables tables, SwitchTables installed) {
    Map<Ipv4Prefix, FlowRule> merged = new RouteAggregation(tables, installed).merge();
    SwitchTables.Editor editor = new SwitchTables.Editor(tables);
    tables.forEachRoute(
        rule -> {
          if (!merged.containsKey(rule.prefix())) {
            editor.removeRoute(rule.prefix());
          }
        });
    merged.values().forEach(editor::put);
    return editor.done();
  }

  private Map<Ipv4Prefix, FlowRule> merge() {
    put(build(0, 0, 0, rules.length, 0, installed.length, NO_ROUTE, NO_ROUTE), NO_ROUTE);
    return merged;
  }

  /**
   * All rules for destinations, by prefix, except those of hosts in the switch's own prefixes: what
   * is under a rule of another kind is not merged anyway.
   */
  private static FlowRule[] coveringRules(SwitchTables tables) {
    List<FlowRule> rules = new ArrayList<>();
    List<FlowRule> hosts = new ArrayList<>();
    List<Ipv4Prefix> own = new ArrayList<>();
    tables.forEachFlow(
        rule -> {
          if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
            boolean isHost = !rule.isRoute() && rule.prefix().length() == ADDRESS_BITS;
            (isHost ? hosts : rules).add(rule);
            if (!rule.isRoute() && !isHost) {
              own.add(rule.prefix());
            }
          }
        });
    for (FlowRule host : hosts) {
      if (own.stream().noneMatch(prefix -> prefix.overlaps(host.prefix()))) {
        rules.add(host);
      }
    }
    return byPrefix(rules);
  }

  private static FlowRule[] routes(SwitchTables tables) {
    List<FlowRule> rules = new ArrayList<>();
    tables.forEachRoute(rules::add);
    return byPrefix(rules);
  }

  private static FlowRule[] byPrefix(List<FlowRule> rules) {
    FlowRule[] array = rules.toArray(new FlowRule[0]);
    Arrays.sort(array, (a, b) -> a.prefix().compareTo(b.prefix()));
    return array;
  }

  /** A route as a number, not negative; equal for rules that do the same. */
  private static long route(FlowRule rule) {
    return Integer.toUnsignedLong(rule.target()) << 1
        | (rule.action() == FlowRule.Action.ROUTE_TO_GROUP ? 1 : 0);
  }

  /**
   * The node of {@code address/length}.
   *
   * @param from the first of the rules in it; they end before {@code to}
   * @param installedFrom the first of the installed rules in it
   * @param route the one that its addresses have by rules above it
   * @param was the same by installed rules
   */
  private Node build(
      int address,
      int length,
      int from,
      int to,
      int installedFrom,
      int installedTo,
      long route,
      long was) {
    if (installedFrom < installedTo && isAt(installed[installedFrom], address, length)) {
      was = route(installed[installedFrom++]);
    }
    if (from < to && isAt(rules[from], address, length)) {
      FlowRule rule = rules[from++];
      if (!rule.isRoute()) {
        keep(from, to);
        return new Node(address, length, ANY, was, null, null);
      }
      route = route(rule);
    }
    if (from == to) {
      long[] routes = route == NO_ROUTE ? NONE : new long[] {route};
      return new Node(address, length, routes, was, null, null);
    }
    int middle = address | 1 << (ADDRESS_BITS - 1 - length);
    int split = firstFrom(middle, rules, from, to);
    int installedSplit = firstFrom(middle, installed, installedFrom, installedTo);
    Node low = build(address, length + 1, from, split, installedFrom, installedSplit, route, was);
    Node high = build(middle, length + 1, split, to, installedSplit, installedTo, route, was);
    return new Node(address, length, either(low.routes, high.routes), was, low, high);
  }

  private static boolean isAt(FlowRule rule, int address, int length) {
    return rule.prefix().length() == length && rule.prefix().address() == address;
  }

  /** Rules under one of another kind stay as they are. */
  private void keep(int from, int to) {
    for (int i = from; i < to; i++) {
      if (rules[i].isRoute()) {
        merged.put(rules[i].prefix(), rules[i]);
      }
    }
  }

  /** The first rule whose prefix begins at an address or after it. */
  private static int firstFrom(int address, FlowRule[] rules, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Integer.compareUnsigned(rules[middle].prefix().address(), address) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What a node may have whose halves may have these. */
  private static long[] either(long[] low, long[] high) {
    if (low == NONE || high == NONE) {
      return NONE;
    }
    if (low == ANY || high == ANY || Arrays.equals(low, high)) {
      return low == ANY ? high : low;
    }
    long[] both = Arrays.stream(low).filter(r -> Arrays.binarySearch(high, r) >= 0).toArray();
    if (both.length > 0) {
      return both;
    }
    long[] all = Arrays.copyOf(low, low.length + high.length);
    System.arraycopy(high, 0, all, low.length, high.length);
    Arrays.sort(all);
    return all;
  }

  /**
   * Puts the rules of a node and below.
   *
   * @param route what it inherits
   */
  private void put(Node node, long route) {
    long inherited = route;
    boolean isChoice = node.routes != NONE && node.routes != ANY;
    if (isChoice && Arrays.binarySearch(node.routes, route) < 0) {
      boolean keepsInstalled = Arrays.binarySearch(node.routes, node.installed) >= 0;
      inherited = keepsInstalled ? node.installed : node.routes[0];
      Ipv4Prefix prefix = Ipv4Prefix.of(node.address, node.length);
      merged.put(prefix, rule(prefix, inherited));
    }
    if (node.low != null) {
      put(node.low, inherited);
      put(node.high, inherited);
    }
  }

  private static FlowRule rule(Ipv4Prefix prefix, long route) {
    int target = (int) (route >>> 1);
    return (route & 1) == 1
        ? FlowRule.routeToGroup(prefix, target)
        : FlowRule.routeToPort(prefix, target);
  }
}
