package org.evenweave.standalone.log;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** Reports whether log lines were dropped. */
@Path("log")
@Produces(MediaType.APPLICATION_JSON)
public final class LogResource {
  /**
   * {@code {"waiting":0,"maxWaiting":8192,"dropped":0,"suppressed":515}}: lines that wait to be
   * written, and since the start those dropped because too many waited and those suppressed because
   * there were too many of their kind.
   */
  @GET
  public String log() {
    BoundedLog queue = StandardErrorLog.queue();
    return JsonNodeFactory.instance
        .objectNode()
        .put("waiting", queue.waiting())
        .put("maxWaiting", BoundedLog.MAX_WAITING)
        .put("dropped", queue.dropped())
        .put("suppressed", queue.suppressed())
        .toString();
  }
}
