package org.evenweave.app.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.app.southbound.PendingChanges;

/** Changes requested of switches and not confirmed yet. */
@Path("pending")
@Produces(MediaType.APPLICATION_JSON)
public final class PendingResource {
  private static final long MICROSECOND_NANOS = 1_000;

  private final PendingChanges pending;

  public PendingResource(PendingChanges pending) {
    this.pending = pending;
  }

  /**
   * {@code
   * {"confirmed":31,"failed":0,"refused":0,"givenUp":0,"unreadable":0,"pending":[{"device":"of:0000000000000001",
   * "ageMicros":1500,"operations":["put-group 1",...]},...]}}, the oldest first. The counts are
   * since this instance became active, and of batches but for {@code unreadable}, which counts
   * failed reads of switches. {@code failed} is refused and given up together.
   */
  @GET
  public String pending() {
    long refused = pending.refused().getCount();
    long givenUp = pending.givenUp().getCount();
    ObjectNode root =
        JsonNodeFactory.instance
            .objectNode()
            .put("confirmed", pending.confirmations().getCount())
            .put("failed", refused + givenUp)
            .put("refused", refused)
            .put("givenUp", givenUp)
            .put("unreadable", pending.unreadable().getCount());
    ArrayNode entries = root.putArray("pending");
    pending.entries().stream()
        .sorted(Comparator.comparingLong(PendingChanges.Entry::ageNanos).reversed())
        .forEach(
            entry -> {
              ObjectNode node =
                  entries
                      .addObject()
                      .put("device", entry.device().toString())
                      .put("ageMicros", entry.ageNanos() / MICROSECOND_NANOS);
              ArrayNode operations = node.putArray("operations");
              entry.operations().forEach(operation -> operations.add(operation.toString()));
            });
    return root.toString();
  }
}
