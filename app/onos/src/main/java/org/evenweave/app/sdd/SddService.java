package org.evenweave.app.sdd;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.evenweave.sdd.loop.SddController;
import org.onosproject.cluster.NodeId;

/** The SDD controller, which leads on one instance of the cluster at most. */
public interface SddService {
  /** Whether the network configuration has one. */
  boolean configured();

  /**
   * The instance that is to run it; empty if it is not configured, or is to run on the leader while
   * no instance leads.
   */
  Optional<NodeId> instance();

  /** The instance whose controller stands by for that one's; empty if there is none. */
  Optional<NodeId> standby();

  /** The controller, if it runs on this instance or stands by there. */
  Optional<SddController> controller();

  /** The reason why it does not run on this instance. */
  String problem();

  /**
   * Gives edges other weights, and has them discover their paths, if the controller runs on this
   * instance.
   *
   * @param shares of switches' next hops in millionths, by prefix, as in 10.0.0.0/24, and address
   */
  void topologyChanged(SortedMap<String, Map<Integer, Integer>> shares);

  /**
   * Has the fabric tell what part of the links from one switch to another its traffic uses, if the
   * controller runs on this instance.
   *
   * @param links tells nothing where the fabric is not known
   */
  void useFabric(Supplier<Map<String, Map<String, Double>>> links);
}
