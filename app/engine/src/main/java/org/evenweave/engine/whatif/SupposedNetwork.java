package org.evenweave.engine.whatif;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.SwitchPort;

/** A network with a hypothetical change or a single failure. */
final class SupposedNetwork {
  private final Snapshot now;
  private final Map<SwitchPort, Integer> arcOfEnd = new HashMap<>();

  private final List<SwitchPort> addedEnds = new ArrayList<>();

  private SupposedNetwork(Snapshot now) {
    this.now = now;
    Fabric physical = now.physical();
    for (int arc = 0; arc < physical.arcCount(); arc++) {
      arcOfEnd.put(physical.end(arc), arc);
    }
  }

  /**
   * The network after the change: what is excluded is there and carries nothing.
   *
   * @throws FabricException with the path of what is not in the network, or cannot be
   */
  static Snapshot of(Snapshot now, Supposition supposition) {
    SupposedNetwork network = new SupposedNetwork(now);
    BitSet drained = network.drained(supposition);
    Snapshot linked =
        network
            .withLinks(supposition.changed())
            .unguarded(supposition.switches(), network.addedEnds);
    return drained.isEmpty()
        ? linked
        : linked.supposing(
            linked.fabric().withLinksDown(drained.stream().toArray()),
            linked.physical(),
            new BitSet());
  }

  /** The network without a link, as if it had been cut. */
  static Snapshot withoutLink(Snapshot now, int link) {
    return now.supposing(
        now.fabric().withLinksDown(link), now.physical().withLinksDown(link), new BitSet());
  }

  /** The network without a switch, as if it had lost its power. */
  static Snapshot withoutSwitch(Snapshot now, int s) {
    int[] links = now.physical().linksAt(s);
    BitSet gone = new BitSet();
    gone.set(s);
    return now.supposing(
        now.fabric().withLinksDown(links), now.physical().withLinksDown(links), gone);
  }

  private BitSet drained(Supposition supposition) {
    BitSet links = new BitSet();
    for (int i = 0; i < supposition.switches().size(); i++) {
      String id = supposition.switches().get(i);
      int s = now.physical().indexOf(id);
      if (s < 0) {
        throw new FabricException(
            "exclude.switches[" + i + "]", "the network has no switch \"" + id + "\"");
      }
      for (int link : now.physical().linksAt(s)) {
        links.set(link);
      }
    }
    for (int i = 0; i < supposition.links().size(); i++) {
      Integer arc = arcOfEnd.get(supposition.links().get(i));
      if (arc == null) {
        throw new FabricException(
            "exclude.links[" + i + "]",
            "the network has no link with the end " + supposition.links().get(i));
      }
      links.set(arc >> 1);
    }
    return links;
  }

  /** Links that are new come last, so that the others keep their numbers. */
  private Snapshot withLinks(List<Supposition.Link> changed) {
    Fabric inUse = now.fabric();
    Fabric physical = now.physical();
    List<Supposition.Link> added = new ArrayList<>();
    for (int i = 0; i < changed.size(); i++) {
      Supposition.Link link = changed.get(i);
      Integer arc = arcOfEnd.get(link.a);
      if (arc != null && arcOfEnd.getOrDefault(link.b, -1) == (arc ^ 1)) {
        int number = arc >> 1;
        boolean comesUp = !physical.isUp(number);
        inUse = inUse.withCapacityBps(number, link.bps);
        physical = physical.withCapacityBps(number, link.bps);
        inUse = comesUp ? inUse.withLinksUp(number) : inUse;
        physical = comesUp ? physical.withLinksUp(number) : physical;
      } else {
        requireFree("links[" + i + "].a", link.a);
        requireFree("links[" + i + "].b", link.b);
        added.add(link);
        arcOfEnd.put(link.a, -1);
        arcOfEnd.put(link.b, -1);
        addedEnds.add(link.a);
        addedEnds.add(link.b);
      }
    }
    if (!added.isEmpty()) {
      inUse = with(inUse, added, changed);
      physical = with(physical, added, changed);
    }
    return now.supposing(inUse, physical, new BitSet());
  }

  private void requireFree(String path, SwitchPort end) {
    if (now.physical().indexOf(end.switchId()) < 0) {
      throw new FabricException(path, "the network has no switch \"" + end.switchId() + "\"");
    }
    if (arcOfEnd.containsKey(end)) {
      throw new FabricException(path, end + " is the end of another link; name a free port");
    }
    for (Host host : now.hostsAt(end.switchId())) {
      if (host.port() == end.number()) {
        throw new FabricException(path, "hosts are at " + end + "; name a free port");
      }
    }
  }

  private static Fabric with(
      Fabric fabric, List<Supposition.Link> added, List<Supposition.Link> changed) {
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < fabric.switchCount(); s++) {
      builder.addSwitch(
          fabric.switchId(s),
          fabric.stage(s),
          fabric.tableEntries(s),
          fabric.target(s),
          fabric.leaveOut(s));
    }
    for (int link = 0; link < fabric.linkCount(); link++) {
      builder.addLink(fabric.end(2 * link), fabric.end(2 * link + 1), fabric.capacityBps(2 * link));
    }
    for (Supposition.Link link : added) {
      try {
        builder.addLink(link.a, link.b, link.bps);
      } catch (FabricException e) {
        throw new FabricException("links[" + changed.indexOf(link) + "]", e.problem());
      }
    }
    for (int i = 0; i < fabric.subnetCount(); i++) {
      builder.addSubnet(fabric.switchId(fabric.subnetSwitch(i)), fabric.subnetPrefix(i));
    }
    return builder.build().withLinksDown(fabric.linksDown().toArray());
  }
}
