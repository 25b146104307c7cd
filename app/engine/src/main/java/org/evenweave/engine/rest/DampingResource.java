package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.damping.DampedLink;
import org.evenweave.wcmp.fabric.SwitchPort;

/** The links that are damped, and their release. A link is named by either of its ends. */
@Path("damping")
@Produces(MediaType.APPLICATION_JSON)
public final class DampingResource {
  private static final double SECOND_NANOS = 1e9;

  private final Engine engine;

  public DampingResource(Engine engine) {
    this.engine = engine;
  }

  /** {@code {"links":[{"link":"s1-0/1-s2-0/1","failures":5,"releaseInSeconds":21.4}]}}. */
  @GET
  public String damped() {
    return text(engine.links().damping().links());
  }

  /** Releases a link; it carries traffic again if it is up. Responses those that stay damped. */
  @DELETE
  @Path("{end: .+}")
  public String release(@PathParam("end") String end) {
    List<DampedLink> damped = engine.links().damping().links();
    List<DampedLink> others =
        damped.stream().filter(link -> !isEnd(end, link)).collect(Collectors.toList());
    if (others.size() == damped.size()) {
      throw new NotFoundException("no link at \"" + end + "\" is damped; an end is switch/port");
    }
    engine.links().damping().release(SwitchPort.parse(end));
    return text(others);
  }

  private static boolean isEnd(String end, DampedLink link) {
    try {
      return link.hasEnd(SwitchPort.parse(end));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private String text(List<DampedLink> damped) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode links = root.putArray("links");
    for (DampedLink link : damped) {
      double seconds = engine.links().damping().nanosToRelease(link) / SECOND_NANOS;
      links
          .addObject()
          .put("link", link.link())
          .put("failures", link.failures())
          .put("releaseInSeconds", Math.round(10 * seconds) / 10.0);
    }
    return root.toString();
  }
}
