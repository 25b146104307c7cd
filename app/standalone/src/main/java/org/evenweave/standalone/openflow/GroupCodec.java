package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.SelectGroup;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

/**
 * {@link SelectGroup}s as OpenFlow 1.3 groups of type SELECT, and back. Each bucket is one output
 * action, its weight, and a watch on that same port.
 *
 * <p>A group in Evenweave's range of ids that is not of this shape (someone changed it) is read as
 * one bucket to {@link FlowCodec#NO_PORT}, which equals nothing that was ever wanted, so that an
 * audit finds the drift and modifies it back.
 */
final class GroupCodec {
  /**
   * The most buckets one group mod can hold in OpenFlow 1.5: 24 bytes for the message, 40 for its
   * property and for each bucket, in 65,535 (1.3 has room for a few more). A larger group has no
   * encoding (and one whose length overflows corrupts the group in Open vSwitch 3.1).
   */
  static final int MAX_BUCKETS = (0xffff - 24 - 40) / 40;

  /** The largest weight the wire holds. */
  static final int MAX_WEIGHT = 0xffff;

  private static final OFFactory OF = OpenFlow13.FACTORY;

  private GroupCodec() {}

  static OFGroupMod add(SelectGroup group, long xid) {
    return complete(OF.buildGroupAdd(), group, xid);
  }

  static OFGroupMod modify(SelectGroup group, long xid) {
    return complete(OF.buildGroupModify(), group, xid);
  }

  /** Deletes the group, and with it (as OpenFlow specifies) the rules that lead to it. */
  static OFGroupMod delete(SelectGroup group, long xid) {
    return OF.buildGroupDelete()
        .setXid(xid)
        .setGroupType(OFGroupType.SELECT)
        .setGroup(OFGroup.of(group.id()))
        .build();
  }

  /** Whether a group id is Evenweave's. */
  static boolean isOurs(int groupId) {
    return groupId >= 1 && groupId <= OpenFlow13.LAST_GROUP;
  }

  static SelectGroup read(OFGroupDescStatsEntry entry) {
    int id = entry.getGroup().getGroupNumber();
    List<OFBucket> buckets = entry.getBuckets();
    int[] ports = new int[buckets.size()];
    int[] weights = new int[buckets.size()];
    boolean ofOurShape = entry.getGroupType() == OFGroupType.SELECT && ports.length > 0;
    for (int i = 0; i < ports.length && ofOurShape; i++) {
      ports[i] = watchedOutput(buckets.get(i));
      weights[i] = buckets.get(i).getWeight();
      ofOurShape = ports[i] != FlowCodec.NO_PORT;
    }
    return ofOurShape
        ? new SelectGroup(id, ports, weights)
        : new SelectGroup(id, new int[] {FlowCodec.NO_PORT}, new int[] {1});
  }

  /** The port the bucket outputs to and watches, or {@link FlowCodec#NO_PORT}. */
  private static int watchedOutput(OFBucket bucket) {
    List<OFAction> actions = bucket.getActions();
    if (actions.size() != 1
        || !(actions.get(0) instanceof OFActionOutput)
        || !((OFActionOutput) actions.get(0)).getPort().equals(bucket.getWatchPort())) {
      return FlowCodec.NO_PORT;
    }
    return bucket.getWatchPort().getPortNumber();
  }

  private static OFGroupMod complete(OFGroupMod.Builder builder, SelectGroup group, long xid) {
    List<OFBucket> buckets = new ArrayList<>(group.bucketCount());
    for (int i = 0; i < group.bucketCount(); i++) {
      OFPort port = OFPort.of(group.port(i));
      buckets.add(
          OF.buildBucket()
              .setWeight(group.weight(i))
              .setWatchPort(port)
              .setWatchGroup(OFGroup.ANY)
              .setActions(List.of(OF.actions().output(port, 0)))
              .build());
    }
    return builder
        .setXid(xid)
        .setGroupType(OFGroupType.SELECT)
        .setGroup(OFGroup.of(group.id()))
        .setBuckets(buckets)
        .build();
  }
}
