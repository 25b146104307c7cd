package org.evenweave.openflow;

import java.util.List;
import org.projectfloodlight.openflow.protocol.OFAsyncSet;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * The request that a switch sends its master the packets whose TTL it cannot decrement (OpenFlow
 * 1.3.5, section 7.3.10). None does so unasked: of all packet-ins these alone are off on a new
 * connection, by OpenFlow from 1.4 on and in Open vSwitch in every version.
 */
public final class ExpiredPacketReports {
  /** From OpenFlow 1.4 on, which distinguishes kinds of actions. */
  private static final long ALL_PACKET_IN_REASONS = 0b111111;

  /** Packet-ins of no match, of actions and of an invalid TTL. */
  private static final long PACKET_IN_REASONS = 0b111;

  /** Ports added, deleted and modified. */
  private static final long PORT_STATUS_REASONS = 0b111;

  /** Rules removed after a time-out of either kind, deleted, and deleted with their group. */
  private static final long FLOW_REMOVED_REASONS = 0b1111;

  private ExpiredPacketReports() {}

  /**
   * All that a connection gets unasked, and these packets too. OpenFlow 1.3 sets everything at
   * once, for each role: a slave gets changes of ports alone. Later versions leave what is not
   * named.
   */
  public static OFAsyncSet request(OFFactory of, long xid) {
    OFAsyncSet.Builder request = of.buildAsyncSet().setXid(xid);
    if (of.getVersion() != OFVersion.OF_13) {
      return request
          .setProperties(List.of(of.asyncConfigPropPacketInMaster(ALL_PACKET_IN_REASONS)))
          .build();
    }
    return request
        .setPacketInMaskEqualMaster(PACKET_IN_REASONS)
        .setPacketInMaskSlave(0)
        .setPortStatusMaskEqualMaster(PORT_STATUS_REASONS)
        .setPortStatusMaskSlave(PORT_STATUS_REASONS)
        .setFlowRemovedMaskEqualMaster(FLOW_REMOVED_REASONS)
        .setFlowRemovedMaskSlave(0)
        .build();
  }
}
