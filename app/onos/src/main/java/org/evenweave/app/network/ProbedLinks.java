package org.evenweave.app.network;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/**
 * The links that ONOS's probes pass, and the switches that these show to be reachable. ONOS (2.7.0)
 * keeps a link for good if the instance that found it ends, and does not say when a probe passed
 * one last; so a link counts only while this instance learns of probes that pass it.
 *
 * <p>Where links come from elsewhere than from probes, or another application takes the probes,
 * this instance learns of none at all; then ONOS is believed. Belongs to the engine's loop.
 */
final class ProbedLinks {
  /** As long as ONOS itself keeps a link that is silent; it probes every 3 s. */
  static final long FRESH_NANOS = 10_000_000_000L;

  /** How long there may be no probes before ONOS is believed without. */
  static final long BLIND_NANOS = 60_000_000_000L;

  private final Map<DirectedLink, Long> passedNanos = new HashMap<>();

  /** When each switch was last in reach, or was asked for first. */
  private final Map<DeviceId, Long> inReachNanos = new HashMap<>();

  /** When the last probe of all passed a link. */
  private long lastNanos;

  private long lastRoundNanos;

  ProbedLinks(long startNanos) {
    lastNanos = startNanos;
    lastRoundNanos = startNanos;
  }

  /**
   * A probe has passed a link.
   *
   * @return whether the link is believed for that only
   */
  boolean passed(DirectedLink link, long atNanos) {
    boolean isNew = !isBelieved(link, atNanos);
    passedNanos.put(link, atNanos);
    lastNanos = atNanos;
    return isNew;
  }

  /** Probes that have passed links at a port say nothing any more. */
  void forget(ConnectPoint end) {
    passedNanos.keySet().removeIf(link -> link.from.equals(end) || link.to.equals(end));
  }

  /** Probes that have passed links of a switch say nothing any more. */
  void forget(DeviceId device) {
    passedNanos.keySet().removeIf(link -> link.touches(device));
    inReachNanos.remove(device);
  }

  /** Whether a link that ONOS has carries packets. */
  boolean isBelieved(DirectedLink link, long nowNanos) {
    Long passed = passedNanos.get(link);
    return nowNanos - lastNanos >= BLIND_NANOS
        || (passed != null && nowNanos - passed < FRESH_NANOS);
  }

  /**
   * A round is over.
   *
   * @param links those that ONOS has
   * @return of the devices, those that were in reach in this round: a probe left them, and one came
   *     to them. One of which there has been no sign for {@link #BLIND_NANOS} counts as well: its
   *     links are dead then, or it has none
   */
  Set<DeviceId> roundPassed(
      Collection<DeviceId> devices, Collection<DirectedLink> links, long nowNanos) {
    passedNanos.values().removeIf(passed -> nowNanos - passed >= BLIND_NANOS);
    Set<DeviceId> sent = new HashSet<>();
    Set<DeviceId> received = new HashSet<>();
    for (DirectedLink link : links) {
      Long passed = passedNanos.get(link);
      if (passed != null && passed - lastRoundNanos > 0) {
        sent.add(link.from.deviceId());
        received.add(link.to.deviceId());
      }
    }
    lastRoundNanos = nowNanos;
    Set<DeviceId> inReach = new HashSet<>();
    for (DeviceId device : devices) {
      long beforeNanos = inReachNanos.computeIfAbsent(device, any -> nowNanos);
      if (sent.contains(device) && received.contains(device)) {
        inReachNanos.put(device, nowNanos);
        inReach.add(device);
      } else if (nowNanos - beforeNanos >= BLIND_NANOS) {
        inReach.add(device);
      }
    }
    return inReach;
  }
}
