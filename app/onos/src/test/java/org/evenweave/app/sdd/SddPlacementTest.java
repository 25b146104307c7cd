package org.evenweave.app.sdd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;

/** Every instance of a cluster comes to the same one instance. */
class SddPlacementTest {
  private static final List<ControllerNode> NODES =
      List.of(
          new DefaultControllerNode(NodeId.nodeId("one"), "10.99.0.1"),
          new DefaultControllerNode(NodeId.nodeId("two"), "10.99.0.2"));
  private static final NodeId LEADER = NodeId.nodeId("one");

  private static SddPlacement wanted(String more) {
    return new SddPlacement(SddNetworkConfigTest.config("{\"hosts\":[\"a\"]" + more + "}"));
  }

  private static void assertRunsOn(String place, String more) {
    assertEquals(Optional.of(NodeId.nodeId(place)), wanted(more).instance(NODES, LEADER));
  }

  @Test
  void whereTheOperatorHasIt() {
    assertRunsOn("two", ",\"instance\":\"two\",\"listen\":\"10.99.0.1:6650\"");
    assertRunsOn("three", ",\"instance\":\"three\"");
  }

  @Test
  void onTheInstanceWhoseAddressHostsConnectTo() {
    assertRunsOn("two", ",\"listen\":\"10.99.0.2:6650\"");
  }

  @Test
  void onTheLeaderIfTheAddressIsNoInstancesOwn() {
    assertRunsOn("one", "");
    assertRunsOn("one", ",\"listen\":\"0.0.0.0:6650\"");
    assertRunsOn("one", ",\"listen\":\"192.0.2.7:6650\"");
    assertEquals(Optional.empty(), wanted("").instance(NODES, null));
  }
}
