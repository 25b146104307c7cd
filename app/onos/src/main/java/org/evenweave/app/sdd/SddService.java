package org.evenweave.app.sdd;

import java.util.Optional;
import org.evenweave.sdd.loop.SddController;
import org.onosproject.cluster.NodeId;

/** The SDD controller, which runs on one instance of the cluster at most. */
public interface SddService {
  /** Whether the network configuration has one. */
  boolean configured();

  /**
   * The instance that is to run it; empty if it is not configured, or is to run on the leader while
   * no instance leads.
   */
  Optional<NodeId> instance();

  /** The controller, if it runs on this instance. */
  Optional<SddController> controller();

  /** The reason why it does not run on this instance. */
  String problem();

  /** Has edges discover their paths, if the controller runs on this instance. */
  void topologyChanged();
}
