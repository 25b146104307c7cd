package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The network as discovered: a fabric as the offline tools read it, with its hosts. */
@Path("topology")
@Produces(MediaType.APPLICATION_JSON)
public final class TopologyResource {
  private final Engine engine;

  public TopologyResource(Engine engine) {
    this.engine = engine;
  }

  /** {@code {"version":9,"fabric":{"switches":..,"links":..,"subnets":..},"hosts":[..]}}. */
  @GET
  public String topology() {
    Snapshot snapshot = engine.view().snapshot();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("version", snapshot.version());
    root.set("fabric", fabric(snapshot));
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

  private static ObjectNode fabric(Snapshot snapshot) {
    Fabric fabric = snapshot.physical();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode switches = root.putArray("switches");
    for (String id : snapshot.switchIds()) {
      int s = fabric.indexOf(id);
      ObjectNode node = switches.addObject().put("id", id).put("stage", fabric.stage(s));
      if (fabric.tableEntries(s) != Fabric.UNLIMITED) {
        node.put("table", fabric.tableEntries(s));
      }
    }
    ArrayNode links = root.putArray("links");
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.isUp(link)) {
        links
            .addObject()
            .put("a", fabric.end(2 * link))
            .put("b", fabric.end(2 * link + 1))
            .put("bps", fabric.capacityBps(2 * link));
      }
    }
    ArrayNode subnets = root.putArray("subnets");
    for (int i = 0; i < fabric.subnetCount(); i++) {
      if (snapshot.isPresent(fabric.subnetSwitch(i))) {
        subnets
            .addObject()
            .put("switch", fabric.switchId(fabric.subnetSwitch(i)))
            .put("prefix", fabric.subnetPrefix(i).toString());
      }
    }
    return root;
  }
}
