package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Semaphore;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.config.CheckedJson;
import org.evenweave.engine.striping.StripingAnswer;
import org.evenweave.wcmp.fabric.FabricException;

/** How to wire S1 and S2 switches, and how to add some: what {@code evenweave stripe} answers. */
@Path(StripingResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public final class StripingResource {
  /** The path of the resource. It changes nothing, although it is asked by POST. */
  public static final String PATH = "striping";

  /**
   * The most pairs of an S1 and an S2 switch, and the most cables: an expansion of that size takes
   * up to 2 s of one core. The tool has no such limit.
   */
  static final int MOST = 1 << 16;

  /** One at a time, as each takes a processor. */
  private final Semaphore computing = new Semaphore(1);

  /**
   * Computes a plan from the body alone; the network is not asked and not changed. 400 for a body
   * that is not valid, 409 for a size that is impossible or too large, 503 while another plan is
   * computed. Body and answer are those of {@code evenweave stripe}.
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public String striping(String body) {
    JsonNode input;
    try {
      input = CheckedJson.parse("stripe", "striping", body);
      requireSmall(input);
    } catch (FabricException e) {
      throw Responses.refusal(e);
    }
    if (!computing.tryAcquire()) {
      throw new ServiceUnavailableException("another striping is being computed; try again later");
    }
    try {
      return StripingAnswer.to(input).toString();
    } catch (IllegalArgumentException e) {
      throw Responses.refusal(e);
    } finally {
      computing.release();
    }
  }

  private static void requireSmall(JsonNode input) {
    long s1 = input.get("s1").longValue() + input.path("addS1").longValue();
    long s2 = input.get("s2").longValue() + input.path("addS2").longValue();
    require("s1 x s2", s1 * s2);
    require("s1 x uplinks", s1 * input.get("uplinks").longValue());
    require("s2 x downlinks", s2 * input.get("downlinks").longValue());
  }

  private static void require(String product, long value) {
    if (value > MOST) {
      throw new FabricException(
          product,
          "must be at most "
              + MOST
              + " here, was "
              + value
              + "; use evenweave stripe, which has"
              + " no such limit");
    }
  }
}
