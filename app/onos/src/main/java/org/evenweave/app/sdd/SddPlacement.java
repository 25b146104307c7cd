package org.evenweave.app.sdd;

import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.evenweave.sdd.config.SddConfigException;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.NodeId;

/** The configured SDD controller, the instance that is to run it, and the one that stands by. */
final class SddPlacement {
  private final String document;
  private final NodeId instance;
  private final InetAddress listen;

  SddPlacement(SddNetworkConfig config) {
    document = config.document();
    instance = config.instance().orElse(null);
    listen = listen(document);
  }

  /** Null for a name that this instance cannot resolve. */
  private static InetAddress listen(String document) {
    try {
      return SddNetworkConfig.read(document).listen().getAddress();
    } catch (SddConfigException e) {
      return null;
    }
  }

  /** The controller's configuration. */
  String document() {
    return document;
  }

  /**
   * The instance that is to run it: the one that is named; or else the one with the address that
   * hosts connect to; or else, as with a loopback address, the leader.
   *
   * @param leader null if there is none
   */
  Optional<NodeId> instance(Collection<ControllerNode> nodes, NodeId leader) {
    if (instance != null) {
      return Optional.of(instance);
    }
    return nodes.stream()
        .filter(node -> node.ip() != null && node.ip().toInetAddress().equals(listen))
        .map(ControllerNode::id)
        .findFirst()
        .or(() -> Optional.ofNullable(leader));
  }

  /**
   * The instance that stands by for the leader: the one that leads next by ONOS's election, if the
   * leader runs the controller and hosts can connect to any instance; else none.
   *
   * @param leader null if there is none
   * @param candidates in the order in which they lead
   */
  Optional<NodeId> standby(NodeId leader, List<NodeId> candidates) {
    return instance == null && listen != null && listen.isAnyLocalAddress()
        ? candidates.stream().filter(candidate -> !candidate.equals(leader)).findFirst()
        : Optional.empty();
  }
}
