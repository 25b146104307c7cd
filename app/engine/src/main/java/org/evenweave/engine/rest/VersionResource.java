package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.release.Release;

/** The version of the controller. */
@Path("version")
@Produces(MediaType.APPLICATION_JSON)
public final class VersionResource {
  /** {@code {"version":"1.0.0"}}. */
  @GET
  public String version() {
    return JsonNodeFactory.instance.objectNode().put("version", Release.version()).toString();
  }
}
