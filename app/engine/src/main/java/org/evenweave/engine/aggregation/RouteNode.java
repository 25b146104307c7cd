package org.evenweave.engine.aggregation;

import static org.evenweave.engine.aggregation.RouteCosts.NO_ROUTE;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * A part of the address space: the desired route of each address, and the rules installed for
 * prefixes in it. Immutable; versions share equal subtrees. A range of addresses with one route and
 * no rules in it is one leaf.
 *
 * <p>Each node knows its {@link RouteCosts}, made from those of its halves. They say how many rules
 * differ, below any node and with any route that comes from above, from the best ones: {@link
 * #settled} goes only where that is not 0.
 */
final class RouteNode {
  /** Instead of a route: rules of another kind decide about the addresses of a leaf. */
  static final long FREE = -2;

  /** In place of what a leaf does. */
  private static final long HALVES = -3;

  private static final int ADDRESS_BITS = 32;

  /** No addresses have routes, and there are no rules. */
  static final RouteNode EMPTY =
      new RouteNode(NO_ROUTE, NO_ROUTE, null, null, RouteCosts.unrouted(NO_ROUTE));

  private static final RouteNode ALL_FREE =
      new RouteNode(FREE, NO_ROUTE, null, null, RouteCosts.free(NO_ROUTE));

  /** The route of all addresses, {@link RouteCosts#NO_ROUTE} or {@link #FREE}; of a leaf. */
  private final long route;

  /** The route of the rule that is installed for just this part; or {@code NO_ROUTE}. */
  private final long installed;

  final RouteNode low;
  final RouteNode high;
  private final RouteCosts costs;

  private RouteNode(long route, long installed, RouteNode low, RouteNode high, RouteCosts costs) {
    this.route = route;
    this.installed = installed;
    this.low = low;
    this.high = high;
    this.costs = costs;
  }

  private static RouteNode leaf(long route, long installed) {
    if (route == FREE) {
      return installed == NO_ROUTE
          ? ALL_FREE
          : new RouteNode(route, installed, null, null, RouteCosts.free(installed));
    }
    if (route == NO_ROUTE) {
      return installed == NO_ROUTE
          ? EMPTY
          : new RouteNode(route, installed, null, null, RouteCosts.unrouted(installed));
    }
    return new RouteNode(route, installed, null, null, RouteCosts.routed(route, installed));
  }

  /**
   * Two halves together.
   *
   * @param installed the route of the rule for just both, or {@link RouteCosts#NO_ROUTE}
   */
  static RouteNode of(RouteNode low, RouteNode high, long installed) {
    boolean isLeaf =
        low.route == high.route
            && low.route != HALVES
            && low.installed == NO_ROUTE
            && high.installed == NO_ROUTE;
    return isLeaf
        ? installed == NO_ROUTE ? low : leaf(low.route, installed)
        : new RouteNode(
            HALVES, installed, low, high, RouteCosts.of(low.costs, high.costs, installed));
  }

  private boolean isLeaf() {
    return route != HALVES;
  }

  private RouteNode lowHalf() {
    return isLeaf() ? leaf(route, NO_ROUTE) : low;
  }

  private RouteNode highHalf() {
    return isLeaf() ? leaf(route, NO_ROUTE) : high;
  }

  /** What is done to the part of a prefix. */
  interface Edit {
    RouteNode of(RouteNode part, long route);
  }

  /**
   * The node of {@code address/length} with an edit of some parts.
   *
   * @param from the first of the routes in it; they end before {@code to}
   */
  RouteNode edited(int address, int length, PrefixRoutes routes, int from, int to, Edit edit) {
    RouteNode part = this;
    int next = from;
    if (next < to && routes.isAt(next, address, length)) {
      part = edit.of(part, routes.route(next++));
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

  /** The same with this route for all addresses; the rules stay. */
  RouteNode routed(long newRoute) {
    return isLeaf()
        ? leaf(newRoute, installed)
        : of(low.routed(newRoute), high.routed(newRoute), installed);
  }

  /** The same with this rule for just this part. */
  RouteNode holding(long rule) {
    return isLeaf() ? leaf(route, rule) : of(low, high, rule);
  }

  /** Whether no address has a route or a rule of another kind. */
  boolean isUnrouted() {
    return isLeaf() ? route == NO_ROUTE : low.isUnrouted() && high.isUnrouted();
  }

  /** The part of a prefix in this node of {@code length} bits; a leaf if that is around it. */
  RouteNode part(int length, Ipv4Prefix prefix) {
    RouteNode part = this;
    for (int bit = length; bit < prefix.length() && !part.isLeaf(); bit++) {
      part = (prefix.address() << bit) < 0 ? part.high : part.low;
    }
    return part;
  }

  /** The least cost where no rule is around it. */
  long cost() {
    return costs.with(NO_ROUTE);
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
   * The node of {@code address/length} once the best rules are installed.
   *
   * @param inherited the route that comes from above, or {@link RouteCosts#NO_ROUTE}
   * @param changed given each rule that changes, by rising prefix
   */
  RouteNode settled(int address, int length, long inherited, RuleVisitor changed) {
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
    RouteNode newLow = low.settled(address, length + 1, passedOn, changed);
    RouteNode newHigh = high.settled(middle, length + 1, passedOn, changed);
    return of(newLow, newHigh, rule);
  }

  /** The rule that is best for this part as a whole. */
  private long rule(long inherited) {
    if (isLeaf()) {
      return route == inherited || route == FREE ? NO_ROUTE : route;
    }
    return costs.ruleOver(low.costs, high.costs, installed, inherited);
  }

  /** Visits the rules installed in {@code address/length}, by rising prefix. */
  void forEachInstalled(int address, int length, RuleVisitor visitor) {
    if (installed != NO_ROUTE) {
      visitor.visit(Ipv4Prefix.of(address, length), installed, installed);
    }
    if (!isLeaf()) {
      low.forEachInstalled(address, length + 1, visitor);
      high.forEachInstalled(address | 1 << (ADDRESS_BITS - 1 - length), length + 1, visitor);
    }
  }
}
