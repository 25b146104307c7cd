package org.evenweave.standalone.openflow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.openflow.PortCodec;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.types.OFPort;

/** Reads what a switch's ports have counted, of the first {@link PortTable#MAX_PORTS} of them. */
final class PortCountRequest extends MultipartRequest<Map<Integer, PortCounters>> {
  private final Map<Integer, PortCounters> counters = new HashMap<>();

  PortCountRequest(String switchId, Executor callbacks) {
    super(switchId, callbacks, "counters of ports", List.of("counters of ports"));
  }

  @Override
  public List<OFMessage> messages(long firstXid) {
    return List.of(
        OpenFlow13.FACTORY.buildPortStatsRequest().setXid(firstXid).setPortNo(OFPort.ANY).build());
  }

  @Override
  public boolean onReply(OFMessage message) {
    OFPortStatsReply reply = (OFPortStatsReply) message;
    for (OFPortStatsEntry entry : reply.getEntries()) {
      int port = entry.getPortNo().getPortNumber();
      if (PortDescription.isPhysical(port) && counters.size() < PortTable.MAX_PORTS) {
        counters.put(port, PortCodec.counters(entry));
      }
    }
    boolean isLast = isLast(message);
    if (isLast) {
      succeed(counters);
    }
    return isLast;
  }
}
