package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;

/** Starts an audit at once, in addition to the periodic audits. */
@Path("audit")
@Produces(MediaType.APPLICATION_JSON)
public final class AuditResource {
  private static final long TIMEOUT_SECONDS = 60;

  private final Engine engine;

  public AuditResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"switches":6,"drifted":["s1-0"],"differences":[{"switch":"s1-0", "detail":"missing:
   * rule ..."}],"foreign":{"rules":[],"groups":[]}}}: how many switches there are, which of them
   * held other rules than installed, how each differed, and which foreign rules they hold. Those
   * are repaired; {@code /status} shows when that is done. 409 while a plan is in progress, 503 if
   * the switches take too long.
   */
  @POST
  public String audit() {
    SortedMap<String, String> drifted;
    try {
      drifted = engine.audit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceUnavailableException("interrupted");
    } catch (ExecutionException e) {
      throw Responses.conflict(e.getCause().getMessage() + "; try again");
    } catch (TimeoutException e) {
      throw new ServiceUnavailableException("the switches could not be read in time");
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("switches", engine.view().snapshot().switchIds().size());
    ArrayNode array = root.putArray("drifted");
    drifted.keySet().forEach(array::add);
    ArrayNode differences = root.putArray("differences");
    drifted.forEach((id, how) -> differences.addObject().put("switch", id).put("detail", how));
    root.set("foreign", ForeignJson.of(engine.view().foreign()));
    return root.toString();
  }
}
