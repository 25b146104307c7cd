package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.config.CircuitClass;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.Directory;

/** The latest observed and planned demand. */
@Path("sdd/demand")
@Produces(MediaType.APPLICATION_JSON)
public final class SddDemandResource {
  private final SddController controller;

  public SddDemandResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * The pairs with demand: {@code {"totalBytes":5000000,"demand":[{"from":"h0","to":"h1",
   * "bytes":3000000},...],"classes":[{"class":"shuffle","priority":2,"coflow":true,
   * "bytes":2000000,"busiestHostBytes":1500000,"demand":[{"from":"h0","to":"h1",
   * "bytes":1500000},...]},...]}}; {@code classes} only where there are circuit classes, whose
   * demand is part of the pairs', and {@code weight} of each with order {@code weightedShares}.
   */
  @GET
  public String demand() {
    Observed observed = controller.observed();
    ObjectNode root =
        JsonNodeFactory.instance.objectNode().put("totalBytes", observed.demand().total());
    addPairs(observed.demand(), root.putArray("demand"));
    if (observed.classes() > 1) {
      ArrayNode classes = root.putArray("classes");
      for (int c = 1; c < observed.classes(); c++) {
        CircuitClass described = controller.config().circuitClasses().get(c - 1);
        ObjectNode row =
            classes
                .addObject()
                .put("class", described.name())
                .put("priority", described.demand().priority())
                .put("coflow", described.demand().isCoflow())
                .put("bytes", observed.of(c).total())
                .put("busiestHostBytes", busiestHostBytes(observed.of(c)));
        if (controller.config().sharesByWeight()) {
          row.put("weight", described.demand().weight());
        }
        addPairs(observed.of(c), row.putArray("demand"));
      }
    }
    return root.toString();
  }

  private void addPairs(DemandMatrix matrix, ArrayNode rows) {
    Directory directory = controller.directory();
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
  }

  private static long busiestHostBytes(DemandMatrix matrix) {
    long most = 0;
    for (int host = 0; host < matrix.hosts(); host++) {
      most = Math.max(most, Math.max(matrix.fromSource(host), matrix.toDestination(host)));
    }
    return most;
  }
}
