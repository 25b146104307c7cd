package org.evenweave.app.cluster;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.onlab.util.Tools;
import org.onosproject.cluster.LeadershipService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this instance as a candidate for leadership, and renews that periodically; a renewal is
 * idempotent.
 *
 * <p>The store removes a candidate after a session timeout of some 10 s, and ONOS registers only a
 * former leader again. And an instance's view of the leader is a cache, updated by events that can
 * be lost in a partition: then the instance sees no leader, or a stale one, permanently. A renewal
 * makes ONOS refresh the cache.
 */
public final class LeadershipRenewal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeadershipRenewal.class);

  /** The store may take 5 s for one renewal, and as long for the withdrawal. */
  private static final long CLOSE_SECONDS = 12;

  private final LeadershipService leaderships;
  private final String topic;
  private final Runnable renewed;

  /** A thread of its own: while the store does not respond, a renewal blocks for seconds. */
  private final ScheduledExecutorService executor;

  private Future<?> renewals;
  private boolean registered = true;

  /**
   * @param renewed runs after each renewal that succeeds
   */
  public LeadershipRenewal(LeadershipService leaderships, String topic, Runnable renewed) {
    this(
        leaderships,
        topic,
        renewed,
        new ScheduledThreadPoolExecutor(
            1, Tools.groupedThreads("evenweave", "leadership-%d", LOG)));
  }

  /**
   * @param executor of one thread; it ends with this
   */
  LeadershipRenewal(
      LeadershipService leaderships,
      String topic,
      Runnable renewed,
      ScheduledExecutorService executor) {
    this.leaderships = leaderships;
    this.topic = topic;
    this.renewed = renewed;
    this.executor = executor;
  }

  /** Registers now, and renews with this pause. */
  public void start(long pauseMillis) {
    renewals = executor.scheduleWithFixedDelay(this::renew, 0, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private void renew() {
    try {
      leaderships.runForLeadership(topic);
    } catch (RuntimeException e) {
      if (registered) {
        LOG.warn(
            "cannot register as a candidate for leadership in the cluster's store: {}",
            e.toString());
      }
      registered = false;
      return;
    }
    registered = true;
    renewed.run();
  }

  /** Withdraws, after a renewal in progress. To be called after {@link #start}. */
  @Override
  public void close() {
    renewals.cancel(false);
    executor.execute(this::withdraw);
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn(
            "the cluster's store has not confirmed yet that this instance withdraws from leadership");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void withdraw() {
    try {
      leaderships.withdraw(topic);
    } catch (RuntimeException e) {
      LOG.warn("cannot withdraw from leadership in the cluster's store: {}", e.toString());
    }
  }
}
