package org.evenweave.engine.aggregation;

import java.util.Arrays;

/**
 * The cost of routing a part of the address space with the fewest rules, and with the fewest
 * changes of rules: one cost for each route that an enclosing rule may provide. Immutable.
 *
 * <p>A cost is a number of rules and, where that is equal, a number of changes: rules that are put,
 * replaced or deleted. Any rule more outweighs all changes, so a cost is one number.
 *
 * <p>Routes are numbers, not negative. A part of which some address must not be routed cannot
 * inherit a route, as no rule takes one away; it has its one cost for no route.
 */
final class RouteCosts {
  /** In place of a route, where there is none. */
  static final long NO_ROUTE = -1;

  private static final int CHANGE_BITS = 32;

  /** The cost of a rule. */
  private static final long RULE = 1L << CHANGE_BITS;

  private static final long[] NONE = {};

  /** Of addresses that need no rule, whichever they inherit, and have none of their own. */
  private static final RouteCosts FREE = new RouteCosts(false, NONE, NONE, 0, NO_ROUTE);

  private static final RouteCosts UNROUTED = new RouteCosts(true, NONE, NONE, 0, NO_ROUTE);

  private static final RouteCosts FREE_WITH_A_RULE = new RouteCosts(false, NONE, NONE, 1, NO_ROUTE);

  private static final RouteCosts UNROUTED_WITH_A_RULE =
      new RouteCosts(true, NONE, NONE, 1, NO_ROUTE);

  /** Whether some address must not be routed. */
  private final boolean isOpen;

  /** Those that cost less than others to inherit, rising. */
  private final long[] routes;

  /** By index in {@link #routes}. */
  private final long[] costs;

  /** The cost with any other route, and with none. */
  private final long otherwise;

  /** The route of the best rule for the part as a whole; {@link #NO_ROUTE} if none is of use. */
  private final long best;

  private RouteCosts(boolean isOpen, long[] routes, long[] costs, long otherwise, long best) {
    this.isOpen = isOpen;
    this.routes = routes;
    this.costs = costs;
    this.otherwise = otherwise;
    this.best = best;
  }

  /** How many rules are in a cost. */
  static int rules(long cost) {
    return (int) (cost >>> CHANGE_BITS);
  }

  /** How many changes are in a cost. */
  static int changes(long cost) {
    return (int) cost;
  }

  /**
   * Of addresses that all must have one route.
   *
   * @param installed the route of the rule that is installed for just these; {@link #NO_ROUTE} if
   *     there is none
   */
  static RouteCosts routed(long route, long installed) {
    return new RouteCosts(
        false,
        new long[] {route},
        new long[] {change(installed, NO_ROUTE)},
        RULE + change(installed, route),
        route);
  }

  /** Of addresses that longer rules of another kind match, whatever route they inherit. */
  static RouteCosts free(long installed) {
    return installed == NO_ROUTE ? FREE : FREE_WITH_A_RULE;
  }

  /** Of addresses that must not be routed. */
  static RouteCosts unrouted(long installed) {
    return installed == NO_ROUTE ? UNROUTED : UNROUTED_WITH_A_RULE;
  }

  /** Of two halves together. */
  static RouteCosts of(RouteCosts low, RouteCosts high, long installed) {
    long withoutRule = change(installed, NO_ROUTE);
    if (low.isOpen || high.isOpen) {
      long cost = withoutRule + low.otherwise + high.otherwise;
      return cost == 0 ? UNROUTED : new RouteCosts(true, NONE, NONE, cost, NO_ROUTE);
    }
    return closed(low, high, installed, withoutRule);
  }

  private static RouteCosts closed(
      RouteCosts low, RouteCosts high, long installed, long withoutRule) {
    int most = low.routes.length + high.routes.length;
    long[] routes = new long[most];
    long[] halves = new long[most];
    int count = 0;
    long best = NO_ROUTE;
    long bestCost = Long.MAX_VALUE;
    for (int i = 0, j = 0; i < low.routes.length || j < high.routes.length; count++) {
      boolean isOfLow =
          j == high.routes.length || (i < low.routes.length && low.routes[i] <= high.routes[j]);
      long route = isOfLow ? low.routes[i] : high.routes[j];
      boolean isOfHigh = j < high.routes.length && high.routes[j] == route;
      routes[count] = route;
      halves[count] =
          (isOfLow ? low.costs[i++] : low.otherwise)
              + (isOfHigh ? high.costs[j++] : high.otherwise);
      long withRule = RULE + change(installed, route) + halves[count];
      if (withRule < bestCost) {
        best = route;
        bestCost = withRule;
      }
    }
    long otherwise = Math.min(withoutRule + low.otherwise + high.otherwise, bestCost);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      long cost = Math.min(withoutRule + halves[i], bestCost);
      if (cost < otherwise) {
        routes[kept] = routes[i];
        halves[kept++] = cost;
      }
    }
    boolean isFull = kept == most;
    return new RouteCosts(
        false,
        isFull ? routes : Arrays.copyOf(routes, kept),
        isFull ? halves : Arrays.copyOf(halves, kept),
        otherwise,
        best);
  }

  /** The cost of a rule with this route, or none, where another one or none is installed. */
  private static long change(long installed, long route) {
    return installed == route ? 0 : 1;
  }

  /** The least cost with an inherited route, or {@link #NO_ROUTE}. */
  long with(long inherited) {
    int found = Arrays.binarySearch(routes, inherited);
    return found < 0 ? otherwise : costs[found];
  }

  /**
   * The route of the rule that the part of these two halves should have itself; {@link #NO_ROUTE}
   * for none. Of equals a rule for the whole: where parts of it join later, fewer rules change.
   */
  long ruleOver(RouteCosts low, RouteCosts high, long installed, long inherited) {
    if (best == NO_ROUTE) {
      return NO_ROUTE;
    }
    long withRule = RULE + change(installed, best) + low.with(best) + high.with(best);
    long withoutRule = change(installed, NO_ROUTE) + low.with(inherited) + high.with(inherited);
    return withRule <= withoutRule ? best : NO_ROUTE;
  }
}
