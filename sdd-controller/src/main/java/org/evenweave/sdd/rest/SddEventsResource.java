package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.config.Trigger;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.trigger.Firing;
import org.evenweave.sdd.trigger.TriggerState;
import org.evenweave.sdd.trigger.Triggers;

/** The triggers that have fired: host, count and time. */
@Path("sdd/events")
@Produces(MediaType.APPLICATION_JSON)
public final class SddEventsResource {
  private final SddController controller;

  public SddEventsResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code {"triggers":[{"name":"web-waits","queue":"class:web","fired":3,"inForce":1,"hosts":[{
   * "host":"h0","state":"watched","inForce":true,"fired":3,"lastNs":812345678901234,
   * "agoNs":1200000000,"queuedPackets":80,"queuedBytes":120000},...]}],"events":[{
   * "timeNs":812345678901234,"event":"fired","trigger":"web-waits","host":"h0",
   * "queuedPackets":80,"queuedBytes":120000},...]}}: the last events come last. A host that refused
   * has a {@code problem}. What waited is missing where the host did not say, as when the operator
   * ended it.
   */
  @GET
  public String events() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode rows = root.putArray("triggers");
    Triggers triggers = controller.triggers();
    synchronized (triggers) {
      for (Trigger trigger : triggers.config().triggers()) {
        describe(trigger, triggers.states(trigger.name()), rows.addObject());
      }
    }
    ArrayNode events = root.putArray("events");
    for (Firing firing : triggers.recent()) {
      ObjectNode row =
          events
              .addObject()
              .put("timeNs", firing.timeNs())
              .put("event", firing.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .put("trigger", firing.trigger())
              .put("host", firing.host());
      if (firing.reportsQueue()) {
        row.put("queuedPackets", firing.queuedPackets()).put("queuedBytes", firing.queuedBytes());
      }
    }
    return root.toString();
  }

  private void describe(Trigger trigger, List<TriggerState> states, ObjectNode row) {
    row.put("name", trigger.name()).put("queue", trigger.queue().toString());
    long fired = 0;
    int inForce = 0;
    ArrayNode hosts = JsonNodeFactory.instance.arrayNode();
    for (TriggerState state : states) {
      fired += state.fired();
      inForce += state.inForce() ? 1 : 0;
      describe(state, hosts.addObject());
    }
    row.put("fired", fired).put("inForce", inForce).set("hosts", hosts);
  }

  private void describe(TriggerState state, ObjectNode row) {
    row.put("host", controller.directory().nameOf(state.host())).put("state", state.state());
    if (!state.problem().isEmpty()) {
      row.put("problem", state.problem());
    }
    row.put("inForce", state.inForce()).put("fired", state.fired());
    if (state.last() != null) {
      row.put("lastNs", state.last().timeNs())
          .put("agoNs", controller.config().clock().nowNs() - state.last().timeNs())
          .put("queuedPackets", state.last().queuedPackets())
          .put("queuedBytes", state.last().queuedBytes());
    }
  }
}
