package org.evenweave.app.network;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/**
 * The links as reported to the engine, no two of which have an end in common; and since when ONOS
 * no longer finds those whose ports at both ends are up.
 *
 * <p>ONOS removes a link after 10 s without probes. But it also removes all links of a switch whose
 * master changes, until the new one has probed them, and an instance in a partition removes every
 * link. To follow that would withdraw routes for nothing. So a link is lost only when other links,
 * its witnesses, show that probes leave the switch at its one end and arrive at the switch at its
 * other end, and still none passes the link.
 */
final class ReportedLinks {
  /**
   * How long probes may pass the witnesses only. ONOS probes every 3 s, but a new master took up to
   * 7 s to find all links again, measured on two busy cores.
   */
  static final long WITNESSED_NANOS = 10_000_000_000L;

  /** How long a link may be missing without witnesses: many times the longest measured above. */
  static final long ALONE_NANOS = 60_000_000_000L;

  private final Map<ConnectPoint, DirectedLink> leaving = new HashMap<>();
  private final Map<ConnectPoint, DirectedLink> arriving = new HashMap<>();
  private final Map<DirectedLink, Absence> absences = new HashMap<>();

  private static final class Absence {
    final long sinceNanos;

    /** Since when there have been witnesses all the time; null while there are none. */
    Long witnessedSinceNanos;

    Absence(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

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

  /**
   * Updates the ages from the links that are missing and those that are present.
   *
   * @return the links that are lost; their ages are deleted
   */
  Set<DirectedLink> agedOut(
      Collection<DirectedLink> missing, Collection<DirectedLink> present, long atNanos) {
    Set<DeviceId> sending = new HashSet<>();
    Set<DeviceId> receiving = new HashSet<>();
    for (DirectedLink link : present) {
      sending.add(link.from.deviceId());
      receiving.add(link.to.deviceId());
    }
    absences.keySet().retainAll(missing);
    Set<DirectedLink> lost = new HashSet<>();
    for (DirectedLink link : missing) {
      Absence absence = absences.computeIfAbsent(link, c -> new Absence(atNanos));
      boolean witnessed =
          sending.contains(link.from.deviceId()) && receiving.contains(link.to.deviceId());
      if (!witnessed) {
        absence.witnessedSinceNanos = null;
      } else if (absence.witnessedSinceNanos == null) {
        absence.witnessedSinceNanos = atNanos;
      }
      if (atNanos - absence.sinceNanos >= ALONE_NANOS
          || (witnessed && atNanos - absence.witnessedSinceNanos >= WITNESSED_NANOS)) {
        lost.add(link);
      }
    }
    absences.keySet().removeAll(lost);
    return lost;
  }
}
