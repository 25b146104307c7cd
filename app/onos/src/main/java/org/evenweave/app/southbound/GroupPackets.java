package org.evenweave.app.southbound;

import java.util.OptionalLong;
import org.onosproject.net.DeviceId;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupService;

/** How many packets groups have forwarded, as ONOS last read it from the switches. */
public final class GroupPackets {
  private final GroupService groups;

  public GroupPackets(GroupService groups) {
    this.groups = groups;
  }

  /** Packets since the group was made; empty if ONOS does not know the group. */
  public OptionalLong packets(DeviceId device, int groupId) {
    Group group = groups.getGroup(device, GroupTranslator.key(groupId));
    return group == null ? OptionalLong.empty() : OptionalLong.of(group.packets());
  }
}
