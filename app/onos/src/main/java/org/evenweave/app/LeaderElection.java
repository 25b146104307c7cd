package org.evenweave.app;

import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cluster.LeadershipRenewal;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.service.StorageException;

/** The election of the instance where the engine runs, in which this instance is a candidate. */
final class LeaderElection implements AutoCloseable {
  /** After a partition an instance is a candidate again at the next renewal. */
  private static final long RENEWAL_MILLIS = 5000;

  private final LeadershipService leaderships;
  private final NodeId local;
  private final LeadershipEventListener listener;
  private final LeadershipRenewal renewal;

  /**
   * @param local this instance
   * @param changed runs whenever the leader may have changed
   */
  LeaderElection(LeadershipService leaderships, NodeId local, Runnable changed) {
    this.leaderships = leaderships;
    this.local = local;
    this.listener = event -> changed.run();
    this.renewal = new LeadershipRenewal(leaderships, EvenweaveService.NAME, changed);
  }

  void start() {
    leaderships.addListener(listener);
    renewal.start(RENEWAL_MILLIS);
  }

  /** Null while no instance leads, or the cluster's store does not respond. */
  NodeId leader() {
    try {
      return leaderships.getLeader(EvenweaveService.NAME);
    } catch (StorageException e) {
      return null;
    }
  }

  /**
   * Whether this instance leads.
   *
   * @throws StorageException if the cluster's store does not respond: the leader may still lead
   */
  boolean isWon() {
    return local.equals(leaderships.getLeader(EvenweaveService.NAME));
  }

  /** Withdraws this instance. */
  @Override
  public void close() {
    leaderships.removeListener(listener);
    renewal.close();
  }
}
