package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.handover.UnconfirmedException;
import org.evenweave.sdd.loop.SddController;

/** The triggers as they are configured: {@code triggers} of the configuration. */
@Path("sdd/triggers")
@Produces(MediaType.APPLICATION_JSON)
public final class SddTriggersResource {
  private final SddController controller;

  public SddTriggersResource(SddController controller) {
    this.controller = controller;
  }

  /** What counts now: an array. */
  @GET
  public String triggers() {
    return controller.triggers().config().json().toString();
  }

  /** Takes the place of the triggers; one that is the same keeps its state. */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public Response replace(String body) {
    try {
      controller.replaceTriggers(RequestBody.json(body));
      return Response.ok(triggers()).build();
    } catch (IOException e) {
      return ErrorResponse.of(400, RequestBody.problem(e));
    } catch (SddConfigException e) {
      return ErrorResponse.of(e);
    } catch (UnconfirmedException e) {
      return ErrorResponse.of(503, e.getMessage());
    }
  }

  /** Leaves no triggers; what they did is undone. */
  @DELETE
  public Response remove() {
    try {
      controller.replaceTriggers(JsonNodeFactory.instance.arrayNode());
    } catch (SddConfigException e) {
      throw new IllegalStateException(e);
    } catch (UnconfirmedException e) {
      return ErrorResponse.of(503, e.getMessage());
    }
    return Response.noContent().build();
  }

  /** Ends what a trigger does now; it may fire again. */
  @POST
  @Path("{name}/end")
  public Response end(@PathParam("name") String name) {
    return controller.triggers().end(name)
        ? Response.noContent().build()
        : ErrorResponse.of(404, "there is no trigger \"" + name + "\"");
  }
}
