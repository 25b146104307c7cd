package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.wcmp.fabric.Fabric;

/** Writes fabrics whose tables are unlimited. */
final class FabricJson {
  private FabricJson() {}

  static ObjectNode write(Fabric fabric) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode switches = root.putArray("switches");
    for (int s = 0; s < fabric.switchCount(); s++) {
      switches.addObject().put("id", fabric.switchId(s)).put("stage", fabric.stage(s));
    }
    ArrayNode links = root.putArray("links");
    for (int link = 0; link < fabric.linkCount(); link++) {
      links
          .addObject()
          .put("a", fabric.end(2 * link).toString())
          .put("b", fabric.end(2 * link + 1).toString())
          .put("bps", fabric.capacityBps(2 * link));
    }
    ArrayNode subnets = root.putArray("subnets");
    for (int i = 0; i < fabric.subnetCount(); i++) {
      subnets
          .addObject()
          .put("switch", fabric.switchId(fabric.subnetSwitch(i)))
          .put("prefix", fabric.subnetPrefix(i).toString());
    }
    return root;
  }
}
