package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.TrafficConfig;
import org.evenweave.engine.demand.SwitchDemand;
import org.evenweave.engine.demand.TrafficMeter;
import org.evenweave.engine.reweighting.PlannedTraffic;
import org.evenweave.wcmp.traffic.TrafficMatrix;

/** The traffic matrix, as the switches' rules count it. */
@Path("traffic")
@Produces(MediaType.APPLICATION_JSON)
public final class TrafficResource {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Engine engine;

  public TrafficResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"enabled":true,"periodSeconds":10,"timeConstantSeconds":60,
   * "switches":[{"switch":"s1-0","bps":5000000,"ageSeconds":2.1}],
   * "demands":[{"from":"s1-0","to":"10.0.1.0/24","bps":5000000}]}}: what the hosts under each
   * switch send to others' prefixes, all together and by prefix. Demands below 1 bit/s are left
   * out. With the strategy {@code traffic} also what the weights are for: {@code
   * "planned":{"churnLeftPercent":3.5,"maxUtilisation":0.38,"maxUtilisationOfWcmp":0.5,
   * "demands":[{"from":"s1-0","to":"s1-1","bps":5000000}]}}.
   */
  @GET
  public String traffic() {
    TrafficConfig config = engine.configuration().traffic();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("enabled", engine.configuration().measuresTraffic())
        .put("periodSeconds", config.periodSeconds())
        .put("timeConstantSeconds", TrafficMeter.TIME_CONSTANT_PERIODS * config.periodSeconds());
    TrafficMeter meter = engine.traffic().meter();
    ArrayNode switches = root.putArray("switches");
    ArrayNode demands = root.putArray("demands");
    for (SwitchDemand demand : meter.demands()) {
      double ageSeconds = meter.ageNanos(demand) / NANOS_PER_SECOND;
      switches
          .addObject()
          .put("switch", demand.switchId())
          .put("bps", Math.round(demand.totalBps()))
          .put("ageSeconds", Math.round(10 * ageSeconds) / 10.0);
      demand
          .bps()
          .forEach(
              (prefix, bps) -> {
                if (bps >= 1) {
                  demands
                      .addObject()
                      .put("from", demand.switchId())
                      .put("to", prefix.toString())
                      .put("bps", Math.round(bps));
                }
              });
    }
    if (engine.traffic().planned() != null) {
      addPlanned(root.putObject("planned"), engine.traffic().planned());
    }
    return root.toString();
  }

  private static void addPlanned(ObjectNode node, PlannedTraffic planned) {
    node.put("churnLeftPercent", 100 * planned.churnLeft())
        .put("maxUtilisation", planned.maxUtilisation())
        .put("maxUtilisationOfWcmp", planned.maxUtilisationOfWcmp());
    ArrayNode demands = node.putArray("demands");
    TrafficMatrix matrix = planned.matrix();
    for (int i = 0; i < matrix.endpointCount(); i++) {
      for (int j = 0; j < matrix.endpointCount(); j++) {
        if (matrix.demandBps(i, j) > 0) {
          demands
              .addObject()
              .put("from", planned.fabric().switchId(matrix.endpoint(i)))
              .put("to", planned.fabric().switchId(matrix.endpoint(j)))
              .put("bps", Math.round(matrix.demandBps(i, j)));
        }
      }
    }
  }
}
