package org.evenweave.engine.aggregation;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** Distinct prefixes in the order of address and length, each with a route. */
final class PrefixRoutes {
  private final Ipv4Prefix[] prefixes;
  private final long[] routes;

  /** Neither is copied. */
  PrefixRoutes(Ipv4Prefix[] prefixes, long[] routes) {
    this.prefixes = prefixes;
    this.routes = routes;
  }

  int size() {
    return routes.length;
  }

  Ipv4Prefix prefix(int i) {
    return prefixes[i];
  }

  long route(int i) {
    return routes[i];
  }

  /** Whether a prefix is just {@code address/length}. */
  boolean isAt(int i, int address, int length) {
    return prefixes[i].length() == length && prefixes[i].address() == address;
  }

  /** The first from {@code from} on, before {@code to}, that begins at an address or after it. */
  int firstFrom(int address, int from, int to) {
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
