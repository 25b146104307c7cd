package org.evenweave.app.network;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.DeviceId;

/**
 * Cables that ONOS does not find any more, though the ports at both of their ends are up, and how
 * long to go on believing in them.
 *
 * <p>ONOS concludes that a link is lost from probes that it did not hear for 10 s. But it concludes
 * it as well of all links of a switch whose master changes, until the new one has probed them, and
 * an instance that was cut off from the others concludes it of every link it knows. To believe that
 * would take routes out for nothing. So a cable is lost only when others show that probes leave the
 * switch at its one end and arrive at the switch at its other end, and still none passes the cable.
 */
final class LinkAging {
  /**
   * How long probes may pass the others only. ONOS probes every 3 s, but a new master was seen to
   * take 7 s until it had found all links again, on two busy cores.
   */
  static final long WITNESSED_NANOS = 10_000_000_000L;

  /** How long a cable may be missing without witnesses: many times what a new master ever took. */
  static final long ALONE_NANOS = 60_000_000_000L;

  private static final class Absence {
    final long sinceNanos;

    /** Since when others have been there all the time; null while they are not. */
    Long witnessedSinceNanos;

    Absence(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  private final Map<DirectedLink, Absence> absences = new HashMap<>();

  /**
   * Takes notice of the cables that are missing and of those that are there.
   *
   * @return those that are lost; they are not missing any more
   */
  Set<DirectedLink> lost(
      Collection<DirectedLink> missing, Collection<DirectedLink> there, long atNanos) {
    Set<DeviceId> sending = new HashSet<>();
    Set<DeviceId> hearing = new HashSet<>();
    for (DirectedLink cable : there) {
      sending.add(cable.from.deviceId());
      hearing.add(cable.to.deviceId());
    }
    absences.keySet().retainAll(missing);
    Set<DirectedLink> lost = new HashSet<>();
    for (DirectedLink cable : missing) {
      Absence absence = absences.computeIfAbsent(cable, c -> new Absence(atNanos));
      boolean witnessed =
          sending.contains(cable.from.deviceId()) && hearing.contains(cable.to.deviceId());
      if (!witnessed) {
        absence.witnessedSinceNanos = null;
      } else if (absence.witnessedSinceNanos == null) {
        absence.witnessedSinceNanos = atNanos;
      }
      if (atNanos - absence.sinceNanos >= ALONE_NANOS
          || (witnessed && atNanos - absence.witnessedSinceNanos >= WITNESSED_NANOS)) {
        lost.add(cable);
      }
    }
    absences.keySet().removeAll(lost);
    return lost;
  }
}
