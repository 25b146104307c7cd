package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.links.LinkReport;
import org.evenweave.engine.port.PortCounters;

/** The measured quality of links that are up, and ports whose configuration forbids forwarding. */
@Path("links")
@Produces(MediaType.APPLICATION_JSON)
public final class LinksResource {
  private final Engine engine;

  public LinksResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"links":[{"link":"s1-0/1-s2-0/1","mtu":1500,"lossy":true,"slow":false,
   * "mtuTooSmall":false,"avoided":false,"directions":[{"from":"s1-0/1","to":"s2-0/1","seconds":58.0,"sent":58003,
   * "lost":55,"errors":0,"txDropped":0,"probes":30,"probesLost":0,"mtuTooSmall":false,
   * "lossShare":0.001,"lossySince":"2026-01-01T00:00:00Z"},
   * {..,"delayMs":402,"slowSince":"2026-01-01T00:00:00Z"}]}],
   * "ports":[{"port":"s1-2/5","settings":["NO_FWD"]}]}}; {@code lossShare} and {@code lossySince}
   * of a direction that is lossy only, {@code delayMs} and {@code slowSince} of one that is slow,
   * {@code txDropped} where the switch counts it.
   */
  @GET
  public String links() {
    List<String> avoided = engine.view().snapshot().avoidedLinks();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode links = root.putArray("links");
    for (LinkReport link : engine.links().links()) {
      ObjectNode node =
          links
              .addObject()
              .put("link", link.link())
              .put("mtu", link.mtu())
              .put("lossy", link.isLossy())
              .put("slow", link.isSlow())
              .put("mtuTooSmall", link.isMtuTooSmall())
              .put("avoided", avoided.contains(link.link()));
      ArrayNode directions = node.putArray("directions");
      link.directions().forEach(direction -> add(direction, directions));
    }
    ArrayNode ports = root.putArray("ports");
    engine
        .links()
        .portSettings()
        .forEach(
            (port, settings) -> {
              ArrayNode names = ports.addObject().put("port", port.toString()).putArray("settings");
              settings.names().forEach(names::add);
            });
    return root.toString();
  }

  private static void add(LinkReport.Direction direction, ArrayNode to) {
    ObjectNode node =
        to.addObject()
            .put("from", direction.from().toString())
            .put("to", direction.to().toString())
            .put("seconds", Math.round(10 * direction.seconds()) / 10.0)
            .put("sent", direction.sent())
            .put("lost", direction.lost())
            .put("errors", direction.errors());
    if (direction.dropped() != PortCounters.UNSUPPORTED) {
      node.put("txDropped", direction.dropped());
    }
    node.put("probes", direction.probes())
        .put("probesLost", direction.lostProbes())
        .put("mtuTooSmall", direction.isMtuTooSmall());
    if (direction.lossySince() != null) {
      node.put("lossShare", direction.lossShare())
          .put("lossySince", direction.lossySince().toString());
    }
    if (direction.slowSince() != null) {
      node.put("delayMs", TimeUnit.NANOSECONDS.toMillis(direction.delayNanos()))
          .put("slowSince", direction.slowSince().toString());
    }
  }
}
