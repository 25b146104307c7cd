package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.util.List;
import javax.ws.rs.Consumes;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.handover.UnconfirmedException;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.protocol.Limits;
import org.evenweave.sdd.session.EdgeSession;

/** The edges of hosts, and their order. */
@Path("sdd/edge")
@Produces(MediaType.APPLICATION_JSON)
public final class SddEdgeResource {
  /** Also what is shown where nobody says how many. */
  private static final String ALL_PEERS = "1024";

  private static final int MOST_PEERS = Limits.MAX_PEERS;

  private final SddController controller;

  public SddEdgeResource(SddController controller) {
    this.controller = controller;
  }

  /**
   * {@code {"order":{...},"hosts":[{"name":"e1","connected":true,"order":"in-force",
   * "reportAgeNs":412000000,"peers":1,"hasKeys":true},...],"weights":{...},"secrets":1}}; {@code
   * problem} says why an order was refused or has no effect, {@code weights} are as {@link
   * #weights} takes them, {@code secrets} is the number of secrets whose keys edges have from this
   * controller.
   */
  @GET
  public String all() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.set("order", controller.edges().order().json());
    root.set("weights", EdgeWeights.json(controller.edges().weights()));
    root.put("secrets", controller.edges().secrets());
    ArrayNode hosts = root.putArray("hosts");
    for (String name : controller.edges().names()) {
      describe(name, hosts.addObject());
    }
    return root.toString();
  }

  private EdgeSession describe(String name, ObjectNode host) {
    EdgeSession session = controller.edges().session(name);
    host.put("name", name).put("connected", session != null);
    host.put("hasKeys", controller.edges().hasKeys(name));
    if (session == null) {
      return null;
    }
    host.put("order", session.orderState());
    if (!session.orderProblem().isEmpty()) {
      host.put("problem", session.orderProblem());
    }
    host.put("peers", session.reportedPeers());
    if (session.reportedPeers() > 0) {
      host.put("reportAgeNs", session.reportAgeNs());
    }
    if (session.reportsLeftOut() > 0) {
      host.put("reportsLeftOut", session.reportsLeftOut());
    }
    return session;
  }

  /**
   * One host's, with its last report: the fields of {@code evenweave edge show --json}.
   *
   * @param first the first peer, from 0
   * @param limit at most so many peers
   */
  @GET
  @Path("{host}")
  public Response one(
      @PathParam("host") String name,
      @QueryParam("first") @DefaultValue("0") int first,
      @QueryParam("limit") @DefaultValue(ALL_PEERS) int limit) {
    if (first < 0 || limit < 1 || limit > MOST_PEERS) {
      return ErrorResponse.of(400, "first must be 0 or more, and limit 1 to " + MOST_PEERS);
    }
    if (!controller.edges().names().contains(name)) {
      return ErrorResponse.of(404, "there is no edge \"" + name + "\" in the configuration");
    }
    ObjectNode host = JsonNodeFactory.instance.objectNode();
    EdgeSession session = describe(name, host);
    List<String> documents = session == null ? List.of() : session.documents();
    int from = Math.min(first, documents.size());
    List<String> shown = documents.subList(from, from + Math.min(limit, documents.size() - from));
    if (!shown.isEmpty()) {
      host.putRawValue("report", new RawValue(EdgeReportText.join(shown)));
    }
    return Response.ok(host.toString()).build();
  }

  /** Takes the place of the order, here and at other controllers. */
  @PUT
  @Path("order")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response order(String body) {
    try {
      controller.replaceEdgeOrder(SddConfigReader.readEdgeOrder(RequestBody.json(body)));
      return Response.ok(controller.edges().order().json().toString()).build();
    } catch (SddConfigException e) {
      return ErrorResponse.of(e);
    } catch (IOException e) {
      return ErrorResponse.of(400, RequestBody.problem(e));
    } catch (UnconfirmedException e) {
      return ErrorResponse.of(503, e.getMessage());
    }
  }

  /**
   * Weights of next hops: {@code {"192.0.2.0/24":{"198.51.100.1":0.75,...},...}}. Those of a fabric
   * that this controller routes take their place at its next change.
   */
  @PUT
  @Path("weights")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response weights(String body) {
    try {
      controller.edges().weights(EdgeWeights.of(RequestBody.json(body)));
      return Response.ok(EdgeWeights.json(controller.edges().weights()).toString()).build();
    } catch (EdgeWeights.FormException e) {
      return ErrorResponse.of(400, e.getMessage());
    } catch (IllegalArgumentException e) {
      return ErrorResponse.of(409, e.getMessage());
    } catch (IOException e) {
      return ErrorResponse.of(400, RequestBody.problem(e));
    }
  }

  /** Has all connected edges discover their paths now. */
  @POST
  @Path("discovery")
  public Response discover() {
    controller.edges().topologyChanged();
    return Response.accepted().build();
  }
}
