package org.evenweave.engine.aggregation;

import static org.evenweave.engine.aggregation.RouteCosts.NO_ROUTE;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * A part of the address space: what route each of its addresses should have, and which rules are
 * installed for prefixes in it. Immutable; versions share what they have in common. Addresses that
 * are all to be treated alike, and have no rules among them, are one leaf. So a trie is as large as
 * the rules that it takes, not as the prefixes that they stand for, and a change of one prefix
 * makes at most 33 new nodes beside those of rules inside it.
 *
 * <p>Each node knows its {@link RouteCosts}, made from those of its halves. They say how many rules
 * differ, below any node and with any route that comes from above, from the best ones: {@link
 * #settled} goes only where that is not 0.
 */
final class RouteTrie {
  /** Treats the addresses of a leaf as rules of another kind do; in place of a route. */
  static final long FREE = -2;

  /** In place of what a leaf does. */
  private static final long HALVES = -3;

  private static final int ADDRESS_BITS = 32;

  /** All addresses, without routes and rules. */
  static final RouteTrie EMPTY = leaf(NO_ROUTE, NO_ROUTE);

  private static final RouteTrie ALL_FREE = leaf(FREE, NO_ROUTE);

  /** The route of all addresses, {@link RouteCosts#NO_ROUTE} or {@link #FREE}; of a leaf. */
  private final long route;

  /** The route of the rule that is installed for just this part; or {@code NO_ROUTE}. */
  private final long installed;

  final RouteTrie low;
  final RouteTrie high;
  private final RouteCosts costs;

  private RouteTrie(long route, long installed, RouteTrie low, RouteTrie high, RouteCosts costs) {
    this.route = route;
    this.installed = installed;
    this.low = low;
    this.high = high;
    this.costs = costs;
  }

  private static RouteTrie leaf(long route, long installed) {
    if (route == FREE) {
      return new RouteTrie(route, installed, null, null, RouteCosts.free(installed));
    }
    RouteCosts costs =
        route == NO_ROUTE ? RouteCosts.unrouted(installed) : RouteCosts.routed(route, installed);
    return new RouteTrie(route, installed, null, null, costs);
  }

  /** A leaf without a rule. */
  private static RouteTrie leaf(long route) {
    return route == NO_ROUTE ? EMPTY : route == FREE ? ALL_FREE : leaf(route, NO_ROUTE);
  }

  private static RouteTrie of(RouteTrie low, RouteTrie high, long installed) {
    boolean isLeaf =
        low.route == high.route
            && low.route != HALVES
            && low.installed == NO_ROUTE
            && high.installed == NO_ROUTE;
    return isLeaf
        ? installed == NO_ROUTE ? low : leaf(low.route, installed)
        : new RouteTrie(
            HALVES, installed, low, high, RouteCosts.of(low.costs, high.costs, installed));
  }

  private boolean isLeaf() {
    return route != HALVES;
  }

  private RouteTrie lowHalf() {
    return isLeaf() ? leaf(route) : low;
  }

  private RouteTrie highHalf() {
    return isLeaf() ? leaf(route) : high;
  }

  /** Prefixes, each once, by rising address and length, and a route for each. */
  static final class Routes {
    private final Ipv4Prefix[] prefixes;
    private final long[] routes;

    /** Neither is copied. */
    Routes(Ipv4Prefix[] prefixes, long[] routes) {
      this.prefixes = prefixes;
      this.routes = routes;
    }

    private boolean isAt(int i, int address, int length) {
      return prefixes[i].length() == length && prefixes[i].address() == address;
    }

    /** The first from {@code from} on that begins at an address or after it. */
    private int firstFrom(int address, int from, int to) {
      int first = from;
      int end = to;
      while (first < end) {
        int middle = (first + end) >>> 1;
        if (Integer.compareUnsigned(prefixes[middle].address(), address) < 0) {
          first = middle + 1;
        } else {
          end = middle;
        }
      }
      return first;
    }
  }

  /** What is done to the part of a prefix. */
  private interface Edit {
    RouteTrie of(RouteTrie part, long route);
  }

  /** The same, but with these routes for all addresses of prefixes; the longest counts. */
  RouteTrie withRoutes(Routes routes) {
    return edited(0, 0, routes, 0, routes.prefixes.length, RouteTrie::routed);
  }

  /** The same, but with these rules installed. */
  RouteTrie withInstalled(Routes rules) {
    return edited(0, 0, rules, 0, rules.prefixes.length, RouteTrie::holding);
  }

  private RouteTrie edited(int address, int length, Routes routes, int from, int to, Edit edit) {
    RouteTrie part = this;
    int next = from;
    if (next < to && routes.isAt(next, address, length)) {
      part = edit.of(part, routes.routes[next++]);
    }
    if (next == to) {
      return part;
    }
    int middle = address | 1 << (ADDRESS_BITS - 1 - length);
    int split = routes.firstFrom(middle, next, to);
    return of(
        part.lowHalf().edited(address, length + 1, routes, next, split, edit),
        part.highHalf().edited(middle, length + 1, routes, split, to, edit),
        part.installed);
  }

  private RouteTrie routed(long newRoute) {
    return isLeaf()
        ? leaf(newRoute, installed)
        : of(low.routed(newRoute), high.routed(newRoute), installed);
  }

  private RouteTrie holding(long rule) {
    return isLeaf() ? leaf(route, rule) : of(low, high, rule);
  }

  /** What all addresses of a prefix do; {@code HALVES}, which is no route, if not the same. */
  private boolean isAll(long what) {
    return isLeaf() ? route == what : low.isAll(what) && high.isAll(what);
  }

  /** Whether no address of a prefix has a route or a rule of another kind. */
  boolean isUnrouted(Ipv4Prefix prefix) {
    RouteTrie part = this;
    for (int bit = 0; bit < prefix.length() && !part.isLeaf(); bit++) {
      part = (prefix.address() << bit) < 0 ? part.high : part.low;
    }
    return part.isAll(NO_ROUTE);
  }

  /** How many rules it takes at least. */
  int fewest() {
    return RouteCosts.rules(costs.with(NO_ROUTE));
  }

  /** How many changes of what is installed lead to the nearest of the smallest sets of rules. */
  int changes() {
    return RouteCosts.changes(costs.with(NO_ROUTE));
  }

  /** Takes rules. */
  interface RuleVisitor {
    /**
     * @param old what was installed, or {@link RouteCosts#NO_ROUTE}
     * @param route what is installed now, or {@code NO_ROUTE}
     */
    void visit(Ipv4Prefix prefix, long old, long route);
  }

  /**
   * The same once the fewest rules are installed, and of several such sets one that is nearest to
   * what is installed now.
   *
   * @param changed given each rule that changes, by rising prefix
   */
  RouteTrie settled(RuleVisitor changed) {
    return settled(0, 0, NO_ROUTE, changed);
  }

  private RouteTrie settled(int address, int length, long inherited, RuleVisitor changed) {
    if (RouteCosts.changes(costs.with(inherited)) == 0) {
      return this;
    }
    long rule = rule(inherited);
    if (rule != installed) {
      changed.visit(Ipv4Prefix.of(address, length), installed, rule);
    }
    if (isLeaf()) {
      return leaf(route, rule);
    }
    long passedOn = rule == NO_ROUTE ? inherited : rule;
    int middle = address | 1 << (ADDRESS_BITS - 1 - length);
    RouteTrie newLow = low.settled(address, length + 1, passedOn, changed);
    RouteTrie newHigh = high.settled(middle, length + 1, passedOn, changed);
    return of(newLow, newHigh, rule);
  }

  /** The rule that is best for this part as a whole. */
  private long rule(long inherited) {
    if (isLeaf()) {
      return route == inherited || route == FREE ? NO_ROUTE : route;
    }
    return costs.ruleOver(low.costs, high.costs, installed, inherited);
  }

  /** Visits the rules that are installed, by rising prefix. */
  void forEachInstalled(RuleVisitor visitor) {
    forEachInstalled(0, 0, visitor);
  }

  private void forEachInstalled(int address, int length, RuleVisitor visitor) {
    if (installed != NO_ROUTE) {
      visitor.visit(Ipv4Prefix.of(address, length), installed, installed);
    }
    if (!isLeaf()) {
      low.forEachInstalled(address, length + 1, visitor);
      high.forEachInstalled(address | 1 << (ADDRESS_BITS - 1 - length), length + 1, visitor);
    }
  }
}
