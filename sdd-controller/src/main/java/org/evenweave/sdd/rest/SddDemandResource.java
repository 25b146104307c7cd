package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.Directory;

/** The demand matrix that was planned for last. */
@Path("sdd/demand")
@Produces(MediaType.APPLICATION_JSON)
public final class SddDemandResource {
  private final SddController controller;

  public SddDemandResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * The pairs with demand: {@code {"totalBytes":5000000,
   * "demand":[{"from":"h0","to":"h1","bytes":3000000},...]}}.
   */
  @GET
  public String demand() {
    DemandMatrix matrix = controller.state().demand();
    Directory directory = controller.directory();
    ObjectNode root = JsonNodeFactory.instance.objectNode().put("totalBytes", matrix.total());
    ArrayNode rows = root.putArray("demand");
    for (int source = 0; source < matrix.hosts(); source++) {
      for (int destination = 0; destination < matrix.hosts(); destination++) {
        long bytes = matrix.get(source, destination);
        if (bytes > 0) {
          rows.addObject()
              .put("from", directory.nameOf(source))
              .put("to", directory.nameOf(destination))
              .put("bytes", bytes);
        }
      }
    }
    return root.toString();
  }
}
