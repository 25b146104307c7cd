package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.PairRates;
import org.evenweave.engine.forwarding.UnsafePlanException;
import org.evenweave.engine.whatif.FailureSurvey;
import org.evenweave.engine.whatif.Supposition;
import org.evenweave.engine.whatif.WhatIf;
import org.evenweave.wcmp.fabric.FabricException;

/** Computes the consequences of a change of the network, and of every single failure. */
@Path(WhatIfResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public final class WhatIfResource {
  /** The path of the resource. It changes nothing, although it is asked by POST. */
  public static final String PATH = "what-if";

  /** The loop answers between two computations, the longest of which take seconds. */
  private static final long TIMEOUT_SECONDS = 60;

  private final Engine engine;

  /** One at a time: an answer may take a processor for a minute. */
  private final Semaphore computing = new Semaphore(1);

  public WhatIfResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * Computes on a copy; the network and the configuration stay as they are. 409 for what is not in
   * the network and before the first switch is connected, 503 while another is computed. An empty
   * body asks for the network as it is. The answer is described in {@code docs/reference/rest.md}.
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public String whatIf(String body) {
    Supposition supposition;
    try {
      supposition = Supposition.read(body.isEmpty() ? "{}" : body);
    } catch (FabricException e) {
      throw Responses.refusal(e);
    }
    if (!computing.tryAcquire()) {
      throw new ServiceUnavailableException("another what-if is being computed; try again later");
    }
    try {
      return answer(engine.whatIf().get(TIMEOUT_SECONDS, TimeUnit.SECONDS), supposition).toString();
    } catch (FabricException e) {
      throw Responses.refusal(e);
    } catch (ExecutionException e) {
      throw Responses.conflict(e.getCause().getMessage());
    } catch (TimeoutException e) {
      throw new ServiceUnavailableException(
          "the controller has not answered for " + TIMEOUT_SECONDS + " s; try again later");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceUnavailableException("the controller is stopping");
    } finally {
      computing.release();
    }
  }

  private static ObjectNode answer(WhatIf whatIf, Supposition supposition) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    DesiredState after = whatIf.after(supposition);
    if (!after.beyondLimits().isEmpty()) {
      root.put("problem", String.join("; ", after.beyondLimits()));
    }
    root.put("strategy", after.routing().rule().strategyName());
    WhatIfJson json = new WhatIfJson(root, whatIf.before(), after);
    json.addTables();
    json.addGroups();
    PairRates rates = json.addPairs();
    try {
      json.addPlan(whatIf.plan(after));
    } catch (UnsafePlanException e) {
      root.put("problem", e.getMessage());
    }
    if (supposition.everyFailure() && rates != null) {
      FailureSurvey survey = new FailureSurvey(whatIf, after, rates);
      FailureJson.add(root, survey, supposition.offset(), supposition.limit());
    }
    return root;
  }
}
