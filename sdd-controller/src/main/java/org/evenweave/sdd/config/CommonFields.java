package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.evenweave.sdd.handover.Digest;

/**
 * The configuration fields that must be equal at all controllers of the same hosts; otherwise one
 * that takes over would contradict the weeks, queues and terms of its predecessor. These are all
 * fields except addresses, roles, and those that operators change at run time.
 */
final class CommonFields {
  private CommonFields() {}

  /**
   * A text that is the same for the same values, given or by default.
   *
   * @param config read as far as its edges
   * @param root what it was read from
   */
  static String of(SddConfig config, JsonNode root) {
    ObjectNode fields =
        JsonNodeFactory.instance
            .objectNode()
            .put("circuitSwitch", config.directory.circuitSwitch())
            .put("clock", config.clock.kind().name())
            .put(
                "taiOffsetSeconds",
                root.path("taiOffsetSeconds").asInt(SddConfigReader.TAI_OFFSET_SECONDS))
            .put("periodNs", config.network.weekNs())
            .put("nightNs", config.nightNs)
            .put("guardNs", config.guardNs)
            .put("shortestSlotNs", config.shortestSlotNs)
            .put("circuitBps", config.network.circuitBps())
            .put("packetBps", config.packetBps)
            .put("hybridBps", config.hybridBps)
            .put("packetDelayNs", config.packetDelayNs)
            .put("hostsPerRack", config.hostsPerRack)
            .put("paths", config.paths)
            .put("loop", config.loop.name())
            .put("scheduler", config.schedulerName)
            .put("order", config.orderName)
            .put("slotNs", config.slotNs)
            .put("lostAfterPeriods", config.lostAfterPeriods)
            .put("takeOverAfterPeriods", config.takeOverAfterPeriods)
            .put("safePolicy", config.safePolicy.name())
            .put("safeRateBps", config.safeRateBps);
    fields.set("hosts", names(config.directory.names()));
    fields.set("edgeHosts", names(config.edgeHosts));
    if (!config.edgeAddresses.isEmpty()) {
      fields.set("edgeAddresses", root.get("edge").get("addresses"));
    }
    if (!root.path("addresses").isEmpty()) {
      fields.set("addresses", root.get("addresses"));
    }
    fields.set("switches", names(config.rackSwitches));
    fields.set("cores", names(config.coreSwitches));
    ArrayNode flows = fields.putArray("packetFlows");
    root.path("packetFlows").forEach(flows::add);
    ArrayNode classes = fields.putArray("circuitClasses");
    for (JsonNode row : root.path("circuitClasses")) {
      CircuitClass each = config.circuitClasses.get(classes.size());
      classes
          .addObject()
          .put("name", each.name())
          .put("priority", each.demand().priority())
          .put("coflow", each.demand().isCoflow())
          .put("weight", each.demand().weight())
          .set("flows", row.get("flows"));
    }
    return Digest.of(fields);
  }

  private static ArrayNode names(List<String> names) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    names.forEach(array::add);
    return array;
  }
}
