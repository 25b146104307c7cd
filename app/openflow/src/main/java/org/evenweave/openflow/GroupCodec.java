package org.evenweave.openflow;

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
 * {@link SelectGroup}s as OpenFlow groups of type SELECT, and back. Each bucket is one output
 * action, its weight, and a watch on that same port.
 *
 * <p>A group that is not of this shape, because someone changed it, is read as one bucket to {@link
 * FlowCodec#NO_PORT}: that equals no group of a plan, so that an audit restores it.
 */
public final class GroupCodec {
  /**
   * The most buckets one group-mod can hold in OpenFlow 1.5: 24 bytes for the message, 40 for its
   * property and for each bucket, in 65,535 (1.3 has room for a few more). A larger group has no
   * encoding (and one whose length overflows corrupts the group in Open vSwitch 3.1).
   */
  public static final int MAX_BUCKETS = (0xffff - 24 - 40) / 40;

  /** The largest weight of a bucket in OpenFlow. */
  public static final int MAX_WEIGHT = 0xffff;

  private GroupCodec() {}

  /**
   * The group-mod that adds a group.
   *
   * @param xid of the message
   */
  public static OFGroupMod add(OFFactory of, SelectGroup group, long xid) {
    return complete(of, of.buildGroupAdd(), group, xid);
  }

  /** The group-mod that gives a group these buckets instead of its own. */
  public static OFGroupMod modify(OFFactory of, SelectGroup group, long xid) {
    return complete(of, of.buildGroupModify(), group, xid);
  }

  /** Deletes the group, and with it (as OpenFlow specifies) the rules that lead to it. */
  public static OFGroupMod delete(OFFactory of, int groupId, long xid) {
    return of.buildGroupDelete()
        .setXid(xid)
        .setGroupType(OFGroupType.SELECT)
        .setGroup(OFGroup.of(groupId))
        .build();
  }

  /** The group that a switch describes. */
  public static SelectGroup read(OFGroupDescStatsEntry entry) {
    int id = entry.getGroup().getGroupNumber();
    if (!isOfOurShape(entry)) {
      return changed(id);
    }
    SelectGroup group =
        new SelectGroup(
            id,
            entry.getBuckets().stream().mapToInt(GroupCodec::output).toArray(),
            entry.getBuckets().stream().mapToInt(OFBucket::getWeight).toArray());
    boolean watched =
        entry.getBuckets().stream()
            .allMatch(bucket -> bucket.getWatchPort().getPortNumber() == output(bucket));
    return watched ? group : group.unwatched();
  }

  private static boolean isOfOurShape(OFGroupDescStatsEntry entry) {
    return entry.getGroupType() == OFGroupType.SELECT
        && !entry.getBuckets().isEmpty()
        && entry.getBuckets().stream().allMatch(bucket -> output(bucket) != FlowCodec.NO_PORT);
  }

  private static SelectGroup changed(int id) {
    return new SelectGroup(id, new int[] {FlowCodec.NO_PORT}, new int[] {1});
  }

  /** The port of the bucket's only action; {@link FlowCodec#NO_PORT} if it has others. */
  private static int output(OFBucket bucket) {
    List<OFAction> actions = bucket.getActions();
    return actions.size() == 1 && actions.get(0) instanceof OFActionOutput
        ? ((OFActionOutput) actions.get(0)).getPort().getPortNumber()
        : FlowCodec.NO_PORT;
  }

  private static OFGroupMod complete(
      OFFactory of, OFGroupMod.Builder builder, SelectGroup group, long xid) {
    List<OFBucket> buckets = new ArrayList<>(group.bucketCount());
    for (int i = 0; i < group.bucketCount(); i++) {
      OFPort port = OFPort.of(group.port(i));
      buckets.add(
          of.buildBucket()
              .setWeight(group.weight(i))
              .setWatchPort(port)
              .setWatchGroup(OFGroup.ANY)
              .setActions(List.of(of.actions().output(port, 0)))
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
