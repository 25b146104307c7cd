package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.wcmp.weights.WeightRule;

/** The available weight strategies and their computing cost. */
@Path("strategies")
@Produces(MediaType.APPLICATION_JSON)
public final class StrategiesResource {
  private final Engine engine;

  public StrategiesResource(Engine engine) {
    this.engine = engine;
  }

  /** {@code {"strategies":[{"name":"ecmp","description":"...","price":"..."},...]}}. */
  @GET
  public String strategies() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode strategies = root.putArray("strategies");
    for (WeightRule rule : WeightRule.values()) {
      if (rule == WeightRule.TRAFFIC && !engine.traffic().isPossible()) {
        continue;
      }
      strategies
          .addObject()
          .put("name", rule.strategyName())
          .put("description", rule.description())
          .put("price", rule.price());
    }
    return root.toString();
  }
}
