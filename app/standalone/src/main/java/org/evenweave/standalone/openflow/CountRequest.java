package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.openflow.FlowCodec;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Reads what a switch's routing rules with the engine's cookie have counted. */
final class CountRequest extends MultipartRequest<Collection<RuleCount>> {
  private final List<RuleCount> counts = new ArrayList<>();

  CountRequest(String switchId, Executor callbacks) {
    super(switchId, callbacks, "counters", List.of("counters"));
  }

  @Override
  public List<OFMessage> messages(long firstXid) {
    return List.of(OpenFlow13.ownRulesRequest(firstXid));
  }

  @Override
  public boolean onReply(OFMessage message) {
    OFFlowStatsReply reply = (OFFlowStatsReply) message;
    for (OFFlowStatsEntry entry : reply.getEntries()) {
      if (entry.getCookie().equals(OpenFlow13.ENGINE_COOKIE)) {
        FlowMessages.read(entry)
            .filter(FlowRule::isRoute)
            .ifPresent(rule -> counts.add(FlowCodec.count(rule, entry)));
      }
    }
    if (counts.size() > ReadRequest.MAX_ENTRIES) {
      throw new BadSwitchException("reports more than " + ReadRequest.MAX_ENTRIES + " routes");
    }
    boolean isLast = isLast(message);
    if (isLast) {
      succeed(counts);
    }
    return isLast;
  }
}
