package org.evenweave.app.southbound;

import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupService;

/** What ONOS knows of the engine's groups: its own id, and the packets it last read. */
public final class OnosGroups {
  private final GroupService groups;

  public OnosGroups(GroupService groups) {
    this.groups = groups;
  }

  /**
   * ONOS's view of a group; empty if it has none.
   *
   * @param groupId the engine's
   */
  public Optional<Group> of(DeviceId device, int groupId) {
    return Optional.ofNullable(groups.getGroup(device, GroupTranslator.key(groupId)));
  }
}
