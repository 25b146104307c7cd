package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.loop.LateTotals;
import org.evenweave.sdd.loop.LoopState;
import org.evenweave.sdd.loop.LoopTotals;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.Controllers;

/** The status of the loop. */
@Path("sdd/status")
@Produces(MediaType.APPLICATION_JSON)
public final class SddStatusResource {
  private final SddController controller;

  public SddStatusResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code
   * {"leads":true,"generation":812345678901234,"waiting":0,"loop":"tight","scheduler":"solstice","clock":"monotonic","periodNs":10000000,
   * "nightNs":50000,"circuitBps":1000000000,"guardNs":20000,"hosts":8,"connected":8,"circuitSwitch":true,"periods":1200,
   * "skippedPeriods":0,"lateWeeks":0,"lateDays":0,"latePairs":0,"secondChances":0,"lostPairs":0,
   * "lostNs":0,"regainedNs":0,"lastPlanNs":31000,"longestPlanNs":410000,"policyVersion":0}}; with
   * {@code fastpass} its {@code "order"}, too, and {@code
   * "hybrid":{"bps":50000000,"packetDelayNs":500000}} and {@code
   * "controllers":[{"address":"127.0.0.1:6651","linked":true,"samePolicy":true,
   * "sameConfiguration":true}]} where they are configured; {@code sameConfiguration} is missing
   * while that is not known. {@code policyVersion} is 0 until an operator changes something.
   */
  @GET
  public String status() {
    SddConfig config = controller.config();
    LoopState state = controller.state();
    LoopTotals totals = state.totals();
    LateTotals late = controller.late();
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status
        .put("leads", controller.leadership().leads())
        .put("generation", controller.leadership().generation())
        .put("waiting", controller.leadership().waiting())
        .put("loop", config.loop().name().toLowerCase(Locale.ROOT))
        .put("scheduler", config.schedulerName())
        .put("clock", config.clock().kind().name().toLowerCase(Locale.ROOT))
        .put("periodNs", config.network().weekNs())
        .put("nightNs", config.nightNs())
        .put("circuitBps", config.network().circuitBps())
        .put("guardNs", config.guardNs())
        .put("hosts", config.directory().count())
        .put("connected", controller.sessions().connected())
        .put("circuitSwitch", controller.sessions().circuitSwitch() != null)
        .put("periods", totals.periods())
        .put("skippedPeriods", totals.skippedPeriods())
        .put("lateWeeks", totals.lateWeeks())
        .put("lateDays", late.days())
        .put("latePairs", late.pairs())
        .put("secondChances", late.secondChances())
        .put("lostPairs", late.lostPairs())
        .put("lostNs", late.lostNs())
        .put("regainedNs", late.regainedNs())
        .put("lastPlanNs", totals.lastPlanNs())
        .put("longestPlanNs", totals.longestPlanNs())
        .put("policyVersion", controller.policy().current().version());
    if (config.orderName() != null) {
      status.put("order", config.orderName());
    }
    if (config.hybridBps() > 0) {
      status
          .putObject("hybrid")
          .put("bps", config.hybridBps())
          .put("packetDelayNs", config.packetDelayNs());
    }
    if (!config.controllers().isEmpty()) {
      ArrayNode rows = status.putArray("controllers");
      for (Controllers.State other : controller.controllers().states()) {
        ObjectNode row =
            rows.addObject()
                .put("address", other.address().getHostString() + ":" + other.address().getPort())
                .put("linked", other.isLinked())
                .put("samePolicy", other.hasSamePolicy());
        other.sameConfiguration().ifPresent(same -> row.put("sameConfiguration", same));
      }
    }
    return status.toString();
  }
}
