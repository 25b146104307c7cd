package org.evenweave.app.southbound;

import java.util.OptionalLong;
import org.onosproject.net.DeviceId;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupService;

/** Packet counters of groups, as of ONOS's last poll of the switches. */
public final class GroupPackets {
  private final GroupService groups;

  public GroupPackets(GroupService groups) {
    this.groups = groups;
  }

  /** Packets since the group was added; empty if the group is not in ONOS's store. */
  public OptionalLong packets(DeviceId device, int groupId) {
    Group group = groups.getGroup(device, GroupTranslator.key(groupId));
    return group == null ? OptionalLong.empty() : OptionalLong.of(group.packets());
  }
}
