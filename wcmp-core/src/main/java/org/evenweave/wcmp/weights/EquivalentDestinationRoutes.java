package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * The routes to one of several {@link EquivalentDestinations}: what they share, except for the
 * destination itself and its neighbours; see {@link RoutesTable}.
 */
final class EquivalentDestinationRoutes extends DestinationRoutes {
  private final RoutesTable table;
  private final int destination;
  private final EquivalentDestinations routes;

  /** Groups of the neighbours, made at the first call; threads may race to it. */
  private IdealGroup[] groupOfNeighbour;

  EquivalentDestinationRoutes(RoutesTable table, int destination, EquivalentDestinations routes) {
    this.table = table;
    this.destination = destination;
    this.routes = routes;
  }

  @Override
  public int destination() {
    return destination;
  }

  @Override
  public int hops(int s) {
    boolean equivalent = routes.hops[s] == 0 && s != destination;
    return equivalent ? (neighbours().length > 0 ? 2 : -1) : routes.hops[s];
  }

  @Override
  public IdealGroup group(int s) {
    if (s == destination || routes.hops[s] < 0) {
      return IdealGroup.EMPTY;
    }
    IdealGroup common = routes.groups.get(s);
    if (common != null) {
      return common;
    }
    return routes.hops[s] == 0 ? table.groupOfAllLinks(s) : groupOfNeighbour(s);
  }

  private IdealGroup groupOfNeighbour(int s) {
    IdealGroup[] groups = groupOfNeighbour;
    if (groups == null) {
      groups = new IdealGroup[neighbours().length];
      groupOfNeighbour = groups;
    }
    int index = Arrays.binarySearch(neighbours(), s);
    IdealGroup group = groups[index];
    if (group == null) {
      group = table.groupOfLinksTo(s, destination);
      groups[index] = group;
    }
    return group;
  }

  private int[] neighbours() {
    return table.bundles(destination).neighbour;
  }
}
