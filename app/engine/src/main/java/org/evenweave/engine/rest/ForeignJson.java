package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.engine.interference.ForeignFinding;
import org.evenweave.engine.interference.ForeignReport;

/** Writes foreign rules and groups in answers. */
final class ForeignJson {
  private ForeignJson() {}

  /**
   * {@code {"rules":[{"switch":"s1-1","table":0,
   * "table":0,"priority":65000,"match":"ip,nw_dst=10.0.2.0/24","actions":"drop","owner":"cookie
   * 0x0","effect":"lost","where":"s1-1 drops them: actions=drop",
   * "traffic":["ip,nw_dst=10.0.2.0/24"]}],"groups":[{"switch":"s1-1","groupId":9000,"group":"all
   * output:3"}]}}, harmful rules first.
   */
  static ObjectNode of(ForeignReport report) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode rules = root.putArray("rules");
    for (ForeignFinding finding : report.findings()) {
      ObjectNode node =
          rules
              .addObject()
              .put("switch", finding.switchId())
              .put("table", finding.rule().table())
              .put("priority", finding.rule().priority())
              .put("match", finding.rule().match().toString())
              .put("actions", finding.rule().actions())
              .put("owner", finding.owner())
              .put("effect", finding.effect().kind().text())
              .put("where", finding.effect().where());
      finding.traffic().forEach(node.putArray("traffic")::add);
    }
    ArrayNode groups = root.putArray("groups");
    report
        .groups()
        .forEach(
            (switchId, ofSwitch) ->
                ofSwitch.forEach(
                    group ->
                        groups
                            .addObject()
                            .put("switch", switchId)
                            .put("groupId", Integer.toUnsignedLong(group.id()))
                            .put("group", group.toString())));
    return root;
  }
}
