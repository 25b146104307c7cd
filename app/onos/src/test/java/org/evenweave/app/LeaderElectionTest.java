package org.evenweave.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.service.StorageException;

class LeaderElectionTest {
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final NodeId TWO = NodeId.nodeId("two");

  private NodeId leader;
  private boolean storeResponds = true;
  private final LeaderElection election =
      new LeaderElection(
          new LeadershipServiceAdapter() {
            @Override
            public NodeId getLeader(String topic) {
              if (!storeResponds) {
                throw new StorageException.Timeout();
              }
              return leader;
            }
          },
          ONE,
          () -> {});

  @Test
  void anInstanceLeadsIfItIsTheLeader() {
    assertFalse(election.isWon());
    leader = TWO;
    assertFalse(election.isWon());
    leader = ONE;
    assertTrue(election.isWon());
    assertEquals(ONE, election.leader());
  }

  /** One that leads goes on until it knows of another: the store may be slow for a moment only. */
  @Test
  void anInstanceThatIsCutOffKnowsNoLeaderAndHasNotLostTheElection() {
    leader = ONE;
    storeResponds = false;
    assertNull(election.leader());
    assertThrows(StorageException.class, election::isWon);
  }
}
