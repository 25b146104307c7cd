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
 * This instance's wish to lead, said again and again; saying it once more changes nothing.
 *
 * <p>The store forgets a candidate that it has not heard of for some 10 s, and ONOS says it again
 * only for one that led. And what ONOS takes for the leader is a copy, brought up to date by events
 * that can be lost while an instance is cut off: then the instance knows no leader, or an old one,
 * for good. Saying it has ONOS read the copy anew.
 */
public final class LeadershipRenewal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeadershipRenewal.class);

  /** The store's answer to one wish may take 5 s, and that to withdrawing as long. */
  private static final long CLOSE_SECONDS = 12;

  private final LeadershipService leaderships;
  private final String topic;
  private final Runnable renewed;

  /** Of its own: while the store does not answer, a wish takes seconds. */
  private final ScheduledExecutorService executor =
      new ScheduledThreadPoolExecutor(1, Tools.groupedThreads("evenweave", "candidacy-%d", LOG));

  private Future<?> renewals;
  private boolean heard = true;

  /**
   * @param renewed runs after each wish that the store has heard
   */
  public LeadershipRenewal(LeadershipService leaderships, String topic, Runnable renewed) {
    this.leaderships = leaderships;
    this.topic = topic;
    this.renewed = renewed;
  }

  /** Says it now, and again with such a pause. */
  public void start(long pauseMillis) {
    renewals = executor.scheduleWithFixedDelay(this::renew, 0, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private void renew() {
    try {
      leaderships.runForLeadership(topic);
    } catch (RuntimeException e) {
      if (heard) {
        LOG.warn("the cluster's store does not hear that this instance can lead: {}", e.toString());
      }
      heard = false;
      return;
    }
    heard = true;
    renewed.run();
  }

  /** Withdraws, after what is under way. To be called after the start. */
  @Override
  public void close() {
    renewals.cancel(false);
    executor.execute(this::withdraw);
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the cluster's store is slow to hear that this instance withdraws");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void withdraw() {
    try {
      leaderships.withdraw(topic);
    } catch (RuntimeException e) {
      LOG.warn("the cluster's store does not hear that this instance withdraws: {}", e.toString());
    }
  }
}
