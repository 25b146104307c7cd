package org.evenweave.standalone.tools;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairRoutes;

/**
 * Writes pairs as {@link RoutesJson#pair(Fabric, PairRoutes)} does, as text and many times as fast:
 * for each member port there is text ready up to its weight. For several threads.
 */
final class PairText {
  /** A group's text in a large fabric, so that a builder seldom grows. */
  private static final int CHARACTERS_FOR_EACH_SWITCH = 256;

  /** Switches' ids in quotes; they have no characters to escape. */
  private final String[] quotedId;

  /** What stands before the weight of each arc. */
  private final String[] member;

  PairText(Fabric fabric) {
    quotedId = new String[fabric.switchCount()];
    for (int s = 0; s < quotedId.length; s++) {
      quotedId[s] = '"' + fabric.switchId(s) + '"';
    }
    member = new String[fabric.arcCount()];
    for (int s = 0; s < quotedId.length; s++) {
      for (int i = 0; i < fabric.outDegree(s); i++) {
        int arc = fabric.outArc(s, i);
        String via = quotedId[fabric.to(arc)];
        member[arc] = "{\"port\":" + fabric.port(arc) + ",\"via\":" + via + ",\"weight\":";
      }
    }
  }

  String of(PairRoutes pair) {
    DestinationRoutes routes = pair.routes();
    StringBuilder json = new StringBuilder(CHARACTERS_FOR_EACH_SWITCH * quotedId.length);
    json.append("{\"from\":").append(quotedId[pair.source()]);
    json.append(",\"to\":").append(quotedId[pair.destination()]);
    appendPorts(routes, pair.source(), json);
    json.append(",\"groups\":[");
    String between = "";
    for (int s = 0; s < quotedId.length; s++) {
      if (s != pair.source() && routes.memberCount(s) > 0) {
        json.append(between).append("{\"switch\":").append(quotedId[s]);
        appendPorts(routes, s, json);
        json.append('}');
        between = ",";
      }
    }
    return json.append("],\"maxFlowBps\":").append(pair.maxFlowBps()).append('}').toString();
  }

  private void appendPorts(DestinationRoutes routes, int s, StringBuilder json) {
    json.append(",\"ports\":[");
    int count = routes.memberCount(s);
    for (int i = 0; i < count; i++) {
      json.append(member[routes.arc(s, i)]).append(routes.weight(s, i));
      json.append(i < count - 1 ? "}," : "}");
    }
    json.append(']');
  }
}
