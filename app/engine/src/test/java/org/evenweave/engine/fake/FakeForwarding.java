package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Fabric;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;

/** Forwards single IPv4 packets through a fake network, hop by hop, by what the tables say then. */
final class FakeForwarding {
  private static final int MOST_HOPS = 64;

  /** Where a packet ended that a switch sends to the controller. */
  static final class Arrival {
    final String switchId;
    final int port;

    Arrival(String switchId, int port) {
      this.switchId = switchId;
      this.port = port;
    }
  }

  private final Fabric fabric;
  private final Map<String, FakeSwitch> switches;
  private final Set<Integer> cutLinks;
  private final Set<Integer> silentLinks;
  private final SplittableRandom hash;

  FakeForwarding(
      Fabric fabric,
      Map<String, FakeSwitch> switches,
      Set<Integer> cutLinks,
      Set<Integer> silentLinks,
      SplittableRandom hash) {
    this.fabric = fabric;
    this.switches = switches;
    this.cutLinks = cutLinks;
    this.silentLinks = silentLinks;
    this.hash = hash;
  }

  /** Whether a link is at the port. */
  boolean isLink(String switchId, int port) {
    return arcAt(fabric.indexOf(switchId), port) >= 0;
  }

  /** Where a frame comes that a switch sends out of a port; null if it is lost. */
  Arrival follow(String switchId, int outPort, byte[] frame) {
    IPv4 packet = packet(frame);
    int arc = arcAt(fabric.indexOf(switchId), outPort);
    for (int hop = 0; hop < MOST_HOPS && arc >= 0; hop++) {
      if (cutLinks.contains(arc >> 1) || silentLinks.contains(arc >> 1)) {
        return null;
      }
      FakeSwitch here = switches.get(fabric.switchId(fabric.to(arc)));
      int inPort = fabric.port(arc ^ 1);
      FlowRule rule = here.lookup(packet.getSourceAddress(), packet.getDestinationAddress());
      if (rule == null) {
        return null;
      }
      if (rule.action() == FlowRule.Action.TO_CONTROLLER) {
        return here.connected ? new Arrival(fabric.switchId(fabric.to(arc)), inPort) : null;
      }
      arc = chosen(fabric.to(arc), inPort, here, rule);
    }
    return null;
  }

  /** The arc that the packet leaves by; -1 if there is none. A switch sends no packet back. */
  private int chosen(int s, int inPort, FakeSwitch here, FlowRule rule) {
    List<Integer> arcs = new ArrayList<>();
    for (int port : here.outPorts(rule)) {
      int arc = arcAt(s, port);
      if (arc >= 0 && !cutLinks.contains(arc >> 1)) {
        arcs.add(arc);
      }
    }
    int arc = arcs.isEmpty() ? -1 : arcs.get(hash.nextInt(arcs.size()));
    return arc >= 0 && fabric.port(arc) == inPort ? -1 : arc;
  }

  private static IPv4 packet(byte[] frame) {
    try {
      Ethernet ethernet = Ethernet.deserializer().deserialize(frame, 0, frame.length);
      return (IPv4) ethernet.getPayload();
    } catch (DeserializationException e) {
      throw new AssertionError(e);
    }
  }

  /** The arc that leaves a switch by a port; -1 if there is none. */
  int arcAt(int s, int port) {
    for (int i = 0; i < fabric.outDegree(s); i++) {
      if (fabric.port(fabric.outArc(s, i)) == port) {
        return fabric.outArc(s, i);
      }
    }
    return -1;
  }
}
