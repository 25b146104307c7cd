package org.evenweave.sdd.rest;

import java.io.IOException;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.handover.UnconfirmedException;
import org.evenweave.sdd.loop.SddController;

/** The traffic classes as they are configured: {@code sharing} of the configuration. */
@Path("sdd/sharing")
@Produces(MediaType.APPLICATION_JSON)
public final class SddSharingResource {
  private final SddController controller;

  public SddSharingResource(SddController controller) {
    this.controller = controller;
  }

  /** What counts now; an empty object without classes. */
  @GET
  public String sharing() {
    return controller.sharing().config().json().toString();
  }

  /** Takes the place of the classes while sessions, queues and packets stay. */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public Response replace(String body) {
    try {
      SharingConfig classes =
          SddConfigReader.readSharing(RequestBody.json(body), controller.config());
      controller.replaceSharing(classes);
      return Response.ok(classes.json().toString()).build();
    } catch (IOException e) {
      return ErrorResponse.of(400, RequestBody.problem(e));
    } catch (SddConfigException e) {
      return ErrorResponse.of(e);
    } catch (IllegalArgumentException e) {
      return ErrorResponse.of(409, e.getMessage());
    } catch (UnconfirmedException e) {
      return ErrorResponse.of(503, e.getMessage());
    }
  }

  /** Leaves no classes: their flows go where flows without a class go. */
  @DELETE
  public Response remove() {
    try {
      controller.replaceSharing(SharingConfig.NONE);
      return Response.noContent().build();
    } catch (IllegalArgumentException e) {
      return ErrorResponse.of(409, e.getMessage());
    } catch (UnconfirmedException e) {
      return ErrorResponse.of(503, e.getMessage());
    }
  }
}
