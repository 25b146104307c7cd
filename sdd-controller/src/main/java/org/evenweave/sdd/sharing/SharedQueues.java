package org.evenweave.sdd.sharing;

import org.evenweave.sdd.rate.RateLimits;
import org.evenweave.sdd.schedule.SddApi;

/**
 * The recipe of hierarchical bandwidth sharing: a queue gets a rate, and the flows that are mapped
 * to it take turns (Tewari 2015, section 5.4.4).
 */
public final class SharedQueues {
  private final SddApi sdd;
  private final RateLimits limits;

  /** A recipe for the hosts behind an API. */
  public SharedQueues(SddApi sdd, RateLimits limits) {
    this.sdd = sdd;
    this.limits = limits;
  }

  /** Opens a queue whose flows share it evenly. */
  public void open(int host, int queue) {
    sdd.openQueue(host, queue, SddApi.NextFlow.ROUND_ROBIN);
  }

  /** Has a queue send nothing until it is given a rate. */
  public void close(int host, int queue) {
    limits.close(host, queue);
  }

  /**
   * Gives rates to a host's queues.
   *
   * @param queueOf of each class, its queue; negative for a class that has none
   * @param ratesBps of each class, as {@link BandwidthTree#share} divides them; what gets 0 keeps
   *     the rate it has, as it has nothing to send
   */
  public void setRates(int host, int[] queueOf, long[] ratesBps) {
    for (int c = 0; c < queueOf.length; c++) {
      if (queueOf[c] >= 0 && ratesBps[c] > 0) {
        limits.limit(host, queueOf[c], ratesBps[c]);
      }
    }
  }
}
