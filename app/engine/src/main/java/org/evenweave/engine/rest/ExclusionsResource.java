package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.JsonNode;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.Exclusions;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;

/**
 * Drains switches and links for maintenance and puts them back into service, one at a time,
 * independently of other changes of the configuration. A link is named by either of its ends,
 * {@code switch/port}.
 */
@Path("exclusions")
@Produces(MediaType.APPLICATION_JSON)
public final class ExclusionsResource {
  private final Engine engine;

  public ExclusionsResource(Engine engine) {
    this.engine = engine;
  }

  /** {@code {"switches":["s2-1"],"links":["s1-0/1"]}}. */
  @GET
  public String exclusions() {
    JsonNode configuration = ConfigWriter.write(engine.configuration());
    return configuration.get("excluded").toString();
  }

  /** Drains; {@code /status} shows when every switch has confirmed it. */
  @PUT
  @Path("{element: .+}")
  public String exclude(@PathParam("element") String element) {
    Fabric network = engine.view().snapshot().physical();
    try {
      engine.change(config -> Exclusions.exclude(config, network, element));
    } catch (FabricException e) {
      throw new NotFoundException(e.getMessage());
    }
    return exclusions();
  }

  /** Takes back. */
  @DELETE
  @Path("{element: .+}")
  public String include(@PathParam("element") String element) {
    Fabric network = engine.view().snapshot().physical();
    try {
      engine.change(config -> Exclusions.include(config, network, element));
    } catch (FabricException e) {
      throw new NotFoundException(e.getMessage());
    }
    return exclusions();
  }
}
