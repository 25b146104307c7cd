package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.loop.LoopState;
import org.evenweave.sdd.loop.PacketRate;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.Directory;

/** The latest announced schedule. */
@Path("sdd/schedule")
@Produces(MediaType.APPLICATION_JSON)
public final class SddScheduleResource {
  private final SddController controller;

  public SddScheduleResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code {"period":1201,"startNs":..,"nightNs":50000,"days":[{"startNs":50000,
   * "durationNs":4900000,"circuits":[{"from":"h0","to":"h1"},...]},...]}}; a day's start is
   * relative to its period's. Without a schedule yet, {@code period} is -1. With racks, circuits
   * between them have a {@code path}; where it is known what other traffic uses of the links, also
   * {@code "links":[{"from":"leaf0","to":"spine0","usedPercent":12.5},...]}. With hybrid also
   * {@code "packetSwitch":[{"from":"h0","to":"h2","remainderBytes":40000,"rateBps":9000000},...]}:
   * pairs with demand that no day carries, with {@code class} where it is of a circuit class.
   */
  @GET
  public String schedule() {
    LoopState state = controller.state();
    Directory directory = controller.directory();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("period", state.period())
        .put("startNs", state.startNs())
        .put("nightNs", state.nightNs());
    RackLinks links = RackLinks.of(controller.config(), controller.usedLinks());
    CircuitRows rows = new CircuitRows(controller.config(), links);
    ArrayNode days = root.putArray("days");
    for (LoopState.Day day : state.days()) {
      ObjectNode row =
          days.addObject().put("startNs", day.startNs()).put("durationNs", day.durationNs());
      rows.add(day::destination, row);
    }
    if (links != null) {
      links.describe(root.putArray("links"));
    }
    if (controller.config().hybridBps() > 0) {
      ArrayNode rates = root.putArray("packetSwitch");
      for (PacketRate rate : state.packetRates()) {
        ObjectNode row =
            rates
                .addObject()
                .put("from", directory.nameOf(rate.source()))
                .put("to", directory.nameOf(rate.destination()));
        if (rate.circuitClass() > 0) {
          row.put(
              "class", controller.config().circuitClasses().get(rate.circuitClass() - 1).name());
        }
        row.put("remainderBytes", rate.remainderBytes()).put("rateBps", rate.rateBps());
      }
    }
    return root.toString();
  }
}
