package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.RoutesTable;

/**
 * Routes around switches that are held, where what they hold does not go with the routes.
 *
 * <p>A switch that cannot be programmed forwards as it did. Towards a destination it may stay on
 * others' routes as long as every next hop it has is strictly nearer to the destination on these
 * routes: then it is one of the switches that {@link UpdatePlan} calls changed, from the beginning,
 * and nothing loops or gets lost. Otherwise the others route around it; those that have no other
 * way keep the rule they have ({@link TableCompiler}).
 */
public final class HeldTables {
  private final Routing routing;
  private final Fabric fabric;
  private final Map<String, SwitchTables> installed;
  private final BitSet held;

  private HeldTables(Routing routing, Map<String, SwitchTables> installed) {
    this.routing = routing;
    this.installed = installed;
    fabric = routing.snapshot().physical();
    held = routing.snapshot().held();
  }

  /**
   * The routing that goes with what the held switches of its snapshot have installed.
   *
   * @param installed by switch id; of a held switch that is missing there nothing is known, and
   *     nobody uses it
   * @return the same routing if that goes with it
   */
  public static Routing routedAround(Routing routing, Map<String, SwitchTables> installed) {
    HeldTables tables = new HeldTables(routing, installed);
    Map<Integer, DestinationRoutes> others = new HashMap<>();
    if (!tables.held.isEmpty()) {
      for (int destination : routing.destinations()) {
        DestinationRoutes routes = tables.around(destination);
        if (routes != routing.to(destination)) {
          others.put(destination, routes);
        }
      }
    }
    return others.isEmpty() ? routing : routing.with(others);
  }

  private DestinationRoutes around(int destination) {
    DestinationRoutes routes = routing.to(destination);
    BitSet avoided = new BitSet();
    for (boolean complete = false; !complete; ) {
      complete = true;
      for (int s = held.nextSetBit(0); s >= 0; s = held.nextSetBit(s + 1)) {
        if (!avoided.get(s) && !mayBeUsed(s, routes, avoided)) {
          avoided.set(s);
          complete = false;
        }
      }
      routes = complete ? routes : without(avoided, destination);
    }
    return routes;
  }

  private DestinationRoutes without(BitSet switches, int destination) {
    int[] links =
        switches.stream().flatMap(s -> Arrays.stream(fabric.linksAt(s))).distinct().toArray();
    Fabric rest = routing.snapshot().fabric().withLinksDown(links);
    return RoutesTable.compute(rest, routing.rule(), new int[] {destination}).to(destination);
  }

  /** Whether a held switch forwards well what others send it on these routes. */
  private boolean mayBeUsed(int s, DestinationRoutes routes, BitSet avoided) {
    if (s == routes.destination() || routes.hops(s) < 0) {
      return true;
    }
    SwitchTables tables = installed.get(fabric.switchId(s));
    for (int i = 0; i < fabric.subnetCount(); i++) {
      if (fabric.subnetSwitch(i) == routes.destination()
          && (tables == null
              || !leadNearer(s, tables.outPorts(fabric.subnetPrefix(i)), routes, avoided))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether one of the ports is up and all lead nearer to the destination. The switch skips ports
   * that are down by itself, but takes them back by itself too.
   */
  private boolean leadNearer(int s, int[] ports, DestinationRoutes routes, BitSet avoided) {
    boolean anyUp = false;
    for (int link : fabric.linksAt(s)) {
      int arc = fabric.from(2 * link) == s ? 2 * link : 2 * link + 1;
      if (Arrays.binarySearch(ports, fabric.port(arc)) >= 0) {
        int next = fabric.to(arc);
        boolean isNearer = routes.hops(next) >= 0 && routes.hops(next) < routes.hops(s);
        if (avoided.get(next) || !isNearer) {
          return false;
        }
        anyUp |= fabric.isUp(link);
      }
    }
    return anyUp;
  }
}
