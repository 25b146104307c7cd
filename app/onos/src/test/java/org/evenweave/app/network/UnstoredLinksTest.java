package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.LinkKey;

class UnstoredLinksTest {
  private static final long PATIENCE_NANOS = UnstoredLinks.PATIENCE_NANOS;
  private static final LinkKey LINK = link(1, 2);

  private final UnstoredLinks forgotten = new UnstoredLinks();

  @Test
  void aLinkIsForgottenThatProbesGoOnPassingAndTheStoreDoesNotHold() {
    assertFalse(forgotten.isForgotten(LINK, false, 5));
    assertFalse(forgotten.isForgotten(LINK, false, 5 + PATIENCE_NANOS - 1));
    assertTrue(forgotten.isForgotten(LINK, false, 5 + PATIENCE_NANOS));
    assertTrue(forgotten.isForgotten(LINK, false, 5 + 2 * PATIENCE_NANOS));
  }

  @Test
  void aLinkThatTheStoreHoldsMeanwhileIsNot() {
    assertFalse(forgotten.isForgotten(LINK, false, 0));
    assertFalse(forgotten.isForgotten(LINK, true, PATIENCE_NANOS - 1));
    assertFalse(forgotten.isForgotten(LINK, false, PATIENCE_NANOS));
    assertFalse(forgotten.isForgotten(LINK, false, 2 * PATIENCE_NANOS - 1));
  }

  @Test
  void linksAndTheirDirectionsAreToldApart() {
    assertFalse(forgotten.isForgotten(LINK, false, 0));
    assertFalse(forgotten.isForgotten(link(2, 1), false, PATIENCE_NANOS));
    assertFalse(forgotten.isForgotten(link(1, 3), false, PATIENCE_NANOS));
  }

  private static LinkKey link(int from, int to) {
    return LinkKey.linkKey(end(from), end(to));
  }

  private static ConnectPoint end(int device) {
    return ConnectPoint.deviceConnectPoint(String.format("of:%016x/1", device));
  }
}
