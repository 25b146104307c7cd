package org.evenweave.wcmp.weights;

import java.util.Arrays;

/** The routes of a twin class as one of its destinations has them; see {@link RoutesTable}. */
final class TwinView extends DestinationRoutes {
  private final RoutesTable table;
  private final int destination;
  private final TwinRoutes routes;

  /** Groups of the neighbours, made when first asked for; threads may race to it. */
  private final IdealGroup[] groupOfNeighbour;

  TwinView(RoutesTable table, int destination, TwinRoutes routes) {
    this.table = table;
    this.destination = destination;
    this.routes = routes;
    groupOfNeighbour = new IdealGroup[table.bundles(destination).neighbour.length];
  }

  @Override
  public int destination() {
    return destination;
  }

  @Override
  public int hops(int s) {
    boolean twin = routes.hops[s] == 0 && s != destination;
    return twin ? (groupOfNeighbour.length > 0 ? 2 : -1) : routes.hops[s];
  }

  @Override
  public IdealGroup group(int s) {
    if (routes.groups[s] != null) {
      return routes.groups[s];
    }
    if (s == destination || routes.hops[s] < 0) {
      return IdealGroup.EMPTY;
    }
    return routes.hops[s] == 0 ? table.groupOfAllLinks(s) : groupOfNeighbour(s);
  }

  private IdealGroup groupOfNeighbour(int s) {
    int index = Arrays.binarySearch(table.bundles(destination).neighbour, s);
    if (groupOfNeighbour[index] == null) {
      groupOfNeighbour[index] = table.groupOfLinksTo(s, destination);
    }
    return groupOfNeighbour[index];
  }
}
