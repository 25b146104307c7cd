package org.evenweave.app.network;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/** The cables that the engine was told of; no two have an end in common. */
final class ReportedLinks {
  private final Map<ConnectPoint, DirectedLink> leaving = new HashMap<>();
  private final Map<ConnectPoint, DirectedLink> arriving = new HashMap<>();

  /**
   * @return false, and the cable is not added, if it was there or one that contradicts it is
   */
  boolean add(DirectedLink cable) {
    if (leaving.containsKey(cable.from) || arriving.containsKey(cable.to)) {
      return false;
    }
    leaving.put(cable.from, cable);
    arriving.put(cable.to, cable);
    return true;
  }

  /** Those that have an end in common with this one, and are not it. */
  Set<DirectedLink> contradicting(DirectedLink cable) {
    Set<DirectedLink> found = new HashSet<>();
    found.add(leaving.get(cable.from));
    found.add(arriving.get(cable.to));
    found.remove(null);
    found.remove(cable);
    return found;
  }

  void removeAll(Collection<DirectedLink> cables) {
    for (DirectedLink cable : cables) {
      leaving.remove(cable.from, cable);
      arriving.remove(cable.to, cable);
    }
  }

  void removeThoseOf(DeviceId device) {
    Set<DirectedLink> cables = all();
    cables.removeIf(cable -> !cable.touches(device));
    removeAll(cables);
  }

  /** All of them; a copy. */
  Set<DirectedLink> all() {
    return new HashSet<>(leaving.values());
  }
}
