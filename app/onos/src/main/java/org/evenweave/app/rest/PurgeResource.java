package org.evenweave.app.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.app.removal.Purge;

/** Removes all rules and groups of the application from switches, before it is uninstalled. */
@Path(PurgeResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public final class PurgeResource {
  /** Its path. */
  static final String PATH = "purge";

  private final Supplier<CompletableFuture<Purge.Result>> purge;

  public PurgeResource(Supplier<CompletableFuture<Purge.Result>> purge) {
    this.purge = purge;
  }

  /**
   * {@code {"switches":6,"groups":6,"rules":48,"failed":[{"switch":"s2-1","problem":".."}]}}: how
   * many groups and rules were removed, and which switches may still hold some; {@code
   * {"server":"tcp:..","problem":".."}} of an OVSDB server whose switches may still run BFD. The
   * application is deactivated a second later.
   */
  @POST
  public String purge() {
    Purge.Result result = purge.get().join();
    ObjectNode root =
        JsonNodeFactory.instance
            .objectNode()
            .put("switches", result.switches())
            .put("groups", result.groups())
            .put("rules", result.rules());
    ArrayNode failed = root.putArray("failed");
    result
        .problems()
        .forEach((id, problem) -> failed.addObject().put("switch", id).put("problem", problem));
    result
        .serverProblems()
        .forEach((id, problem) -> failed.addObject().put("server", id).put("problem", problem));
    return root.toString();
  }
}
