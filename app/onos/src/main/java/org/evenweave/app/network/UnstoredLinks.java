package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.LinkKey;

/** Links that probes pass and that ONOS's store does not hold. Safe for many threads. */
final class UnstoredLinks {
  /**
   * How long probes may pass before ONOS's store has to hold the link. It does within milliseconds,
   * if it is not to forget it; ONOS probes every 3 s.
   */
  static final long PATIENCE_NANOS = 2_000_000_000L;

  private final Map<LinkKey, Long> sinceNanos = new ConcurrentHashMap<>();

  /**
   * A probe passed a link.
   *
   * @param isHeld whether ONOS's store holds it
   * @return whether the store will not hold it by itself
   */
  boolean isForgotten(LinkKey link, boolean isHeld, long nowNanos) {
    if (isHeld) {
      sinceNanos.remove(link);
      return false;
    }
    Long since = sinceNanos.putIfAbsent(link, nowNanos);
    return since != null && nowNanos - since >= PATIENCE_NANOS;
  }
}
