package org.evenweave.engine.liveness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/** The paths of probes through a switch that is not connected, in one snapshot. */
final class ProbePaths {
  private final Nib nib;
  private final Function<String, SwitchTables> tables;
  private final Snapshot snapshot;
  private final Fabric fabric;
  private final int s;
  private final List<Integer> arcsIn = new ArrayList<>();
  private final List<Integer> subnets = new ArrayList<>();

  /** By subnet and switch, whether all packets there arrive; false while that is found out. */
  private final Map<List<Integer>, Boolean> known = new HashMap<>();

  /**
   * @param tables what each switch holds, or null where that is not known
   * @param s the number of the switch
   */
  ProbePaths(Nib nib, Function<String, SwitchTables> tables, int s) {
    this.nib = nib;
    this.tables = tables;
    this.snapshot = nib.snapshot();
    this.fabric = snapshot.physical();
    this.s = s;
    for (int i = 0; i < fabric.outDegree(s); i++) {
      int arcIn = fabric.outArc(s, i) ^ 1;
      if (canSend(arcIn)) {
        arcsIn.add(arcIn);
      }
    }
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      if (snapshot.isPresent(fabric.subnetSwitch(subnet)) && arcPast(subnet) >= 0) {
        subnets.add(subnet);
      }
    }
  }

  private boolean canSend(int arc) {
    int from = fabric.from(arc);
    return snapshot.isPresent(from) && nib.isUp(fabric.switchId(from), fabric.port(arc));
  }

  /** Arcs into the switch that a connected neighbour can send on. */
  List<Integer> arcsIn() {
    return arcsIn;
  }

  /** Subnets whose switch is connected and can be reached from another neighbour of its own. */
  List<Integer> subnets() {
    return subnets;
  }

  /** An arc into a subnet's switch that does not come from the probed one, or -1. */
  int arcPast(int subnet) {
    int destination = fabric.subnetSwitch(subnet);
    for (int i = 0; i < fabric.outDegree(destination); i++) {
      int arc = fabric.outArc(destination, i) ^ 1;
      if (fabric.from(arc) != s && destination != s && canSend(arc)) {
        return arc;
      }
    }
    return -1;
  }

  /**
   * Whether every packet that enters by an arc arrives at a subnet's switch if the switch forwards
   * as it should, unless it would leave by the port it came in by: such a packet is dropped. From
   * there on only switches that are connected count, since what they hold is certain.
   */
  boolean canPass(int arcIn, int subnet) {
    return fabric.from(arcIn) != fabric.subnetSwitch(subnet)
        && arrives(s, subnet, fabric.port(arcIn ^ 1));
  }

  private boolean arrives(int here, int subnet, int portIn) {
    SwitchTables held = tables.apply(fabric.switchId(here));
    boolean any = false;
    int[] ports = held == null ? new int[0] : held.outPorts(fabric.subnetPrefix(subnet));
    for (int port : ports) {
      int arc = port == portIn ? -1 : fabric.outArcAt(here, port);
      if (arc >= 0) {
        any = true;
        int next = fabric.to(arc);
        if (next != fabric.subnetSwitch(subnet) && !arrives(next, subnet)) {
          return false;
        }
      }
    }
    return any;
  }

  private boolean arrives(int next, int subnet) {
    List<Integer> key = List.of(subnet, next);
    Boolean arrives = known.putIfAbsent(key, false);
    if (arrives == null) {
      arrives = snapshot.isPresent(next) && arrives(next, subnet, -1);
      known.put(key, arrives);
    }
    return arrives;
  }
}
