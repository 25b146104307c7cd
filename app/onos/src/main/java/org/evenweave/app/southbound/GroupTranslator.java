package org.evenweave.app.southbound;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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

/** Translates the engine's groups to ONOS groups. */
public final class GroupTranslator {
  /**
   * The group ids of Evenweave on a device, "EW" and a number in hex: 65,535, far from those that
   * ONOS allocates for other applications.
   */
  private static final int FIRST_ID = 0x4557_0001;

  private static final int LAST_ID = 0x4557_ffff;

  private final ApplicationId application;

  GroupTranslator(ApplicationId application) {
    this.application = application;
  }

  /** All group ids of Evenweave, in ascending order. */
  static IntStream ids() {
    return IntStream.rangeClosed(FIRST_ID, LAST_ID);
  }

  static boolean isOurs(int groupId) {
    return groupId >= FIRST_ID && groupId <= LAST_ID;
  }

  /** The key of the group in ONOS, the same on every instance and after every restart. */
  public static GroupKey key(int groupId) {
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
}
