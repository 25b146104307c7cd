package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

class ReportedLinksTest {
  private static final long WITNESSED_NANOS = ReportedLinks.WITNESSED_NANOS;
  private static final long ALONE_NANOS = ReportedLinks.ALONE_NANOS;

  /** The one that is missed, from switch 1 to switch 2. */
  private static final DirectedLink MISSED = link(1, 1, 2, 1);

  private static final List<DirectedLink> WITNESSES = List.of(link(1, 2, 3, 1), link(4, 1, 2, 2));

  private final ReportedLinks reported = new ReportedLinks();

  @Test
  void aLinkIsLostWhenProbesPassItsWitnessesOnly() {
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, 0));
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, WITNESSED_NANOS - 1));
    assertEquals(Set.of(MISSED), reported.agedOut(List.of(MISSED), WITNESSES, WITNESSED_NANOS));
  }

  /** As for all links of a switch whose new master has not probed yet. */
  @Test
  void timeCountsOnlyWhileProbesLeaveTheOneSwitchAndArriveAtTheOther() {
    for (DirectedLink witness : WITNESSES) {
      assertEquals(Set.of(), reported.agedOut(List.of(MISSED), List.of(witness), 0));
      assertEquals(
          Set.of(), reported.agedOut(List.of(MISSED), List.of(witness), 2 * WITNESSED_NANOS));
    }
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, 3 * WITNESSED_NANOS));
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, 4 * WITNESSED_NANOS - 1));
    assertEquals(Set.of(MISSED), reported.agedOut(List.of(MISSED), WITNESSES, 4 * WITNESSED_NANOS));
  }

  @Test
  void aLinkWithoutWitnessesIsLostInTheEnd() {
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), List.of(), 0));
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), List.of(), ALONE_NANOS - 1));
    assertEquals(Set.of(MISSED), reported.agedOut(List.of(MISSED), List.of(), ALONE_NANOS));
  }

  @Test
  void aLinkThatIsFoundAgainStartsAnew() {
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, 0));
    assertEquals(Set.of(), reported.agedOut(List.of(), WITNESSES, WITNESSED_NANOS - 1));
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, WITNESSED_NANOS));
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), WITNESSES, 2 * WITNESSED_NANOS - 1));
  }

  @Test
  void theAgeOfALostLinkIsDeleted() {
    reported.agedOut(List.of(MISSED), List.of(), 0);
    assertEquals(Set.of(MISSED), reported.agedOut(List.of(MISSED), List.of(), ALONE_NANOS));
    assertEquals(Set.of(), reported.agedOut(List.of(MISSED), List.of(), ALONE_NANOS + 1));
  }

  private static DirectedLink link(int from, int fromPort, int to, int toPort) {
    return new DirectedLink(end(from, fromPort), end(to, toPort));
  }

  private static ConnectPoint end(int device, int port) {
    return ConnectPoint.deviceConnectPoint(String.format(Locale.ROOT, "of:%016x/%d", device, port));
  }
}
