package org.evenweave.app.sdd;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Optional;
import org.evenweave.sdd.config.SddConfigException;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.NodeId;

/** The SDD controller that the network configuration asks for, and where it is to run. */
final class SddPlacement {
  private final String document;
  private final NodeId instance;
  private final InetAddress listen;

  SddPlacement(SddNetworkConfig config) {
    document = config.document();
    instance = config.instance().orElse(null);
    listen = listen(document);
  }

  /** Null for a name that another instance knows the address of, and this one does not. */
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
   * The instance that is to run it: the one that is named; or else the one whose own address hosts
   * connect to; or else, as with an address of loopback, which each has, the leader.
   *
   * @param leader null if there is none
   */
  Optional<NodeId> place(Collection<ControllerNode> nodes, NodeId leader) {
    if (instance != null) {
      return Optional.of(instance);
    }
    return nodes.stream()
        .filter(node -> node.ip() != null && node.ip().toInetAddress().equals(listen))
        .map(ControllerNode::id)
        .findFirst()
        .or(() -> Optional.ofNullable(leader));
  }
}
