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
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.nib.UnexpectedLink;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The network as discovered: a fabric as the offline tools read it, with its hosts, and the links
 * that were found and are not configured.
 */
@Path("topology")
@Produces(MediaType.APPLICATION_JSON)
public final class TopologyResource {
  private final Engine engine;

  public TopologyResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"version":9,"fabric":{"switches":..,"links":..,"subnets":..},
   * "unexpectedLinks":[{"a":"s1-0/1","b":"s2-1/3","configured":["s1-0/1-s2-0/1"]}],
   * "trustedLinks":["s1-0/2-s2-1/1"],"dampedLinks":["s1-0/3-s2-1/2"],
   * "avoidedLinks":["s1-0/4-s2-1/3"],"hosts":[..]}}.
   */
  @GET
  public Response topology(@Context Request request) {
    EngineView view = engine.view();
    return Responses.tagged(request, view, () -> text(view));
  }

  private static String text(EngineView view) {
    Snapshot snapshot = view.snapshot();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("version", snapshot.version());
    root.set("fabric", fabric(view));
    ArrayNode unexpected = root.putArray("unexpectedLinks");
    for (UnexpectedLink link : snapshot.unexpectedLinks()) {
      ObjectNode node =
          unexpected.addObject().put("a", link.a().toString()).put("b", link.b().toString());
      ArrayNode configured = node.putArray("configured");
      link.configured().forEach(configured::add);
    }
    ArrayNode trusted = root.putArray("trustedLinks");
    snapshot.trustedLinks().forEach(trusted::add);
    ArrayNode damped = root.putArray("dampedLinks");
    snapshot.dampedLinks().forEach(damped::add);
    ArrayNode avoided = root.putArray("avoidedLinks");
    snapshot.avoidedLinks().forEach(avoided::add);
    ArrayNode hosts = root.putArray("hosts");
    for (Host host : snapshot.hosts()) {
      hosts
          .addObject()
          .put("address", Ipv4Prefix.format(host.address()))
          .put("switch", host.switchId())
          .put("port", host.port());
    }
    return root.toString();
  }

  private static ObjectNode fabric(EngineView view) {
    Snapshot snapshot = view.snapshot();
    Fabric fabric = snapshot.physical();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode switches = root.putArray("switches");
    for (String id : snapshot.forwardingIds()) {
      int s = fabric.indexOf(id);
      if (!snapshot.canForward(s)) {
        continue;
      }
      ObjectNode node = switches.addObject().put("id", id).put("stage", fabric.stage(s));
      if (fabric.tableEntries(s) != Fabric.UNLIMITED) {
        node.put("table", fabric.tableEntries(s));
      }
      if (fabric.target(s) != null) {
        node.put("target", fabric.target(s).configName());
      }
      if (view.configuration().aggregating().contains(id)) {
        node.put("aggregate", true);
      }
    }
    ArrayNode links = root.putArray("links");
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.isUp(link)) {
        links
            .addObject()
            .put("a", fabric.end(2 * link).toString())
            .put("b", fabric.end(2 * link + 1).toString())
            .put("bps", fabric.capacityBps(2 * link));
      }
    }
    ArrayNode subnets = root.putArray("subnets");
    for (int i = 0; i < fabric.subnetCount(); i++) {
      if (snapshot.canForward(fabric.subnetSwitch(i))) {
        subnets
            .addObject()
            .put("switch", fabric.switchId(fabric.subnetSwitch(i)))
            .put("prefix", fabric.subnetPrefix(i).toString());
      }
    }
    return root;
  }
}
