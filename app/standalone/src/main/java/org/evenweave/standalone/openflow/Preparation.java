package org.evenweave.standalone.openflow;

import java.util.function.Consumer;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.ExpiredPacketReports;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages sent to a switch each time this controller has become its master, before the switch
 * is used: a trial of hash bases, the request for packets whose TTL is used up, that for reports of
 * changed rules, and the standing rules. On the channel's event loop.
 */
final class Preparation {
  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);
  private static final OFFactory OF = OpenFlow13.FACTORY;

  private final Dialect dialect;
  private final RequestPipeline pipeline;
  private final Consumer<Object> outlet;
  private long hashTrialXid = -1;
  private long expiredPacketsXid = -1;
  private long monitorXid = -1;
  private long barrierXid = -1;

  /**
   * @param outlet takes messages, and bytes that need no translation
   */
  Preparation(Dialect dialect, RequestPipeline pipeline, Consumer<Object> outlet) {
    this.dialect = dialect;
    this.pipeline = pipeline;
    this.outlet = outlet;
  }

  void start() {
    if (dialect.isOpenFlow15()) {
      tryHashBasis();
    }
    expiredPacketsXid = pipeline.freeXid();
    outlet.accept(ExpiredPacketReports.request(OF, expiredPacketsXid));
    if (monitorXid < 0) {
      monitorXid = pipeline.freeXid();
      outlet.accept(FlowMonitor.request(dialect.version(), monitorXid));
    }
    for (FlowRule rule : OpenFlowNetwork.STANDING_RULES) {
      outlet.accept(FlowMessages.add(rule, pipeline.freeXid()));
    }
    barrierXid = pipeline.freeXid();
    outlet.accept(OF.buildBarrierRequest().setXid(barrierXid).build());
  }

  /**
   * Requests a hash basis in a group that no rule uses, and deletes the group. A switch that does
   * not know the property refuses the group, and gets none with it; see {@link SwitchHandler}.
   */
  private void tryHashBasis() {
    OFGroup trial = OFGroup.of(OpenFlow13.LAST_GROUP + 1);
    hashTrialXid = pipeline.freeXid();
    OFGroupDelete.Builder delete =
        OF.buildGroupDelete().setGroupType(OFGroupType.SELECT).setGroup(trial);
    outlet.accept(delete.setXid(pipeline.freeXid()).build());
    outlet.accept(
        OF.buildGroupAdd()
            .setXid(hashTrialXid)
            .setGroupType(OFGroupType.SELECT)
            .setGroup(trial)
            .build());
    outlet.accept(delete.setXid(pipeline.freeXid()).build());
  }

  /** Whether this reply ends the preparation that was started last. */
  boolean isCompletedBy(OFMessage reply) {
    return reply instanceof OFBarrierReply && reply.getXid() == barrierXid;
  }

  /** Whether an error is about a request that a switch may refuse and be used anyway. */
  boolean toleratesError(String switchName, SwitchError error) {
    if (error.xid() == hashTrialXid) {
      LOG.info("{}: refuses a hash basis: {}", switchName, error);
      dialect.leaveHash();
      return true;
    }
    if (error.xid() == expiredPacketsXid) {
      LOG.info("{}: refuses to report expired packets: {}", switchName, error);
      return true;
    }
    if (error.xid() == monitorXid) {
      LOG.info("{}: does not report changed rules, so audits find them: {}", switchName, error);
      return true;
    }
    return false;
  }
}
