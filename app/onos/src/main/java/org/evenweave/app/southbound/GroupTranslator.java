package org.evenweave.app.southbound;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.SelectGroup;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.group.DefaultGroupBucket;
import org.onosproject.net.group.DefaultGroupDescription;
import org.onosproject.net.group.DefaultGroupKey;
import org.onosproject.net.group.GroupBucket;
import org.onosproject.net.group.GroupBuckets;
import org.onosproject.net.group.GroupDescription;
import org.onosproject.net.group.GroupKey;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

/** Translates the engine's groups to ONOS groups, and group descriptions of switches to groups. */
final class GroupTranslator {
  /** A port number no port has (OpenFlow counts from 1). */
  private static final int NO_PORT = 0;

  private final ApplicationId application;

  GroupTranslator(ApplicationId application) {
    this.application = application;
  }

  /** The key of the group in ONOS, the same on every instance and after every restart. */
  static GroupKey key(int groupId) {
    return new DefaultGroupKey(("evenweave/" + groupId).getBytes(StandardCharsets.US_ASCII));
  }

  GroupDescription description(DeviceId device, SelectGroup group) {
    return new DefaultGroupDescription(
        device,
        GroupDescription.Type.SELECT,
        buckets(group),
        key(group.id()),
        group.id(),
        application);
  }

  GroupBuckets buckets(SelectGroup group) {
    List<GroupBucket> buckets = new ArrayList<>(group.bucketCount());
    for (int i = 0; i < group.bucketCount(); i++) {
      buckets.add(
          DefaultGroupBucket.createSelectGroupBucket(
              DefaultTrafficTreatment.builder()
                  .setOutput(PortNumber.portNumber(group.port(i)))
                  .build(),
              (short) group.weight(i)));
    }
    return new GroupBuckets(buckets);
  }

  /**
   * A group as the switch describes it. One that is not of Evenweave's shape (someone changed it)
   * becomes one bucket to a port that does not exist, which equals no group of a plan, so that an
   * audit restores it.
   */
  static SelectGroup read(OFGroupDescStatsEntry entry) {
    int id = entry.getGroup().getGroupNumber();
    List<OFBucket> buckets = entry.getBuckets();
    int[] ports = new int[buckets.size()];
    int[] weights = new int[buckets.size()];
    boolean ofOurShape = entry.getGroupType() == OFGroupType.SELECT && ports.length > 0;
    for (int i = 0; i < ports.length && ofOurShape; i++) {
      ports[i] = output(buckets.get(i).getActions());
      weights[i] = buckets.get(i).getWeight();
      ofOurShape = ports[i] != NO_PORT;
    }
    return ofOurShape
        ? new SelectGroup(id, ports, weights)
        : new SelectGroup(id, new int[] {NO_PORT}, new int[] {1});
  }

  /**
   * Whether the group is of Evenweave's shape, except that a bucket does not watch its own port.
   */
  static boolean isUnwatched(OFGroupDescStatsEntry entry) {
    return entry.getGroupType() == OFGroupType.SELECT
        && entry.getBuckets().stream().allMatch(bucket -> output(bucket.getActions()) != NO_PORT)
        && !entry.getBuckets().stream().allMatch(GroupTranslator::watchesItsPort);
  }

  private static boolean watchesItsPort(OFBucket bucket) {
    return bucket.getWatchPort().getPortNumber() == output(bucket.getActions());
  }

  /** The group-mod that makes every bucket watch its port and changes nothing else. */
  static OFGroupMod watched(OFFactory factory, OFGroupDescStatsEntry entry) {
    List<OFBucket> buckets = new ArrayList<>();
    for (OFBucket bucket : entry.getBuckets()) {
      buckets.add(
          factory
              .buildBucket()
              .setWeight(bucket.getWeight())
              .setWatchPort(OFPort.of(output(bucket.getActions())))
              .setWatchGroup(OFGroup.ANY)
              .setActions(bucket.getActions())
              .build());
    }
    return factory
        .buildGroupModify()
        .setGroupType(OFGroupType.SELECT)
        .setGroup(entry.getGroup())
        .setBuckets(buckets)
        .build();
  }

  /** The group-mod that deletes the group that a message adds. */
  static OFGroupMod deletion(OFFactory factory, OFGroupMod addition) {
    return factory
        .buildGroupDelete()
        .setGroupType(addition.getGroupType())
        .setGroup(addition.getGroup())
        .build();
  }

  private static int output(List<OFAction> actions) {
    return actions.size() == 1 && actions.get(0) instanceof OFActionOutput
        ? ((OFActionOutput) actions.get(0)).getPort().getPortNumber()
        : NO_PORT;
  }
}
