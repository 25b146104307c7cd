package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.forwarding.SharingCost;

/** JSON about groups that REST and the offline tools share. */
public final class GroupJson {
  private GroupJson() {}

  /** The port of a group that leaves it out. */
  private static final class LeftOut {
    final GroupState group;
    final int index;

    LeftOut(GroupState group, int index) {
      this.group = group;
      this.index = index;
    }

    double share() {
      return group.idealShare(index);
    }
  }

  /**
   * Puts {@code "unusedShare":0.08,"leftOut":[{"port":4,"share":0.08,"why":"..."}]}: the ports that
   * groups of a switch leave out, each with its largest share of a group's capacity, and the
   * largest share that a group does not use. Nothing where no port is left out, as mostly.
   */
  public static void putLeftOut(ObjectNode node, List<GroupState> groups) {
    Map<Integer, LeftOut> ofPort = new TreeMap<>();
    for (GroupState group : groups) {
      for (int i : group.leftOut()) {
        ofPort.merge(
            group.port(i),
            new LeftOut(group, i),
            (one, other) -> other.share() > one.share() ? other : one);
      }
    }
    if (ofPort.isEmpty()) {
      return;
    }
    node.put(
        "unusedShare", groups.stream().mapToDouble(GroupState::unusedShare).max().getAsDouble());
    ArrayNode ports = node.putArray("leftOut");
    ofPort.forEach(
        (port, leftOut) ->
            ports
                .addObject()
                .put("port", port)
                .put("share", leftOut.share())
                .put("why", leftOut.group.whyLeftOut(leftOut.index)));
  }

  /**
   * Puts {@code "sharing":{"oversubscription":1.2,"leastOversubscription":1.1}} of a switch whose
   * destinations share groups.
   */
  public static void putSharing(ObjectNode node, DesiredState desired, String switchId) {
    SharingCost sharing = desired.sharing(switchId);
    if (sharing != null) {
      node.putObject("sharing")
          .put("oversubscription", sharing.oversubscription())
          .put("leastOversubscription", sharing.leastOversubscription());
    }
  }
}
