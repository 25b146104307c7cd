package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.packets.PacketCounts;
import org.evenweave.wcmp.fabric.SwitchPort;

/** Counts of packets that hosts sent to the controller, and ports whose packets had no use. */
@Path("packets")
@Produces(MediaType.APPLICATION_JSON)
public final class PacketsResource {
  private final Engine engine;

  public PacketsResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"handled":812,"malformed":3,"dropped":0,
   * "expired":{"answered":90,"limited":12,"unanswered":1},
   * "ports":[{"switch":"s1-0","port":5,"malformed":3,"dropped":0}],
   * "sourceGuard":{"dropped":7,"ports":[{"switch":"s1-0","port":5,"dropped":7}],"unguarded":[]}}}.
   * Expired are packets whose TTL was used up. What the source guard dropped is as of the latest
   * audit; unguarded are switches that cannot check sources.
   */
  @GET
  public String packets() {
    PacketCounts counts = engine.packets();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("handled", counts.allHandled())
        .put("malformed", counts.allMalformed())
        .put("dropped", counts.allDropped());
    root.putObject("expired")
        .put("answered", counts.allExpiredAnswered())
        .put("limited", counts.allExpiredLimited())
        .put("unanswered", counts.allExpiredUnanswered());
    ArrayNode ports = root.putArray("ports");
    for (PacketCounts.Port port : counts.ports()) {
      ports
          .addObject()
          .put("switch", port.id().switchId())
          .put("port", port.id().number())
          .put("malformed", port.malformed())
          .put("dropped", port.dropped());
    }
    addSources(root.putObject("sourceGuard"));
    return root.toString();
  }

  private void addSources(ObjectNode to) {
    Map<SwitchPort, Long> dropped = engine.refusedSources().dropped();
    to.put("dropped", dropped.values().stream().mapToLong(packets -> packets).sum());
    ArrayNode ports = to.putArray("ports");
    dropped.forEach(
        (port, packets) ->
            ports
                .addObject()
                .put("switch", port.switchId())
                .put("port", port.number())
                .put("dropped", packets));
    ArrayNode unguarded = to.putArray("unguarded");
    engine.refusedSources().unguarded().forEach(unguarded::add);
  }
}
