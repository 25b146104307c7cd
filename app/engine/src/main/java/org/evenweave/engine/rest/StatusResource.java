package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.EngineView;

/** Whether the fabric is as it should be, in one line. */
@Path("status")
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
  private final Engine engine;

  public StatusResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"version":9,"strategy":"wcmp","converged":true,"switches":6,"links":12,"hosts":12,
   * "groups":12}}, and {@code "problem"} with a sentence while something is in the way.
   */
  @GET
  public String status() {
    EngineView view = engine.view();
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status
        .put("version", view.snapshot().version())
        .put("strategy", view.rule().strategyName())
        .put("converged", view.converged())
        .put("switches", view.snapshot().switchIds().size())
        .put("links", view.snapshot().linkCount())
        .put("hosts", view.snapshot().hosts().size())
        .put("groups", view.groups().size());
    if (!view.problem().isEmpty()) {
      status.put("problem", view.problem());
    }
    return status.toString();
  }
}
