package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.CircuitTotals;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Misses;

/** Faults: packets out of slot, late starts, late configurations, drops. */
@Path("sdd/misses")
@Produces(MediaType.APPLICATION_JSON)
public final class SddMissesResource {
  private final SddController controller;

  public SddMissesResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code {"packetsOutOfSlot":0,"lateStarts":2,"hosts":[{"host":"h0","queue":1,"to":"h1",
   * "packetsOutOfSlot":0,"lateStarts":2,"latestStartNs":81000},...],
   * "circuitSwitch":{"configurations":4800,"lateConfigurations":0,"latestConfigurationNs":0,
   * "ports":[{"port":0,"circuitPackets":..,"circuitBytes":..,"packetPackets":..,"packetBytes":..,
   * "droppedInNight":0,"droppedOutOfSlot":0,"droppedOther":0},...]}}}: of the sessions there are;
   * {@code circuitSwitch} only while it is connected.
   */
  @GET
  public String misses() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    long outOfSlot = 0;
    long lateStarts = 0;
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    for (int number = 0; number < controller.directory().count(); number++) {
      HostSession host = controller.sessions().host(number);
      if (host != null) {
        Misses misses = host.misses();
        outOfSlot = Misses.plus(outOfSlot, misses.packetsOutOfSlot());
        lateStarts = Misses.plus(lateStarts, misses.lateStarts());
        rows(host, misses, rows);
      }
    }
    root.put("packetsOutOfSlot", outOfSlot).put("lateStarts", lateStarts).set("hosts", rows);
    CircuitSession circuitSwitch = controller.sessions().circuitSwitch();
    if (circuitSwitch != null) {
      describe(circuitSwitch.totals(), root.putObject("circuitSwitch"));
    }
    return root.toString();
  }

  private void rows(HostSession host, Misses misses, ArrayNode rows) {
    for (Map.Entry<Integer, Misses.Row> entry : misses.byQueue().entrySet()) {
      ObjectNode row = rows.addObject().put("host", host.name()).put("queue", entry.getKey());
      if (entry.getKey() < controller.directory().count()) {
        row.put("to", controller.directory().nameOf(entry.getKey()));
      }
      row.put("packetsOutOfSlot", entry.getValue().packetsOutOfSlot())
          .put("lateStarts", entry.getValue().lateStarts())
          .put("latestStartNs", entry.getValue().latestStartNs());
    }
  }

  private static void describe(CircuitTotals totals, ObjectNode into) {
    into.put("configurations", totals.configurations())
        .put("lateConfigurations", totals.lateConfigurations())
        .put("latestConfigurationNs", totals.latestConfigurationNs());
    ArrayNode ports = into.putArray("ports");
    for (Map.Entry<Integer, CircuitTotals.Port> entry : totals.byPort().entrySet()) {
      CircuitTotals.Port port = entry.getValue();
      ports
          .addObject()
          .put("port", entry.getKey())
          .put("circuitPackets", port.circuitPackets())
          .put("circuitBytes", port.circuitBytes())
          .put("packetPackets", port.packetPackets())
          .put("packetBytes", port.packetBytes())
          .put("droppedInNight", port.droppedInNight())
          .put("droppedOutOfSlot", port.droppedOutOfSlot())
          .put("droppedOther", port.droppedOther());
    }
  }
}
