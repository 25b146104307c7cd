package org.evenweave.sdd.rate;

import java.util.Locale;

/**
 * RCP's rate of one link: what every flow through it may send, found without counting flows.
 *
 * <p><b>Idea.</b> All flows of a link send at one rate R. If they send less than the capacity C
 * together, R rises in proportion; if more, or while a queue stands, it falls. With input y over an
 * update interval T, queue q and mean round-trip time d:
 *
 * <pre>  R = R (1 + T/d (alpha (C - y) - beta q/d) / C)</pre>
 *
 * <p>At the fixed point y = C and q = 0, so R = C/N for N flows that have enough to send: the fair
 * share. Stable for alpha 0.4 and beta 0.226 whatever C, d and N are (the source's section 4). A
 * flow's rate is the smallest R of its path.
 *
 * <p>Source: Dukkipati and McKeown, "Why flow-completion time is the right metric for congestion
 * control", CCR 2006, equation 2; Dukkipati, "Rate control protocol", Stanford 2007. Tewari 2015,
 * section 5.4.3 is the hosts' part, {@link RateLimits}.
 */
public final class RcpLink {
  private static final double ALPHA = 0.4;
  private static final double BETA = 0.226;

  /** The least share of the capacity: a rate of 0 would never grow again. */
  private static final double LEAST_SHARE = 1e-5;

  private final long capacityBps;
  private double rateBps;

  /**
   * A link without traffic: a first flow may have all of it.
   *
   * @param capacityBps more than 0
   */
  public RcpLink(long capacityBps) {
    if (capacityBps <= 0) {
      throw new IllegalArgumentException("capacityBps: must be more than 0, not " + capacityBps);
    }
    this.capacityBps = capacityBps;
    this.rateBps = capacityBps;
  }

  /** What each flow may send, at least 1. */
  public long rateBps() {
    return Math.max(1, Math.round(rateBps));
  }

  /**
   * Updates the rate with what was seen since the last time.
   *
   * @param intervalNs how long ago that was, more than 0 and at most the round-trip time
   * @param arrivedBytes what arrived at the link in that time
   * @param queuedBytes what waits at it now
   * @param roundTripNs the mean round-trip time of its flows
   */
  public void update(long intervalNs, long arrivedBytes, long queuedBytes, long roundTripNs) {
    if (intervalNs <= 0 || intervalNs > roundTripNs || arrivedBytes < 0 || queuedBytes < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "intervalNs %d must be 1 to roundTripNs %d, arrivedBytes %d and queuedBytes %d 0 or more",
              intervalNs,
              roundTripNs,
              arrivedBytes,
              queuedBytes));
    }
    double arrivedBps = arrivedBytes * 8e9 / intervalNs;
    double queuedBps = queuedBytes * 8e9 / roundTripNs;
    double missingBps = ALPHA * (capacityBps - arrivedBps) - BETA * queuedBps;
    rateBps *= 1 + (double) intervalNs / roundTripNs * missingBps / capacityBps;
    rateBps = Math.max(LEAST_SHARE * capacityBps, Math.min((double) capacityBps, rateBps));
  }
}
