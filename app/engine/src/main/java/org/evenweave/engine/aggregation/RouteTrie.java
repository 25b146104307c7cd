package org.evenweave.engine.aggregation;

import static org.evenweave.engine.aggregation.RouteCosts.NO_ROUTE;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The desired route of each address and the installed rules, as a binary trie of {@link
 * RouteNode}s. Immutable. Its size depends on the number of rules, not on the number of prefixes.
 * It has no nodes above the shortest prefix that contains all others, as a fabric's prefixes have a
 * dozen bits in common: so a change of one prefix below that one, n bits shorter, visits n + 1
 * nodes and makes as many new ones, beside leaves and the nodes of rules inside it.
 */
final class RouteTrie {
  private static final int ADDRESS_BITS = 32;

  /** No addresses have routes, and there are no rules. */
  static final RouteTrie EMPTY = new RouteTrie(0, ADDRESS_BITS, RouteNode.EMPTY);

  /** The root is that of {@code address/length}. */
  private final int address;

  private final int length;
  private final RouteNode root;

  private RouteTrie(int address, int length, RouteNode root) {
    this.address = address;
    this.length = length;
    this.root = root;
  }

  RouteNode root() {
    return root;
  }

  /** The same, but with these routes for all addresses of prefixes; the longest counts. */
  RouteTrie withRoutes(PrefixRoutes routes) {
    return edited(routes, RouteNode::routed);
  }

  /** The same, but with these rules installed. */
  RouteTrie withInstalled(PrefixRoutes rules) {
    return edited(rules, RouteNode::holding);
  }

  private RouteTrie edited(PrefixRoutes routes, RouteNode.Edit edit) {
    if (routes.size() == 0) {
      return this;
    }
    RouteTrie wide = around(routes);
    RouteNode edited = wide.root.edited(wide.address, wide.length, routes, 0, routes.size(), edit);
    return new RouteTrie(wide.address, wide.length, edited);
  }

  /** The same with a root around these prefixes, too. */
  private RouteTrie around(PrefixRoutes routes) {
    int around = root == RouteNode.EMPTY ? routes.prefix(0).address() : address;
    int shorter = root == RouteNode.EMPTY ? ADDRESS_BITS : length;
    for (int i = 0; i < routes.size(); i++) {
      Ipv4Prefix prefix = routes.prefix(i);
      int common = Integer.numberOfLeadingZeros(prefix.address() ^ around);
      shorter = Math.min(shorter, Math.min(prefix.length(), common));
    }
    RouteNode wide = root;
    for (int bits = length; bits > shorter && root != RouteNode.EMPTY; bits--) {
      boolean isHigh = address << (bits - 1) < 0;
      wide =
          RouteNode.of(isHigh ? RouteNode.EMPTY : wide, isHigh ? wide : RouteNode.EMPTY, NO_ROUTE);
    }
    return new RouteTrie(shorter == 0 ? 0 : around & -1 << (ADDRESS_BITS - shorter), shorter, wide);
  }

  /** Whether no address of a prefix has a route or a rule of another kind. */
  boolean isUnrouted(Ipv4Prefix prefix) {
    int common = Integer.numberOfLeadingZeros(prefix.address() ^ address);
    return common < Math.min(length, prefix.length()) || root.part(length, prefix).isUnrouted();
  }

  /** How many rules it takes at least. */
  int fewest() {
    return RouteCosts.rules(root.cost());
  }

  /** How many changes of what is installed lead to the nearest of the smallest sets of rules. */
  int changes() {
    return RouteCosts.changes(root.cost());
  }

  /**
   * The same once the fewest rules are installed, and of several such sets one that is nearest to
   * what is installed now.
   *
   * @param changed given each rule that changes, by rising prefix
   */
  RouteTrie settled(RouteNode.RuleVisitor changed) {
    return new RouteTrie(address, length, root.settled(address, length, NO_ROUTE, changed));
  }

  /** Visits the rules that are installed, by rising prefix. */
  void forEachInstalled(RouteNode.RuleVisitor visitor) {
    root.forEachInstalled(address, length, visitor);
  }
}
