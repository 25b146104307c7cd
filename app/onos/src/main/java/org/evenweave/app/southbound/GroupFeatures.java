package org.evenweave.app.southbound;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFGroupFeaturesStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many groups of type SELECT the switches of this instance say that they hold
 * (OFPMP_GROUP_FEATURES; OpenFlow 1.3.5, section 7.3.5.10).
 *
 * <p>ONOS (2.7.0) asks no switch for its group or table features, and its API has neither, so a
 * switch is queried on its channel, once for each connection: ONOS logs a warning for each reply.
 * Table features are not requested: the reply of a switch of 254 tables has many parts, and ONOS
 * closes the connection of a switch if it cannot parse one.
 */
final class GroupFeatures {
  private static final Logger LOG = LoggerFactory.getLogger(GroupFeatures.class);

  /** Different from those of {@link SwitchReader}. */
  private static final long XID = 0x455c_0000L;

  private final OpenFlowChannel channel;
  private final Map<DeviceId, Report> reports = new ConcurrentHashMap<>();

  /** What a switch said on one connection. */
  private static final class Report {
    final Object connection;
    volatile Limits limits = Limits.NONE;

    Report(Object connection) {
      this.connection = connection;
    }
  }

  /**
   * @param channel to the switches of this instance
   */
  GroupFeatures(OpenFlowChannel channel) {
    this.channel = channel;
  }

  /**
   * Asks a switch that has not been asked since it connected. Nothing waits for the reply, since a
   * switch need not answer; it comes before those to later requests.
   *
   * @throws org.evenweave.engine.port.SouthboundException if this instance is not its master
   */
  void request(DeviceId device) {
    Object connection = channel.connection(device);
    Report known = reports.get(device);
    if (known != null && known.connection == connection) {
      return;
    }
    Report report = new Report(connection);
    reports.put(device, report);
    channel
        .request(
            device,
            XID,
            (factory, xid) -> factory.buildGroupFeaturesStatsRequest().setXid(xid).build())
        .whenComplete(
            (replies, error) -> {
              if (error == null) {
                report.limits = limits(replies);
              } else {
                LOG.debug("{}: does not say how many groups it can have", device, error);
              }
            });
  }

  private static Limits limits(List<OFStatsReply> replies) {
    long groups = ((OFGroupFeaturesStatsReply) replies.get(0)).getMaxGroupsSelect();
    // A switch that says 0 says nothing. Open vSwitch's number for no limit is above 2^31.
    return groups == 0 || groups >= Fabric.UNLIMITED
        ? Limits.NONE
        : Limits.NONE.withGroups((int) groups);
  }

  /** What the switch has said since it connected; {@link Limits#NONE} if it has not. */
  Limits of(DeviceId device) {
    Report report = reports.get(device);
    return report == null ? Limits.NONE : report.limits;
  }
}
