package org.evenweave.app.sdd;

import java.util.Optional;
import org.evenweave.sdd.loop.SddController;
import org.onosproject.cluster.NodeId;

/** The SDD controller, which runs on one instance of the cluster at most. */
public interface SddService {
  /** Whether the network configuration has one. */
  boolean configured();

  /**
   * The instance that is to run it; empty if it is not configured, or is the leader's while no
   * instance leads.
   */
  Optional<NodeId> place();

  /** The one that runs on this instance. */
  Optional<SddController> controller();

  /** Why none runs on this instance. */
  String problem();
}
