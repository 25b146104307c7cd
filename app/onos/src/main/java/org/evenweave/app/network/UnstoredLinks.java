package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.LinkKey;

/** Links that probes pass and that ONOS's link store lacks. Thread-safe. */
final class UnstoredLinks {
  /**
   * How long probes may pass before the link must be in ONOS's store. It normally is within
   * milliseconds; ONOS probes every 3 s.
   */
  static final long GRACE_NANOS = 2_000_000_000L;

  private final Map<LinkKey, Long> sinceNanos = new ConcurrentHashMap<>();

  /**
   * A probe passed a link.
   *
   * @param isStored whether it is in ONOS's store
   * @return whether ONOS will not store it by itself
   */
  boolean isLost(LinkKey link, boolean isStored, long nowNanos) {
    if (isStored) {
      sinceNanos.remove(link);
      return false;
    }
    Long since = sinceNanos.putIfAbsent(link, nowNanos);
    return since != null && nowNanos - since >= GRACE_NANOS;
  }
}
