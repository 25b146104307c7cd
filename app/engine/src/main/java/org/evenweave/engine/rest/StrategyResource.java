package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.CheckedJson;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.weights.AutomaticChoice;
import org.evenweave.wcmp.weights.WeightRule;

/** The weight strategy in use; {@link StrategiesResource} lists the available ones. */
@Path("strategy")
@Produces(MediaType.APPLICATION_JSON)
public final class StrategyResource {
  private final Engine engine;

  public StrategyResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"strategy":"auto","inForce":"wcmp","why":"..."}}: what weights are by, which is another
   * strategy than the one that was chosen where that leaves it open, and then why.
   */
  @GET
  public String strategy() {
    return text(engine.view().rule());
  }

  /** Takes {@code {"strategy":"ecmp"}}; {@code /status} shows when every switch has it. */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public String use(String body) {
    try {
      JsonNode root = CheckedJson.parse("strategy", "body", body);
      WeightRule rule = WeightRule.named(root.get("strategy").textValue());
      engine.useRule(rule);
      return text(rule);
    } catch (FabricException e) {
      throw Responses.refusal(e);
    }
  }

  private String text(WeightRule rule) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("strategy", rule.strategyName());
    if (rule == WeightRule.AUTOMATIC) {
      AutomaticChoice choice = AutomaticChoice.of(engine.view().snapshot().fabric());
      return answer
          .put("inForce", choice.rule().strategyName())
          .put("why", choice.reason())
          .toString();
    }
    return answer.put("inForce", rule.strategyName()).toString();
  }
}
