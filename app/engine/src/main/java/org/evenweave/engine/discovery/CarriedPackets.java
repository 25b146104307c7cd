package org.evenweave.engine.discovery;

import org.evenweave.engine.port.PortCounters;

/**
 * Checks by the counters of both ends whether one direction of a link whose probes are lost carries
 * packets. If nearly all of many packets sent arrive, the queue before the sending port drops the
 * probes, and the link is up. A link that is silent carries nothing, and one that loses more than a
 * quarter is better avoided.
 *
 * <p>Not thread-safe.
 */
final class CarriedPackets {
  /** Between two looks. Fewer fill no queue. */
  static final long LEAST_PACKETS = 25;

  private final Counter sent = new Counter();
  private final Counter received = new Counter();

  private static final class Counter {
    private long before = PortCounters.UNSUPPORTED;
    private long now = PortCounters.UNSUPPORTED;

    void add(long count) {
      before = now;
      now = count;
    }

    /** Between the last two looks; 0 if there are no two, or the port's counters were reset. */
    long rise() {
      return before == PortCounters.UNSUPPORTED || now == PortCounters.UNSUPPORTED
          ? 0
          : Math.max(0, now - before);
    }
  }

  /** A look at the sender's port; null if there is no such port. */
  void sent(PortCounters port) {
    sent.add(port == null ? PortCounters.UNSUPPORTED : port.txPackets());
  }

  /** A look at the receiver's port; null if there is no such port. */
  void received(PortCounters port) {
    received.add(port == null ? PortCounters.UNSUPPORTED : port.rxPackets());
  }

  /** Earlier looks count no more. */
  void restart() {
    sent(null);
    sent(null);
    received(null);
    received(null);
  }

  /** Whether most of what is sent arrives, and that is much. */
  boolean areMost() {
    return received.rise() >= LEAST_PACKETS && 4 * received.rise() >= 3 * sent.rise();
  }
}
