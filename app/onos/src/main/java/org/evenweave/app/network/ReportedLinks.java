package org.evenweave.app.network;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/** The links as reported to the engine; no two have an end in common. */
final class ReportedLinks {
  private final Map<ConnectPoint, DirectedLink> leaving = new HashMap<>();
  private final Map<ConnectPoint, DirectedLink> arriving = new HashMap<>();

  /**
   * @return false, and the link is not added, if it is there already or shares an end with another
   */
  boolean add(DirectedLink link) {
    if (leaving.containsKey(link.from) || arriving.containsKey(link.to)) {
      return false;
    }
    leaving.put(link.from, link);
    arriving.put(link.to, link);
    return true;
  }

  /** The other links that have an end in common with this one. */
  Set<DirectedLink> contradicting(DirectedLink link) {
    Set<DirectedLink> found = new HashSet<>();
    found.add(leaving.get(link.from));
    found.add(arriving.get(link.to));
    found.remove(null);
    found.remove(link);
    return found;
  }

  void removeAll(Collection<DirectedLink> links) {
    for (DirectedLink link : links) {
      leaving.remove(link.from, link);
      arriving.remove(link.to, link);
    }
  }

  void removeAllOf(DeviceId device) {
    Set<DirectedLink> links = all();
    links.removeIf(link -> !link.touches(device));
    removeAll(links);
  }

  /** All of them; a copy. */
  Set<DirectedLink> all() {
    return new HashSet<>(leaving.values());
  }
}
