package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.evenweave.engine.Engine;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.engine.status.EngineView;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.engine.status.RuntimeReport;

/** The state of the fabric, with the reasons if it is degraded. */
@Path("status")
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
  private final Engine engine;

  public StatusResource(Engine engine) {
    this.engine = engine;
  }

  private static final double NANOS_PER_MS = 1e6;

  /**
   * {@code
   * {"version":9,"strategy":"auto","strategyInForce":"wcmp","state":"converged","reasons":[],"converged":true,
   * "confirmed":true,"switches":6,"links":12,"hosts":12,"groups":12,"missing":{"switches":0,
   * "links":0},"lastPlanMs":{"routes":0.2,"groups":0.1,"tables":0.3,"plan":0.1,"verify":0.1}}}, the
   * last being the time that each stage of the latest verified plan took; {@code "moreReasons"}
   * where there are more than are named, and {@code "problem"} with a sentence while switches
   * refuse or cannot hold their changes. Where the runtime has something to say of itself, {@code
   * "runtimeSettings":[{"component":..,"name":..,"value":"true","original":"false"}]} and {@code
   * "refusedConfiguration":{"at":"2026-01-01T12:00:00Z","field":"links[3].bps","problem":..}}.
   */
  @GET
  public Response status(@Context Request request) {
    EngineView view = engine.view();
    return Responses.tagged(request, view, () -> text(view, engine.runtimeReport()));
  }

  private static String text(EngineView view, RuntimeReport runtime) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("version", view.snapshot().version()).put("strategy", view.rule().strategyName());
    if (view.desired() != null) {
      status.put("strategyInForce", view.desired().routing().rule().strategyName());
    }
    addState(status, view.status());
    status
        .put("switches", view.snapshot().switchIds().size())
        .put("links", view.snapshot().linkCount())
        .put("hosts", view.snapshot().hosts().size())
        .put("groups", view.groupCount());
    status
        .putObject("missing")
        .put("switches", view.status().missingSwitches())
        .put("links", view.status().missingLinks());
    ObjectNode lastPlan = status.putObject("lastPlanMs");
    for (StageTimes.Stage stage : StageTimes.Stage.values()) {
      Long nanos = view.stageNanos().get(stage);
      if (nanos != null) {
        lastPlan.put(stage.text(), nanos / NANOS_PER_MS);
      }
    }
    if (!view.problem().isEmpty()) {
      status.put("problem", view.problem());
    }
    addRuntime(status, runtime);
    return status.toString();
  }

  private static void addRuntime(ObjectNode status, RuntimeReport runtime) {
    if (!runtime.settings().isEmpty()) {
      ArrayNode settings = status.putArray("runtimeSettings");
      for (RuntimeReport.Setting setting : runtime.settings()) {
        settings
            .addObject()
            .put("component", setting.component())
            .put("name", setting.name())
            .put("value", setting.value())
            .put("original", setting.original());
      }
    }
    runtime
        .refusal()
        .ifPresent(
            refusal ->
                status
                    .putObject("refusedConfiguration")
                    .put("at", refusal.at().toString())
                    .put("field", refusal.field())
                    .put("problem", refusal.problem()));
  }

  /** Adds the fields that show whether the fabric is as configured. */
  static void addState(ObjectNode to, FabricStatus status) {
    to.put("state", status.state().text());
    ArrayNode reasons = to.putArray("reasons");
    status.reasons().forEach(reasons::add);
    if (status.moreReasons() > 0) {
      to.put("moreReasons", status.moreReasons());
    }
    to.put("converged", status.state() == FabricStatus.State.CONVERGED);
    to.put("confirmed", status.confirmed());
  }
}
