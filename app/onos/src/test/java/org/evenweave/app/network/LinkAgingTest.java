package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

class LinkAgingTest {
  private static final long WITNESSED_NANOS = LinkAging.WITNESSED_NANOS;
  private static final long ALONE_NANOS = LinkAging.ALONE_NANOS;

  /** The one that is missed, from switch 1 to switch 2. */
  private static final DirectedLink MISSED = cable(1, 1, 2, 1);

  private static final List<DirectedLink> WITNESSES = List.of(cable(1, 2, 3, 1), cable(4, 1, 2, 2));

  private final LinkAging missing = new LinkAging();

  @Test
  void aCableIsLostWhenProbesPassAllOthersButNotThisOne() {
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, 0));
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, WITNESSED_NANOS - 1));
    assertEquals(Set.of(MISSED), missing.lost(List.of(MISSED), WITNESSES, WITNESSED_NANOS));
  }

  /** As all do of a switch whose new master has not probed yet. */
  @Test
  void timeCountsOnlyWhileProbesLeaveTheOneSwitchAndArriveAtTheOther() {
    for (DirectedLink witness : WITNESSES) {
      assertEquals(Set.of(), missing.lost(List.of(MISSED), List.of(witness), 0));
      assertEquals(Set.of(), missing.lost(List.of(MISSED), List.of(witness), 2 * WITNESSED_NANOS));
    }
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, 3 * WITNESSED_NANOS));
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, 4 * WITNESSED_NANOS - 1));
    assertEquals(Set.of(MISSED), missing.lost(List.of(MISSED), WITNESSES, 4 * WITNESSED_NANOS));
  }

  @Test
  void aCableThatHasNoOthersBesideItIsLostInTheEnd() {
    assertEquals(Set.of(), missing.lost(List.of(MISSED), List.of(), 0));
    assertEquals(Set.of(), missing.lost(List.of(MISSED), List.of(), ALONE_NANOS - 1));
    assertEquals(Set.of(MISSED), missing.lost(List.of(MISSED), List.of(), ALONE_NANOS));
  }

  @Test
  void aCableThatIsFoundAgainWasNeverMissing() {
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, 0));
    assertEquals(Set.of(), missing.lost(List.of(), WITNESSES, WITNESSED_NANOS - 1));
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, WITNESSED_NANOS));
    assertEquals(Set.of(), missing.lost(List.of(MISSED), WITNESSES, 2 * WITNESSED_NANOS - 1));
  }

  @Test
  void aLostCableIsNotMissingAnyMore() {
    missing.lost(List.of(MISSED), List.of(), 0);
    assertEquals(Set.of(MISSED), missing.lost(List.of(MISSED), List.of(), ALONE_NANOS));
    assertEquals(Set.of(), missing.lost(List.of(MISSED), List.of(), ALONE_NANOS + 1));
  }

  private static DirectedLink cable(int from, int fromPort, int to, int toPort) {
    return new DirectedLink(end(from, fromPort), end(to, toPort));
  }

  private static ConnectPoint end(int device, int port) {
    return ConnectPoint.deviceConnectPoint(String.format("of:%016x/%d", device, port));
  }
}
